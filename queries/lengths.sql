-- T10: runs with a log by their length and by whether a limit cut them. Medians: Rust.
WITH r AS (
  SELECT arm, benchmark, instance_id, steps,
         CASE WHEN n_turns IS NOT NULL THEN n_model_turns END AS model_turns,
         CAST(CASE WHEN end_class = 'limit' THEN 1 ELSE 0 END AS BIGINT) AS cut
  FROM runs
  WHERE has_log = 1
)
SELECT arm, benchmark, instance_id, steps, model_turns, cut, CAST(COUNT(*) AS BIGINT) AS n
FROM r
GROUP BY arm, benchmark, instance_id, steps, model_turns, cut
ORDER BY arm, benchmark, instance_id, steps NULLS LAST, model_turns NULLS LAST, cut;
