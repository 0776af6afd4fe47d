-- T13: commands, tools and pairs of neighbouring primary tags, one count a trajectory, by instance, with the first turn of
-- one trajectory as an example; turns of the model only. Log-odds: Rust.
WITH m AS (
  SELECT trajectory_id AS m_tid, turn AS m_turn, model_turn FROM turns WHERE origin = 'model'
),
c AS (
  SELECT segments.trajectory_id AS c_tid, segments.turn AS c_turn,
         CASE WHEN segments.subcommand IS NULL THEN segments.program
              ELSE segments.program || ' ' || segments.subcommand END AS c_token
  FROM segments JOIN m ON segments.trajectory_id = m.m_tid AND segments.turn = m.m_turn
  WHERE segments.program IS NOT NULL
),
commands_of AS (
  SELECT 'command' AS unit, c_tid AS u_tid, c_token AS token, MIN(c_turn) AS first_turn FROM c GROUP BY c_tid, c_token
),
k AS (
  SELECT calls.trajectory_id AS k_tid, calls.turn AS k_turn, calls.tool AS k_token
  FROM calls JOIN m ON calls.trajectory_id = m.m_tid AND calls.turn = m.m_turn
),
tools_of AS (
  SELECT 'tool' AS unit, k_tid AS u_tid, k_token AS token, MIN(k_turn) AS first_turn FROM k GROUP BY k_tid, k_token
),
f AS (
  SELECT m.m_tid, m.m_turn, m.model_turn, turn_facts.primary_tag
  FROM m JOIN turn_facts ON m.m_tid = turn_facts.trajectory_id AND m.m_turn = turn_facts.turn
),
l AS (
  SELECT m_tid AS l_tid, m_turn AS l_turn, primary_tag AS l_tag,
         LAG(primary_tag) OVER (PARTITION BY m_tid ORDER BY model_turn) AS l_before
  FROM f
),
p AS (
  SELECT l_tid AS p_tid, l_turn AS p_turn, l_before || ' > ' || l_tag AS p_token FROM l WHERE l_before IS NOT NULL
),
pairs_of AS (
  SELECT 'tag pair' AS unit, p_tid AS u_tid, p_token AS token, MIN(p_turn) AS first_turn FROM p GROUP BY p_tid, p_token
),
u AS (
  SELECT unit, u_tid, token, first_turn FROM commands_of
  UNION ALL
  SELECT unit, u_tid, token, first_turn FROM tools_of
  UNION ALL
  SELECT unit, u_tid, token, first_turn FROM pairs_of
),
x AS (
  SELECT runs.arm, runs.benchmark, runs.instance_id, u.unit, u.token,
         u.u_tid || ' turn ' || CAST(u.first_turn AS VARCHAR) AS place
  FROM u JOIN runs ON u.u_tid = runs.trajectory_id
)
SELECT arm, benchmark, instance_id, unit, token, CAST(COUNT(*) AS BIGINT) AS trajectories_with, MIN(place) AS example
FROM x
GROUP BY arm, benchmark, instance_id, unit, token
ORDER BY arm, benchmark, instance_id, unit, token;
