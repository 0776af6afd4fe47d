//! Ingest: logs and outcomes of arms become rows of a store. A log is tagged while it is in memory; its row of
//! `trajectories`, and all outcomes, are held to the end of its arm, when keys are settled (`interface.md`, The store).

use std::collections::{BTreeMap, BTreeSet};

use super::arm_files::{self, ArmFiles};
use super::error::StepError;
use super::outcome_rows;
use super::pipeline::with_threads;
use super::read_arm::{self, ReadArm, Seen, is_demonstration};
use super::run_rows::{of_head, settle, write_one};
use super::study::{Arm, Role, Study};
use super::study_tables::{self, StudyTables};
use super::tag::{self, benchmarks_of, rule_versions, user_versions};
use super::tag_rows::{self, Findings};
use super::unchanged::{settings_of, unchanged};
use crate::model::{Benchmark, Problem, RunSource, TaskKind, UnscoredReason, Verdict, Weight};
use crate::outcomes::{self, Fate, SettledRun};
use crate::sources::SourceKind;
use crate::store::{Contents, Frame, Input, Manifest, Noted, RunRow, Store, StoreWriter, write_run};

/// Tables whose rows are keyed by arm or benchmark, and are written anew at each commit with the rows that stay.
const KEYED_BY_ARM: [&str; 3] = ["arms", "outcomes", "tests"];

/// What ingest says of itself.
#[derive(Clone, Debug, Default)]
pub struct Ingested {
    /// Arms that were read.
    pub read: Vec<String>,
    /// Arms whose inputs stand unchanged in the manifest, so that nothing was read.
    pub unchanged: Vec<String>,
    /// Trajectories that were read.
    pub trajectories: usize,
    /// Problems that weigh as refusals.
    pub refused: usize,
}

/// Whether the arms of a study are all that the store shall hold, or are added to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The store becomes the study: arms of other names leave.
    Whole,
    /// Other arms stay.
    Added,
}

/// Reads the arms of a study into a store.
///
/// # Errors
/// An arm holds nothing, has conflicts, or the store refuses; then the store is as it was.
pub fn ingest(
    study: &Study,
    store: &Store,
    extent: Extent,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<(Store, Ingested), StepError> {
    let threads = study.threads;
    with_threads(threads, || Ingest::new(study, store, extent, progress)?.run())
}

/// The versions without those of user rules.
fn families(versions: &BTreeMap<String, i64>) -> BTreeMap<String, i64> {
    let user = user_versions(versions);
    versions
        .iter()
        .filter(|(name, _)| !user.contains_key(*name))
        .map(|(name, version)| (name.clone(), *version))
        .collect()
}

struct Ingest<'a> {
    study: &'a Study,
    store: &'a Store,
    extent: Extent,
    progress: &'a (dyn Fn(&str) + Sync),
    writer: StoreWriter,
    contents: Contents,
    ingested: Ingested,
    copies: BTreeSet<String>,
    benchmarks: BTreeMap<String, Benchmark>,
    /// Runs by benchmark and kind of task: an unnamed benchmark is of the kind of most.
    kinds: BTreeMap<String, BTreeMap<TaskKind, usize>>,
    /// The study's own tables, where the store becomes the study.
    tables: Option<StudyTables>,
    /// Instance ids of the arms before, in their order: later arms take their spelling.
    spelled: Vec<BTreeSet<String>>,
}

