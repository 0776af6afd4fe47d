-- Table instance_pairs: for each pair of arms, the instances that either has (definitions.md 7). Nothing is dropped.
WITH c AS (
  SELECT arm, benchmark, instance_id, CAST(COUNT(*) AS BIGINT) AS n_runs, CAST(SUM(scored) AS BIGINT) AS n_scored,
         CAST(SUM(CASE WHEN resolved = 1 THEN CAST(1 AS BIGINT) ELSE CAST(0 AS BIGINT) END) AS BIGINT) AS n_resolved
  FROM runs
  GROUP BY arm, benchmark, instance_id
),
u AS (
  SELECT ap.base_arm, ap.trained_arm, c.benchmark, c.instance_id,
         c.n_runs AS b_runs, c.n_scored AS b_scored, c.n_resolved AS b_resolved,
         CAST(0 AS BIGINT) AS t_runs, CAST(0 AS BIGINT) AS t_scored, CAST(0 AS BIGINT) AS t_resolved
  FROM arm_pairs ap JOIN c ON ap.base_arm = c.arm
  UNION ALL
  SELECT ap.base_arm, ap.trained_arm, c.benchmark, c.instance_id,
         CAST(0 AS BIGINT) AS b_runs, CAST(0 AS BIGINT) AS b_scored, CAST(0 AS BIGINT) AS b_resolved,
         c.n_runs AS t_runs, c.n_scored AS t_scored, c.n_resolved AS t_resolved
  FROM arm_pairs ap JOIN c ON ap.trained_arm = c.arm
),
g AS (
  SELECT base_arm, trained_arm, benchmark, instance_id,
         CAST(SUM(b_runs) AS BIGINT) AS base_runs, CAST(SUM(b_scored) AS BIGINT) AS base_scored,
         CAST(SUM(b_resolved) AS BIGINT) AS base_resolved,
         CAST(SUM(t_runs) AS BIGINT) AS trained_runs, CAST(SUM(t_scored) AS BIGINT) AS trained_scored,
         CAST(SUM(t_resolved) AS BIGINT) AS trained_resolved
  FROM u
  GROUP BY base_arm, trained_arm, benchmark, instance_id
)
SELECT base_arm, trained_arm, benchmark, instance_id,
       CASE WHEN base_runs = 0 THEN 'trained_only'
            WHEN trained_runs = 0 THEN 'base_only'
            WHEN base_scored > 0 AND trained_scored > 0 THEN 'both_scored'
            WHEN base_scored = 0 AND trained_scored = 0 THEN 'both_unscored'
            ELSE 'one_unscored' END AS state,
       base_runs, base_scored, base_resolved, trained_runs, trained_scored, trained_resolved
FROM g
ORDER BY base_arm, trained_arm, benchmark, instance_id;
