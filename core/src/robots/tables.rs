//! The tables of a robots.txt: its rules, its `Sitemap:` lines, and the listed URLs that it blocks.
//!
//! `src/urlset/tables.py` is the contract for names, types and units; a test checks these schemas against it.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Int32Type};
use arrow_array::{Array, BooleanArray, PrimitiveArray, RecordBatch, StringArray};
use arrow_schema::ArrowError;

use super::ruleset::{Decision, Dialect, RuleSet};
use super::{AgentLine, OWN_PATH, Origin, Robots, RobotsProblem, Rule, target, usual_port};
use crate::limits::{MAX_FORBIDDEN_PATTERN, MAX_ROBOTS_ROWS, MAX_ROBOTS_TEXT};
use crate::read::column::{Int32Column, TextColumn, repeated};
use crate::read::value_columns::{Columns, LocColumns, Value};
use crate::read::window;

/// Maximum rows per batch of `forbidden`.
const BATCH_ROWS: usize = 64 * 1024;
/// Maximum bytes of patterns per batch.
const BATCH_BYTES: usize = 16 * 1024 * 1024;

/// A crawler to evaluate the rules for.
#[derive(Clone, Debug)]
pub struct Agent {
    pub name: String,
    /// Its product token, and those whose groups it follows if it has none of its own.
    pub product_tokens: Vec<String>,
    pub dialect: Dialect,
}