impl<'a> Ingest<'a> {
    fn new(
        study: &'a Study,
        store: &'a Store,
        extent: Extent,
        progress: &'a (dyn Fn(&str) + Sync),
    ) -> Result<Ingest<'a>, StepError> {
        Ok(Ingest {
            study,
            store,
            extent,
            progress,
            writer: store.writer()?,
            contents: Contents::default(),
            ingested: Ingested::default(),
            copies: BTreeSet::new(),
            benchmarks: BTreeMap::new(),
            kinds: BTreeMap::new(),
            tables: (extent == Extent::Whole).then(|| study_tables::read(study)).transpose()?,
            spelled: Vec::new(),
        })
    }

    fn run(mut self) -> Result<(Store, Ingested), StepError> {
        let old = self.writer.manifest().clone();
        self.check_rules(&old)?;
        let mut groups = Vec::new();
        for arm in &self.study.arms {
            groups.push((arm, arm_files::walk(arm)?));
        }
        let rules = rule_versions(&self.study.rules);
        let same_rules = old.contents.rules == rules;
        // Rows of facts do not rest on user rules: what is kept is tagged by them below.
        let same_families = families(&old.contents.rules) == families(&rules);
        let is_same = |arm: &Arm, groups: &[ArmFiles]| {
            same_families && !self.study.reread && unchanged(&old, self.study, arm, groups)
        };
        let keep: BTreeSet<String> = groups
            .iter()
            .filter(|(arm, groups)| is_same(arm, groups))
            .map(|(arm, _)| arm.name.clone())
            .collect();
        self.ingested.unchanged = keep.iter().cloned().collect();
        if same_rules && self.nothing_to_do(&old, &keep) {
            return Ok((Store::open(self.store.path())?, self.ingested));
        }
        self.keep_rows(&old, &keep)?;
        for (arm, groups) in &groups {
            if !keep.contains(&arm.name) {
                self.read_arm(arm, groups)?;
            }
            self.write_arm(arm)?;
        }
        if let Some(tables) = self.tables.take() {
            self.benchmarks.extend(tables.benchmarks(self.study));
            tables.write(self.study, &mut self.writer, &mut self.contents)?;
        }
        self.write_benchmarks()?;
        self.order_by_arm();
        // Rows that stay were made by the rules of before, and are tagged anew below.
        let mixed = !same_rules
            && self
                .contents
                .inputs
                .iter()
                .any(|input| !input.arm.is_empty() && !self.ingested.read.contains(&input.arm));
        self.contents.rules = if mixed { old.contents.rules } else { rules };
        self.contents.settings.insert("study".to_owned(), self.study.name.clone());
        self.ingested.refused = refusals(&self.contents);
        let store = self.writer.commit(self.contents)?;
        let store = drop_copies(store, self.copies)?;
        let store = if mixed { tag::tag(&store, &self.study.rules, false)?.store } else { store };
        Ok((store, self.ingested))
    }

    /// Rows of arms that stay were made by the user rules of the store: those that come must be too.
    fn check_rules(&self, old: &Manifest) -> Result<(), StepError> {
        let (stored, given) = (user_versions(&old.contents.rules), self.study.rules.versions());
        let in_study = |arm: &str| arm.is_empty() || self.study.arms.iter().any(|known| known.name == arm);
        let stays = old.contents.inputs.iter().any(|input| !in_study(&input.arm));
        if self.extent == Extent::Added && stays && stored != given {
            let names = |versions: &BTreeMap<String, i64>| match versions.is_empty() {
                true => "no user rules".to_owned(),
                false => versions.keys().map(|code| format!("`{code}`")).collect::<Vec<_>>().join(", "),
            };
            return Err(StepError::OtherRules { stored: names(&stored), given: names(&given) });
        }
        Ok(())
    }

    fn nothing_to_do(&self, old: &Manifest, keep: &BTreeSet<String>) -> bool {
        // Inputs of no arm are the study's own tables.
        let of_arms = old.contents.inputs.iter().map(|input| &input.arm).filter(|arm| !arm.is_empty());
        let stored: BTreeSet<&String> = of_arms.collect();
        let all_kept = self.study.arms.iter().all(|arm| keep.contains(&arm.name));
        all_kept
            && (self.extent == Extent::Added || stored.iter().all(|arm| keep.contains(*arm)))
            && self.tables.as_ref().is_none_or(|tables| tables.are_those_of(self.study, &old.contents))
            && old.contents.settings.get("study") == Some(&self.study.name)
            && old.contents.settings.get("order") == Some(&order(self.study))
    }

    /// Inputs and problems come in the order of the arms, as if every arm had been read now; other arms come first.
    fn order_by_arm(&mut self) {
        let arms = &self.study.arms;
        let place = |name: &str| arms.iter().position(|arm| arm.name == name).map_or(0, |place| place + 1);
        self.contents.inputs.sort_by_key(|input| place(&input.arm));
        self.contents.problems.sort_by_key(|noted| place(&noted.arm));
    }

    /// Rows of arms that are not read now stay, those of arms that are read now, or have left, go.
    fn keep_rows(&mut self, old: &Manifest, keep: &BTreeSet<String>) -> Result<(), StepError> {
        let (study, extent) = (self.study, self.extent);
        let in_study = |arm: &str| study.arms.iter().any(|known| known.name == arm);
        let stays = |arm: &str| keep.contains(arm) || (extent == Extent::Added && !in_study(arm));
        let (kept, gone): (Vec<Input>, Vec<Input>) =
            old.contents.inputs.iter().cloned().partition(|input| stays(&input.arm));
        self.writer.remove_trajectories(gone.iter().flat_map(|input| input.trajectories.iter().cloned()));
        // Not by file: a file that could not be opened, and a note about a folder, are no inputs.
        self.contents.problems =
            old.contents.problems.iter().filter(|noted| stays(&noted.arm)).cloned().collect();
        self.contents.settings = old.contents.settings.clone();
        self.contents.settings.retain(|key, _| {
            ["arm ", "roots ", "benchmark "].iter().find_map(|kind| key.strip_prefix(kind)).is_none_or(stays)
        });
        self.contents.settings.insert("order".to_owned(), order(self.study));
        for table in KEYED_BY_ARM {
            self.writer.replace_tables(&[table])?;
            if !kept.is_empty() {
                let frame = self.store.read(table)?;
                let frame = rows_where(frame, "arm", |arm| {
                    // Rows of `arms` are the study's to write.
                    stays(arm) && (table != "arms" || !in_study(arm))
                });
                self.writer.table(table)?.append_frame(&frame)?;
            }
        }
        if !kept.is_empty() {
            self.keep_benchmarks()?;
            self.keep_kinds(stays)?;
            let mut ids: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
            for row in rows_where(self.store.read("outcomes")?, "arm", stays).iter() {
                ids.entry(row.text("arm")?.to_owned())
                    .or_default()
                    .insert(row.text("instance_id")?.to_owned());
            }
            self.spelled = ids.into_values().collect();
        }
        self.contents.inputs = kept;
        Ok(())
    }

    fn keep_benchmarks(&mut self) -> Result<(), StepError> {
        let used: BTreeSet<String> = self
            .contents
            .settings
            .iter()
            .filter(|(key, _)| key.starts_with("benchmark "))
            .map(|(_, name)| name.clone())
            .collect();
        let stored = benchmarks_of(self.store)?;
        let mut of_figures = BTreeSet::new();
        if self.tables.is_none() {
            for row in self.store.read("aggregates")?.iter() {
                of_figures.insert(row.text("benchmark")?.to_owned());
            }
        }
        let stays = |name: &String| used.is_empty() || used.contains(name) || of_figures.contains(name);
        self.benchmarks.extend(stored.into_iter().filter(|(name, _)| stays(name)));
        Ok(())
    }

    fn keep_kinds(&mut self, stays: impl Fn(&str) -> bool) -> Result<(), StepError> {
        for row in rows_where(self.store.read("trajectories")?, "arm", stays).iter() {
            let kind = row.opt_text("task_kind")?.and_then(TaskKind::parse);
            if let Some(kind) = kind.filter(|_| row.opt_text("parent_id").is_ok_and(|id| id.is_none())) {
                count_kind(&mut self.kinds, row.text("benchmark")?, kind);
            }
        }
        Ok(())
    }

    fn read_arm(&mut self, arm: &Arm, groups: &[ArmFiles]) -> Result<(), StepError> {
        let is_known = self.tables.as_ref().is_some_and(|tables| tables.knows(&arm.name));
        if is_known && arm.logs.is_empty() && arm.outcomes.is_none() {
            // Figures are all that there is of it.
            self.contents.settings.insert(format!("arm {}", arm.name), settings_of(self.study, arm));
            return Ok(());
        }
        (self.progress)(&format!("reading {}", arm.name));
        self.ingested.read.push(arm.name.clone());
        let mut runs = 0;
        for files in groups {
            // One a log; a demonstration has none.
            let mut rows: Vec<Option<RunRow>> = Vec::new();
            let writer = &mut self.writer;
            let read = read_arm::read(
                self.study,
                arm,
                files,
                |context, trajectory| {
                    let findings = tag_rows::find(&self.study.rules, context, trajectory);
                    trajectory.patch_state = findings.facts.patch_state;
                    findings
                },
                |benchmark, log, findings: Findings| {
                    let is_run = !is_demonstration(&log.trajectory);
                    rows.push(is_run.then(|| write_one(writer, arm, benchmark, log, &findings)).transpose()?);
                    Ok(())
                },
            )?;
            refuse_conflicts(arm, &read)?;
            runs += read.settled.runs.len();
            self.ingested.trajectories += rows.iter().flatten().count();
            self.finish_group(arm, files, read, rows)?;
        }
        if runs == 0 && !is_known {
            let roots = groups.iter().flat_map(|group| &group.roots);
            let mut roots: Vec<String> = roots.map(|root| format!("`{}`", root.display())).collect();
            roots.extend(self.tables.iter().flat_map(StudyTables::looked_in));
            return Err(StepError::EmptyArm { arm: arm.name.clone(), looked_in: roots.join(", ") });
        }
        self.contents.settings.insert(format!("arm {}", arm.name), settings_of(self.study, arm));
        let roots: Vec<String> =
            groups.iter().flat_map(|group| &group.roots).map(|root| root.display().to_string()).collect();
        self.contents.settings.insert(format!("roots {}", arm.name), roots.join("\n"));
        Ok(())
    }

    /// Keys are settled: rows of `trajectories`, `outcomes` and `tests`.
    fn finish_group(
        &mut self,
        arm: &Arm,
        files: &ArmFiles,
        read: ReadArm,
        rows: Vec<Option<RunRow>>,
    ) -> Result<(), StepError> {
        let mut read = read;
        self.spell_as_before(arm, &mut read);
        let benchmark = read.benchmark.benchmark.clone();
        let ids: Vec<Option<String>> =
            rows.iter().map(|row| row.as_ref().map(|row| row.id.clone())).collect();
        let mut by_file: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (index, row) in rows.into_iter().enumerate() {
            let Some(mut row) = row else { continue };
            by_file.entry(row.file.clone()).or_default().push(row.id.clone());
            let Some(settled) = settle(&mut row, index, &read, &ids) else { continue };
            match settled.fate {
                Fate::Live => {}
                Fate::Copy { .. } => {
                    // Its texts are in the tables already; they go with the commit that follows.
                    self.copies.insert(row.id);
                    continue;
                }
                Fate::Superseded { by } => row.superseded_by = of_head(&read, &ids, by),
            }
            if let Some(kind) = row.head.log.task_kind.filter(|_| row.parent_id.is_none()) {
                count_kind(&mut self.kinds, &benchmark.name, kind);
            }
            write_run(&mut self.writer, &row)?;
        }
        for run in &read.settled.runs {
            let id = run.log.and_then(|head| of_head(&read, &ids, head));
            outcome_rows::write(&mut self.writer, &arm.name, &benchmark.name, run, id.as_deref())?;
        }
        for run in missing_runs(&read) {
            outcome_rows::write(&mut self.writer, &arm.name, &benchmark.name, &run, None)?;
        }
        self.note(arm, files, &read, &by_file);
        self.contents.settings.insert(format!("benchmark {}", arm.name), benchmark.name.clone());
        self.benchmarks.insert(benchmark.name.clone(), benchmark);
        Ok(())
    }

    /// Ids that differ from those of an arm before only by spelling become theirs, so that the arms pair
    /// (`definitions.md` §1, equal ids); each such match is noted.
    fn spell_as_before(&mut self, arm: &Arm, read: &mut ReadArm) {
        let ids: BTreeSet<String> = read.settled.runs.iter().map(|run| run.instance_id.clone()).collect();
        self.spelled.push(ids);
        let changed = outcomes::common_spelling(&self.spelled).pop().unwrap_or_default();
        if changed.is_empty() {
            return;
        }
        for id in read
            .settled
            .runs
            .iter_mut()
            .map(|run| &mut run.instance_id)
            .chain(read.settled.logs.iter_mut().map(|log| &mut log.instance_id))
            .chain(read.settled.short_instances.iter_mut().map(|short| &mut short.0))
        {
            if let Some(spelling) = changed.get(id) {
                id.clone_from(spelling);
            }
        }
        read.problems.push(Problem::new(
            Weight::Note,
            "",
            format!(
                "{} instance ids of arm `{}` match those of an arm before only by spelling",
                changed.len(),
                arm.name
            ),
        ));
        if let Some(last) = self.spelled.last_mut() {
            *last = read.settled.runs.iter().map(|run| run.instance_id.clone()).collect();
        }
    }

    /// Inputs and problems for the manifest.
    fn note(&mut self, arm: &Arm, files: &ArmFiles, read: &ReadArm, by_file: &BTreeMap<String, Vec<String>>) {
        self.contents.inputs.extend(read.seen.iter().map(|seen| input(arm, seen, by_file.get(&seen.shown))));
        let archives =
            files.files.iter().chain(&files.parents).filter(|file| file.source.kind == SourceKind::Archive);
        for archive in archives {
            self.contents.inputs.push(Input {
                path: archive.shown.clone(),
                arm: arm.name.clone(),
                read_as: "archive".to_owned(),
                bytes: archive.source.size,
                modified_ms: archive.source.modified,
                digest: String::new(),
                trajectories: Vec::new(),
                parts: Vec::new(),
            });
        }
        self.contents.problems.extend(read.problems.iter().map(|problem| Noted::of(&arm.name, problem)));
        for (ending, count) in &read.unclaimed {
            self.contents.problems.push(Noted {
                arm: arm.name.clone(),
                file: files.roots.first().map(|root| root.display().to_string()).unwrap_or_default(),
                place: String::new(),
                what: format!("{count} files `{ending}` that no format or outcome shape claims"),
                weight: Weight::Note.as_str().to_owned(),
            });
        }
        for copy in read.settled.logs.iter().enumerate().filter_map(|(index, log)| match log.fate {
            Fate::Copy { of } => Some((index, of)),
            _ => None,
        }) {
            let name = |index: usize| read.heads.get(index).map(|head| head.file.clone()).unwrap_or_default();
            self.contents.problems.push(Noted {
                arm: arm.name.clone(),
                file: name(copy.0),
                place: String::new(),
                what: format!("a byte-equal copy of `{}`: dropped", name(copy.1)),
                weight: Weight::Repaired.as_str().to_owned(),
            });
        }
    }

    fn write_arm(&mut self, arm: &Arm) -> Result<(), StepError> {
        self.writer
            .table("arms")?
            .row()
            .text("arm", &arm.name)
            .opt_text("role", arm.role.map(role_name))
            .text("system", arm.system.as_deref().unwrap_or(&arm.name))
            .count("prefix_turns", arm.prefix_turns)
            .done()?;
        Ok(())
    }

    fn write_benchmarks(&mut self) -> Result<(), StepError> {
        self.writer.replace_tables(&["benchmarks"])?;
        let table = self.writer.table("benchmarks")?;
        for benchmark in self.benchmarks.values() {
            // The first of several with the same number, in the order of the kinds.
            let counted = self.kinds.get(&benchmark.name).into_iter().flatten();
            let kind =
                counted.rev().max_by_key(|(_, count)| **count).map_or(benchmark.kind, |(kind, _)| *kind);
            table
                .row()
                .text("benchmark", &benchmark.name)
                .opt_text("version", benchmark.version.as_deref())
                .text("family", &benchmark.family)
                .text("kind", kind.as_str())
                .opt_text("id_pattern", benchmark.id_pattern.as_deref())
                .opt_int("n", benchmark.n)
                .opt_time("released", benchmark.released)
                .opt_text("harness", benchmark.harness.as_deref())
                .text("policy", &benchmark.policy)
                .done()?;
        }
        Ok(())
    }
}

