-- Strata of the decomposition: runs by the number of files whose edits are in their patch; null is not known.
WITH e AS (
  SELECT DISTINCT trajectory_id AS e_tid, path AS e_path FROM edits WHERE survives AND path IS NOT NULL
),
f AS (
  SELECT e_tid AS f_tid, CAST(COUNT(*) AS BIGINT) AS files_n FROM e GROUP BY e_tid
),
r AS (
  SELECT runs.arm, runs.benchmark, runs.instance_id,
         CASE WHEN runs.patch_state IN ('empty', 'foreign') THEN CAST(0 AS BIGINT)
              WHEN runs.patch_state = 'nonempty' THEN f.files_n END AS files
  FROM runs LEFT JOIN f ON runs.trajectory_id = f.f_tid
  WHERE runs.has_log = 1
)
SELECT arm, benchmark, instance_id, files, CAST(COUNT(*) AS BIGINT) AS n
FROM r
GROUP BY arm, benchmark, instance_id, files
ORDER BY arm, benchmark, instance_id, files NULLS LAST;