/// Returns an empty table for each one built here, by name.
pub fn empty_tables() -> Result<[(&'static str, RecordBatch); 4], ArrowError> {
    let robots = Robots::default();
    Ok([
        ("robots", robots.rules_table(0)?),
        ("sitemap_lines", robots.sitemap_table(0)?),
        ("robots_extensions", robots.extension_table(0)?),
        ("blocked_urls", Forbidden::default().finish(0)?),
    ])
}

impl Robots {
    /// Builds the table `robots`: one row per user agent and rule, in file order; a group without rules has one row per
    /// user agent.
    pub fn rules_table(&self, document_id: i32) -> Result<RecordBatch, ArrowError> {
        let (mut agents, mut patterns) = (TextColumn::default(), TextColumn::default());
        let (mut lines, mut cols) = (Int32Column::default(), Int32Column::default());
        let mut ordinals = Int32Column::default();
        let mut allows: Vec<Option<bool>> = Vec::new();
        for (row, (agent, rule)) in self.pairs_kept().enumerate() {
            let place = rule.map_or(agent.place, |rule| rule.place);
            ordinals.put(row, row as i32);
            lines.put(row, place.line);
            cols.put(row, place.col);
            agents.put(row, &agent.value);
            allows.push(rule.map(|rule| rule.allow));
            patterns.put_option(row, rule.map(|rule| rule.pattern.as_str()));
        }
        let rows = allows.len();
        let mut columns = Columns::default();
        columns.push("document_id", repeated(document_id, rows));
        columns.push("ordinal", ordinals.finish(rows));
        columns.push("line", lines.finish(rows));
        columns.push("col", cols.finish(rows));
        columns.push("agent", agents.finish(rows));
        columns.push("allow", Arc::new(BooleanArray::from(allows)));
        columns.push("pattern", patterns.finish(rows));
        columns.finish()
    }

    /// Returns the pairs of user agent and rule that fit into the table `robots`.
    pub(super) fn pairs_kept(&self) -> impl Iterator<Item = (&AgentLine, Option<&Rule>)> {
        let pairs = self.groups.iter().flat_map(|group| {
            let rules = group.rules.iter().map(Some);
            let none = group.rules.is_empty().then_some(None);
            rules
                .chain(none)
                .flat_map(move |rule| group.agents.iter().map(move |agent| (agent, rule)))
        });
        let mut text = 0;
        pairs.take(MAX_ROBOTS_ROWS).take_while(move |(agent, rule)| {
            text += agent.value.len() + rule.map_or(0, |rule| rule.pattern.len());
            text <= MAX_ROBOTS_TEXT
        })
    }

    /// Builds the table `sitemap_lines`.
    pub fn sitemap_table(&self, document_id: i32) -> Result<RecordBatch, ArrowError> {
        let (mut keys, mut values) = (TextColumn::default(), TextColumn::default());
        let (mut lines, mut cols) = (Int32Column::default(), Int32Column::default());
        let mut ordinals = Int32Column::default();
        let mut locs = LocColumns::default();
        let mut problems = TextColumn::default();
        let rows = self.sitemaps.len();
        for (row, sitemap) in self.sitemaps.iter().enumerate() {
            ordinals.put(row, row as i32);
            lines.put(row, sitemap.place.line);
            cols.put(row, sitemap.place.col);
            keys.put(row, &sitemap.key);
            values.put(row, &sitemap.value);
            problems.put_option(row, sitemap.problem.map(RobotsProblem::name));
            let place = window::Place {
                line: sitemap.value_place.line,
                col: sitemap.value_place.col,
                byte_offset: 0,
            };
            locs.put(
                row,
                Some(Value {
                    text: &sitemap.loc,
                    place: Some(place),
                }),
            );
        }
        let relative = self.sitemaps.iter().map(|sitemap| Some(sitemap.is_relative));
        let mut columns = Columns::default();
        columns.push("document_id", repeated(document_id, rows));
        columns.push("ordinal", ordinals.finish(rows));
        columns.push("line", lines.finish(rows));
        columns.push("col", cols.finish(rows));
        columns.push("key", keys.finish(rows));
        columns.push("value", values.finish(rows));
        locs.finish(rows, &mut columns);
        columns.push("is_relative", Arc::new(relative.collect::<BooleanArray>()));
        columns.push("line_problem", problems.finish(rows));
        columns.finish()
    }

    /// Builds the table `robots_extensions`.
    pub fn extension_table(&self, document_id: i32) -> Result<RecordBatch, ArrowError> {
        let (mut keys, mut values) = (TextColumn::default(), TextColumn::default());
        let (mut problems, mut evidences) = (TextColumn::default(), TextColumn::default());
        let (mut lines, mut cols) = (Int32Column::default(), Int32Column::default());
        let (mut ordinals, mut groups) = (Int32Column::default(), Int32Column::default());
        let mut signals: [Vec<Option<bool>>; 3] = Default::default();
        let mut uses = TextColumn::default();
        let rows = self.extensions.len();
        for (row, line) in self.extensions.iter().enumerate() {
            let problem = line.problem.as_ref();
            ordinals.put(row, row as i32);
            lines.put(row, line.place.line);
            cols.put(row, line.place.col);
            keys.put(row, line.key.name());
            values.put(row, &line.value);
            let group = line.group.and_then(|group| self.groups[group].agents.first());
            groups.put_option(row, group.map(|agent| agent.place.line));
            let [allowed @ .., content_use] = line.signals;
            for (column, value) in signals.iter_mut().zip(allowed) {
                column.push(value.map(|value| value == "yes"));
            }
            uses.put_option(row, content_use);
            problems.put_option(row, problem.map(|(kind, _)| kind.name()));
            evidences.put_option(row, problem.map(|(_, part)| part.as_str()));
        }
        let mut columns = Columns::default();
        columns.push("document_id", repeated(document_id, rows));
        columns.push("ordinal", ordinals.finish(rows));
        columns.push("line", lines.finish(rows));
        columns.push("col", cols.finish(rows));
        columns.push("key", keys.finish(rows));
        columns.push("value", values.finish(rows));
        columns.push("group_line", groups.finish(rows));
        for (name, column) in ["search", "ai_input", "ai_train"].into_iter().zip(signals) {
            columns.push(name, Arc::new(BooleanArray::from(column)));
        }
        columns.push("content_use", uses.finish(rows));
        columns.push("problem", problems.finish(rows));
        columns.push("evidence", evidences.finish(rows));
        columns.finish()
    }

    /// Builds the table `forbidden`: one row for each entry and user agent that a rule blocks.
    ///
    /// `urls` are batches of the table `urls` or `children`. Entries of an origin other than that of this robots.txt,
    /// if it is known, are skipped: the file does not apply to them.
    pub fn forbidden(
        &self,
        urls: &[RecordBatch],
        agents: &[Agent],
        robots_id: i32,
    ) -> Result<Vec<RecordBatch>, ArrowError> {
        let asked = Asked::new(self, agents);
        let mut tables = vec![Forbidden::default().finish(robots_id)?];
        let workers = std::thread::available_parallelism().map_or(1, usize::from).min(4);
        let share = urls.len().div_ceil(workers).max(1);
        let parts: Vec<Result<Vec<RecordBatch>, ArrowError>> = std::thread::scope(|scope| {
            let workers: Vec<_> = urls
                .chunks(share)
                .map(|batches| scope.spawn(|| self.forbidden_in(batches, &asked, robots_id)))
                .collect();
            workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        for part in parts {
            tables.extend(part?);
        }
        Ok(tables)
    }

    fn forbidden_in(
        &self,
        batches: &[RecordBatch],
        asked: &Asked,
        robots_id: i32,
    ) -> Result<Vec<RecordBatch>, ArrowError> {
        let mut done = Vec::new();
        let mut table = Forbidden::default();
        let mut decisions = vec![None; asked.sets.len()];
        self.each_listed(batches, |entries, row, path| {
            if *path == *OWN_PATH {
                return Ok(());
            }
            for (decision, set) in decisions.iter_mut().zip(&asked.sets) {
                *decision = set.deciding(path).filter(|decision| !self.rule(*decision).allow);
            }
            for (position, (agent, set)) in asked.agents.iter().enumerate() {
                let decided = set.and_then(|set| decisions[set]);
                if let Some(decision) = decided {
                    table.push(entries, row, position, &agent.name, self.rule(decision));
                }
            }
            if table.is_full() {
                done.push(std::mem::take(&mut table).finish(robots_id)?);
            }
            Ok(())
        })?;
        if table.rows > 0 {
            done.push(table.finish(robots_id)?);
        }
        Ok(done)
    }

    /// Iterates over the entries that this robots.txt applies to: the entry, and its path in the form that rules are
    /// compared with.
    pub(super) fn each_listed(
        &self,
        batches: &[RecordBatch],
        mut take: impl FnMut(&Entries, usize, &[u8]) -> Result<(), ArrowError>,
    ) -> Result<(), ArrowError> {
        for batch in batches {
            let entries = Entries::of(batch)?;
            for row in 0..batch.num_rows() {
                if entries.loc.is_null(row) || !entries.is_of(self.origin.as_ref(), row) {
                    continue;
                }
                if let Some(target) = target(entries.loc.value(row)) {
                    take(&entries, row, &target.normalized())?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn rule(&self, decision: Decision) -> &Rule {
        let (group, rule) = decision.rule;
        &self.groups[group].rules[rule]
    }
}

/// The crawlers to evaluate, and each set of rules once, however many crawlers it applies to.
pub(super) struct Asked<'a> {
    pub(super) agents: Vec<(&'a Agent, Option<usize>)>,
    pub(super) sets: Vec<Arc<RuleSet>>,
}

impl<'a> Asked<'a> {
    pub(super) fn new(robots: &Robots, agents: &'a [Agent]) -> Self {
        let mut sets: Vec<Arc<RuleSet>> = Vec::new();
        let agents = agents
            .iter()
            .map(|agent| {
                let product_tokens: Vec<&str> = agent.product_tokens.iter().map(String::as_str).collect();
                let number = robots.rules_for(&product_tokens, agent.dialect).map(|rules| {
                    let known = sets.iter().position(|set| Arc::ptr_eq(set, &rules));
                    known.unwrap_or_else(|| {
                        sets.push(rules);
                        sets.len() - 1
                    })
                });
                (agent, number)
            })
            .collect();
        Asked { agents, sets }
    }
}

/// The columns of `urls` that are needed.
pub(super) struct Entries<'a> {
    document_id: &'a PrimitiveArray<Int32Type>,
    ordinal: &'a PrimitiveArray<Int32Type>,
    line: &'a PrimitiveArray<Int32Type>,
    col: &'a PrimitiveArray<Int32Type>,
    loc_line: &'a PrimitiveArray<Int32Type>,
    loc_col: &'a PrimitiveArray<Int32Type>,
    port: &'a PrimitiveArray<Int32Type>,
    loc: &'a StringArray,
    scheme: &'a StringArray,
    host: &'a StringArray,
}

impl<'a> Entries<'a> {
    fn of(batch: &'a RecordBatch) -> Result<Self, ArrowError> {
        let int = |name| typed(batch, name, |array| array.as_primitive_opt::<Int32Type>());
        let text = |name| typed(batch, name, |array| array.as_string_opt::<i32>());
        Ok(Entries {
            document_id: int("document_id")?,
            ordinal: int("ordinal")?,
            line: int("line")?,
            col: int("col")?,
            loc_line: int("loc_line")?,
            loc_col: int("loc_col")?,
            port: int("port")?,
            loc: text("loc")?,
            scheme: text("scheme")?,
            host: text("host")?,
        })
    }

    fn is_of(&self, origin: Option<&Origin>, row: usize) -> bool {
        let Some(origin) = origin else { return true };
        if self.host.is_null(row) || self.scheme.is_null(row) {
            return false;
        }
        let scheme = self.scheme.value(row);
        let port = match get(self.port, row) {
            Some(port) => Some(port),
            None => usual_port(scheme).map(i32::from),
        };
        self.host.value(row) == origin.host && scheme == origin.scheme && port == Some(i32::from(origin.port))
    }
}

fn typed<'a, A>(
    batch: &'a RecordBatch,
    name: &str,
    cast: impl Fn(&'a dyn Array) -> Option<&'a A>,
) -> Result<&'a A, ArrowError> {
    batch
        .column_by_name(name)
        .and_then(|array| cast(array.as_ref()))
        .ok_or_else(|| ArrowError::SchemaError(format!("a table of entries has a column {name}")))
}

fn get<T: ArrowPrimitiveType>(array: &PrimitiveArray<T>, row: usize) -> Option<T::Native> {
    array.is_valid(row).then(|| array.value(row))
}

/// Rows of `forbidden` under construction.
#[derive(Default)]
struct Forbidden {
    rows: usize,
    document_id: Int32Column,
    ordinal: Int32Column,
    position: Int32Column,
    line: Int32Column,
    col: Int32Column,
    agent: TextColumn,
    robots_line: Int32Column,
    pattern: TextColumn,
}

impl Forbidden {
    fn push(&mut self, entries: &Entries, row: usize, position: usize, agent: &str, rule: &Rule) {
        let at = self.rows;
        let mut end = rule.pattern.len().min(MAX_FORBIDDEN_PATTERN);
        while !rule.pattern.is_char_boundary(end) {
            end -= 1;
        }
        let line = get(entries.loc_line, row).or_else(|| get(entries.line, row));
        let col = get(entries.loc_col, row).or_else(|| get(entries.col, row));
        self.document_id.put_option(at, get(entries.document_id, row));
        self.ordinal.put_option(at, get(entries.ordinal, row));
        self.position.put(at, position as i32);
        self.line.put_option(at, line);
        self.col.put_option(at, col);
        self.agent.put(at, agent);
        self.robots_line.put(at, rule.place.line);
        self.pattern.put(at, &rule.pattern[..end]);
        self.rows += 1;
    }

    fn is_full(&self) -> bool {
        self.rows >= BATCH_ROWS || self.pattern.size() >= BATCH_BYTES
    }

    fn finish(mut self, robots_id: i32) -> Result<RecordBatch, ArrowError> {
        let rows = self.rows;
        let mut columns = Columns::default();
        columns.push("document_id", self.document_id.finish(rows));
        columns.push("ordinal", self.ordinal.finish(rows));
        columns.push("position", self.position.finish(rows));
        columns.push("line", self.line.finish(rows));
        columns.push("col", self.col.finish(rows));
        columns.push("agent", self.agent.finish(rows));
        columns.push("robots_id", repeated(robots_id, rows));
        columns.push("robots_line", self.robots_line.finish(rows));
        columns.push("pattern", self.pattern.finish(rows));
        columns.finish()
    }
}
