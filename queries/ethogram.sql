-- Chart: the primary tag of each model turn of each run, in order. Pairs are put together in Rust.
WITH m AS (
  SELECT trajectory_id AS m_tid, turn AS m_turn, model_turn FROM turns WHERE origin = 'model'
),
f AS (
  SELECT m.m_tid, m.model_turn, turn_facts.primary_tag
  FROM m JOIN turn_facts ON m.m_tid = turn_facts.trajectory_id AND m.m_turn = turn_facts.turn
)
SELECT runs.arm, runs.benchmark, runs.instance_id, runs.run, f.model_turn, f.primary_tag
FROM f JOIN runs ON f.m_tid = runs.trajectory_id
ORDER BY arm, benchmark, instance_id, run, model_turn;
