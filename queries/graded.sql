-- T10, T12: scored runs by what the grader counted. outcomes holds the counts of the long table tests, which is not read.
SELECT arm, benchmark, instance_id, train_step, resolved, reward, failed_reason,
       f2p_passed, f2p_total, p2p_passed, p2p_total, CAST(COUNT(*) AS BIGINT) AS n
FROM runs
WHERE scored = 1
GROUP BY arm, benchmark, instance_id, train_step, resolved, reward, failed_reason,
         f2p_passed, f2p_total, p2p_passed, p2p_total
ORDER BY arm, benchmark, instance_id, train_step NULLS LAST, resolved, reward NULLS LAST, failed_reason NULLS LAST,
         f2p_passed NULLS LAST, f2p_total NULLS LAST, p2p_passed NULLS LAST, p2p_total NULLS LAST;
