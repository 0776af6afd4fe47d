-- Table pairs: run i beside run i, to read. A null id = that arm has no such run, or no log of it.
WITH u AS (
  SELECT ap.base_arm, ap.trained_arm, runs.benchmark, runs.instance_id, runs.run,
         runs.trajectory_id AS b_id, CAST(NULL AS VARCHAR) AS t_id
  FROM arm_pairs ap JOIN runs ON ap.base_arm = runs.arm
  UNION ALL
  SELECT ap.base_arm, ap.trained_arm, runs.benchmark, runs.instance_id, runs.run,
         CAST(NULL AS VARCHAR) AS b_id, runs.trajectory_id AS t_id
  FROM arm_pairs ap JOIN runs ON ap.trained_arm = runs.arm
)
SELECT base_arm, trained_arm, benchmark, instance_id, run, MAX(b_id) AS base_id, MAX(t_id) AS trained_id
FROM u
GROUP BY base_arm, trained_arm, benchmark, instance_id, run
ORDER BY base_arm, trained_arm, benchmark, instance_id, run;
