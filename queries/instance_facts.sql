-- Strata of the decomposition: what is known of instances. A null is not known.
WITH g AS (
  SELECT benchmark AS g_benchmark, instance_id AS g_instance, CAST(COUNT(*) AS BIGINT) AS gold_n
  FROM gold_files
  GROUP BY benchmark, instance_id
)
SELECT instances.benchmark, instances.instance_id, instances.repo, instances.language, instances.difficulty,
       g.gold_n AS gold_files
FROM instances LEFT JOIN g ON instances.benchmark = g.g_benchmark AND instances.instance_id = g.g_instance
ORDER BY benchmark, instance_id;
