-- Long form: one row a run and behaviour, counts only. What is joined late (resolved, applicable_patch) is added
-- here, so that outcomes may arrive without tagging again.
WITH r AS (
  SELECT arm, benchmark, instance_id, run, trajectory_id, has_log, scored, resolved, applied, patch_state FROM runs
)
SELECT r.arm, r.benchmark, r.instance_id, r.run, h.behaviour, h.kind, h.num, h.den
FROM r JOIN behaviours h ON r.trajectory_id = h.trajectory_id
UNION ALL
SELECT arm, benchmark, instance_id, run, 'resolved' AS behaviour, 'share' AS kind,
       COALESCE(resolved, CAST(0 AS BIGINT)) AS num, scored AS den
FROM r
UNION ALL
SELECT arm, benchmark, instance_id, run, 'applicable_patch' AS behaviour, 'share' AS kind,
       CAST(CASE WHEN patch_state = 'nonempty' THEN COALESCE(applied, 1) ELSE 0 END AS BIGINT) AS num,
       CAST(CASE WHEN patch_state = 'missing' THEN 0 ELSE 1 END AS BIGINT) AS den
FROM r WHERE has_log = 1;
