-- Chart: the primary tag of each model turn of the first run with a log of each instance, in order. Pairs: Rust.
WITH firsts AS (
  SELECT arm AS f_arm, benchmark AS f_benchmark, instance_id AS f_instance, MIN(run) AS f_run
  FROM runs
  WHERE has_log = 1
  GROUP BY arm, benchmark, instance_id
),
drawn AS (
  SELECT runs.arm, runs.benchmark, runs.instance_id, runs.run, runs.trajectory_id AS d_tid
  FROM runs JOIN firsts
    ON runs.arm = firsts.f_arm AND runs.benchmark = firsts.f_benchmark
   AND runs.instance_id = firsts.f_instance AND runs.run = firsts.f_run
),
m AS (
  SELECT trajectory_id AS m_tid, turn AS m_turn, model_turn FROM turns WHERE origin = 'model'
),
f AS (
  SELECT m.m_tid, m.model_turn, turn_facts.primary_tag
  FROM m JOIN turn_facts ON m.m_tid = turn_facts.trajectory_id AND m.m_turn = turn_facts.turn
)
SELECT drawn.arm, drawn.benchmark, drawn.instance_id, drawn.run, f.model_turn, f.primary_tag
FROM f JOIN drawn ON f.m_tid = drawn.d_tid
ORDER BY arm, benchmark, instance_id, run, model_turn;
