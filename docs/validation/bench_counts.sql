-- Counts a trajectory of the generated corpus, in the words of its planted truth (docs/validation/bench.md).
WITH explored AS (
  SELECT DISTINCT trajectory_id AS e_id, turn AS e_turn FROM tags
  WHERE tag = 'exploration' AND kind IN ('read', 'search', 'history', 'review')
),
handed AS (
  SELECT DISTINCT trajectory_id AS h_id, turn AS h_turn FROM tags WHERE tag = 'submission'
),
outside AS (
  SELECT explored.e_id, handed.h_turn
  FROM explored LEFT JOIN handed ON explored.e_id = handed.h_id AND explored.e_turn = handed.h_turn
),
edited AS (
  SELECT DISTINCT trajectory_id AS e_id, turn AS e_turn FROM tags WHERE tag = 'editing' AND kind <> 'delete'
),
tested AS (
  SELECT DISTINCT trajectory_id AS t_id, turn AS t_turn FROM test_runs
  WHERE kind IN ('suite', 'targeted') AND outcome <> 'not_run'
),
failed AS (
  SELECT DISTINCT trajectory_id AS f_id, turn AS f_turn FROM test_runs
  WHERE kind IN ('suite', 'targeted') AND outcome = 'fail'
),
attempted AS (
  SELECT DISTINCT trajectory_id AS n_id, turn AS n_turn FROM network WHERE attempt
),
marks AS (
  SELECT e_id AS id, 'explore' AS what FROM outside WHERE h_turn IS NULL
  UNION ALL SELECT e_id AS id, 'edit' AS what FROM edited
  UNION ALL SELECT t_id AS id, 'test' AS what FROM tested
  UNION ALL SELECT f_id AS id, 'test_failed' AS what FROM failed
  UNION ALL SELECT n_id AS id, 'network' AS what FROM attempted
  UNION ALL SELECT trajectory_id AS id, 'repeat' AS what FROM turn_facts WHERE repeat_action
  UNION ALL SELECT trajectory_id AS id, 'loop' AS what FROM turn_facts WHERE repeat_action AND same_observation
),
counts AS (
  SELECT id,
         SUM(CASE WHEN what = 'explore' THEN CAST(1 AS BIGINT) ELSE CAST(0 AS BIGINT) END) AS explore,
         SUM(CASE WHEN what = 'edit' THEN CAST(1 AS BIGINT) ELSE CAST(0 AS BIGINT) END) AS edit,
         SUM(CASE WHEN what = 'test' THEN CAST(1 AS BIGINT) ELSE CAST(0 AS BIGINT) END) AS test,
         SUM(CASE WHEN what = 'test_failed' THEN CAST(1 AS BIGINT) ELSE CAST(0 AS BIGINT) END) AS test_failed,
         SUM(CASE WHEN what = 'network' THEN CAST(1 AS BIGINT) ELSE CAST(0 AS BIGINT) END) AS network,
         SUM(CASE WHEN what = 'repeat' THEN CAST(1 AS BIGINT) ELSE CAST(0 AS BIGINT) END) AS repeat,
         SUM(CASE WHEN what = 'loop' THEN CAST(1 AS BIGINT) ELSE CAST(0 AS BIGINT) END) AS loop
  FROM marks GROUP BY id
)
SELECT runs.arm, runs.run + 1 AS run, runs.instance_id AS instance,
       CASE WHEN runs.format IN ('swe-agent-0.x', 'swe-agent-1.0', 'swe-agent-1.1') THEN runs.steps
            ELSE runs.n_model_turns END AS turns,
       COALESCE(counts.explore, 0) AS explore, COALESCE(counts.edit, 0) AS edit,
       COALESCE(counts.test, 0) AS test, COALESCE(counts.test_failed, 0) AS test_failed,
       COALESCE(counts.network, 0) AS network, COALESCE(counts.repeat, 0) AS repeat,
       COALESCE(counts.loop, 0) AS loop,
       CASE WHEN runs.termination = 'submitted' THEN 1 ELSE 0 END AS submitted,
       COALESCE(runs.resolved, 0) AS resolved
FROM runs LEFT JOIN counts ON runs.trajectory_id = counts.id
WHERE runs.has_log = 1
ORDER BY arm, run, instance;
