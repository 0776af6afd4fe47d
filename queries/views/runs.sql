-- One row a run: live trajectories (no parent, not superseded) outer-joined with outcomes on the four keys.
-- 0/1 behaviours are columns: 1, 0, or null = not applicable (den 0) or no log.
-- The keys of each side get their own names first; never USING (it nulls the keys of the right side in polars).
-- The lines that begin with `--!` are replaced: one column for each behaviour of kind share.
WITH live AS (
  SELECT arm AS l_arm, benchmark AS l_benchmark, instance_id AS l_instance, run AS l_run, trajectory_id,
         has_log AS log_raw, format, scaffold, model, steps, api_calls, n_turns, n_model_turns, n_calls,
         n_refused_unsaved, termination, end_class, auto_submitted, patch_state, tokens_in, tokens_out, cost_usd,
         train_step, instance_source, file, place
  FROM trajectories
  WHERE superseded_by IS NULL AND parent_id IS NULL
),
grade AS (
  SELECT arm AS o_arm, benchmark AS o_benchmark, instance_id AS o_instance, run AS o_run,
         scored AS scored_raw, resolved, reward, unscored_reason, failed_reason, applied,
         f2p_passed, f2p_total, p2p_passed, p2p_total, source AS outcome_source
  FROM outcomes
),
b AS (
  SELECT COALESCE(live.l_arm, grade.o_arm) AS arm, COALESCE(live.l_benchmark, grade.o_benchmark) AS benchmark,
         COALESCE(live.l_instance, grade.o_instance) AS instance_id, COALESCE(live.l_run, grade.o_run) AS run,
         live.trajectory_id, live.log_raw, live.format, live.scaffold, live.model, live.steps, live.api_calls,
         live.n_turns, live.n_model_turns, live.n_calls, live.n_refused_unsaved, live.termination, live.end_class,
         live.auto_submitted, live.patch_state, live.tokens_in, live.tokens_out, live.cost_usd, live.train_step,
         live.instance_source, live.file, live.place,
         grade.scored_raw, grade.resolved, grade.reward, grade.unscored_reason, grade.failed_reason, grade.applied,
         grade.f2p_passed, grade.f2p_total, grade.p2p_passed, grade.p2p_total, grade.outcome_source
  FROM live FULL JOIN grade
    ON live.l_arm = grade.o_arm AND live.l_benchmark = grade.o_benchmark
   AND live.l_instance = grade.o_instance AND live.l_run = grade.o_run
),
shares AS (
  SELECT trajectory_id AS wide_id
--! , MAX(CASE WHEN behaviour = 'CODE' AND den > 0 THEN num END) AS CODE
  FROM behaviours
  WHERE kind = 'share'
  GROUP BY trajectory_id
)
SELECT b.arm, b.benchmark, b.instance_id, b.run, b.trajectory_id,
       CAST(CASE WHEN b.log_raw THEN 1 ELSE 0 END AS BIGINT) AS has_log,
       CAST(CASE WHEN b.scored_raw THEN 1 ELSE 0 END AS BIGINT) AS scored,
       CAST(CASE WHEN b.scored_raw AND b.resolved THEN 1 WHEN b.scored_raw THEN 0 END AS BIGINT) AS resolved,
       b.reward,
       CASE WHEN b.scored_raw THEN NULL ELSE COALESCE(b.unscored_reason, 'no_outcome_file') END AS unscored_reason,
       b.failed_reason,
       CAST(CASE WHEN b.applied THEN 1 WHEN NOT b.applied THEN 0 END AS BIGINT) AS applied,
       b.f2p_passed, b.f2p_total, b.p2p_passed, b.p2p_total, b.outcome_source,
       b.format, b.scaffold, b.model, b.steps, b.api_calls, b.n_turns, b.n_model_turns, b.n_calls,
       b.n_refused_unsaved, b.termination, b.end_class,
       CAST(CASE WHEN b.auto_submitted THEN 1 WHEN NOT b.auto_submitted THEN 0 END AS BIGINT) AS auto_submitted,
       b.patch_state, b.tokens_in, b.tokens_out, b.cost_usd, b.train_step, b.instance_source, b.file, b.place
--! , shares.CODE
FROM b LEFT JOIN shares ON b.trajectory_id = shares.wide_id
ORDER BY arm, benchmark, instance_id, run;