/// The word of a role in the store.
pub fn role_name(role: Role) -> &'static str {
    match role {
        Role::Base => "base",
        Role::Trained => "trained",
        Role::Other => "other",
        Role::Public => "public",
    }
}

/// Order of arms, roles and pairs: what a report depends on beside the rows.
fn order(study: &Study) -> String {
    let arms: Vec<String> =
        study.arms.iter().map(|arm| format!("{}:{}", arm.name, arm.role.map_or("", role_name))).collect();
    arms.join(",")
}

fn input(arm: &Arm, seen: &Seen, trajectories: Option<&Vec<String>>) -> Input {
    Input {
        path: seen.shown.clone(),
        arm: arm.name.clone(),
        read_as: seen.read_as.unwrap_or("nothing").to_owned(),
        bytes: seen.bytes,
        modified_ms: seen.modified,
        digest: seen.digest.map(|digest| digest.to_hex().to_string()).unwrap_or_default(),
        trajectories: trajectories.cloned().unwrap_or_default(),
        parts: seen.parts.clone(),
    }
}

fn count_kind(kinds: &mut BTreeMap<String, BTreeMap<TaskKind, usize>>, benchmark: &str, kind: TaskKind) {
    *kinds.entry(benchmark.to_owned()).or_default().entry(kind).or_default() += 1;
}

