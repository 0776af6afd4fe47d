-- T1: rewards of scored runs by instance, each value with its count: sums of fractions in no fixed order would differ.
SELECT arm, benchmark, instance_id, reward, CAST(COUNT(*) AS BIGINT) AS runs
FROM runs
WHERE scored = 1 AND reward IS NOT NULL
GROUP BY arm, benchmark, instance_id, reward
ORDER BY arm, benchmark, instance_id, reward;