/// Number of problems that weigh as refusals.
pub fn refusals(contents: &Contents) -> usize {
    contents.problems.iter().filter(|noted| noted.weight == Weight::Refused.as_str()).count()
}

/// Runs that the design asks for (`--expect-runs`) and that nothing names: they count as unscored
/// (`statistics.md` §1, missing), under the numbers that the instance's runs leave free.
fn missing_runs(read: &ReadArm) -> Vec<SettledRun> {
    let mut found = Vec::new();
    for (instance_id, missing) in &read.settled.short_instances {
        let runs = read.settled.runs.iter().filter(|run| run.instance_id == *instance_id);
        let used: BTreeSet<i64> = runs.map(|run| run.run).collect();
        let free =
            (0..).filter(|run| !used.contains(run)).take(usize::try_from(*missing).unwrap_or_default());
        found.extend(free.map(|run| SettledRun {
            instance_id: instance_id.clone(),
            run,
            run_source: RunSource::Rank,
            log: None,
            verdict: Verdict::unscored(UnscoredReason::Incomplete),
            source: None,
        }));
    }
    found
}

fn refuse_conflicts(arm: &Arm, read: &ReadArm) -> Result<(), StepError> {
    if read.settled.conflicts.is_empty() {
        return Ok(());
    }
    let list: Vec<String> = read
        .settled
        .conflicts
        .iter()
        .map(|conflict| {
            let files: Vec<String> = conflict
                .logs
                .iter()
                .filter_map(|log| Some(format!("`{}`", read.heads.get(*log)?.file)))
                .collect();
            format!("{} run {} ({})", conflict.instance_id, conflict.run, files.join(", "))
        })
        .collect();
    Err(StepError::Conflicts { arm: arm.name.clone(), list: list.join("; ") })
}

/// Rows of a frame whose text column passes.
fn rows_where(mut frame: Frame, column: &str, passes: impl Fn(&str) -> bool) -> Frame {
    let Some(position) = frame.position(column) else { return frame };
    frame.rows.retain(|row| match row.get(position) {
        Some(crate::store::Value::Text(text)) => passes(text),
        _ => true,
    });
    frame
}

/// Byte-equal copies leave the tables that were written while they were read.
fn drop_copies(store: Store, copies: BTreeSet<String>) -> Result<Store, StepError> {
    if copies.is_empty() {
        return Ok(store);
    }
    let mut writer = store.writer()?;
    let contents = writer.manifest().contents.clone();
    writer.remove_trajectories(copies);
    Ok(writer.commit(contents)?)
}
