//! The anomalies of one document: counted exactly, stored in limited number.

use std::borrow::Cow;

use crate::anomaly::{Anomaly, AnomalyKind, evidence};
use crate::decode::DecodeAnomaly;
use crate::limits::MAX_ANOMALIES_PER_KIND;
use crate::read::window::Place;

pub struct Notes {
    /// Rows not yet returned.
    rows: Vec<Anomaly>,
    counts: Vec<i64>,
    well_formed: bool,
    /// Counts before the rows that are stored now: those before a token, if rows are taken after each token.
    before: Vec<i64>,
    /// Maximum rows stored per kind.
    most: i64,
    /// The entry being read, for anomalies inside it.
    pub ordinal: Option<i32>,
}

impl Notes {
    pub fn new() -> Self {
        Self {
            rows: Vec::new(),
            counts: vec![0; AnomalyKind::ALL.len()],
            before: vec![0; AnomalyKind::ALL.len()],
            well_formed: true,
            most: MAX_ANOMALIES_PER_KIND,
            ordinal: None,
        }
    }

    /// Notes an anomaly at a position in the text. Its evidence is made printable and short.
    #[cold]
    pub fn add(&mut self, kind: AnomalyKind, place: Place, field: Option<Cow<'static, str>>, seen: &str) {
        self.well_formed &= !kind.breaks_xml();
        self.keep(kind, Some(place), place.byte_offset, field, seen);
    }

    /// Same as `add`, for an anomaly that usually breaks XML, but not here, because the document may declare the entity
    /// elsewhere.
    #[cold]
    pub fn add_forgiven(&mut self, kind: AnomalyKind, place: Place, field: Option<Cow<'static, str>>, seen: &str) {
        self.keep(kind, Some(place), place.byte_offset, field, seen);
    }

    /// Notes an anomaly of the decoder, which knows best whether it breaks XML and how many occurrences it represents.
    #[cold]
    pub fn add_decoded(&mut self, anomaly: &DecodeAnomaly, place: Option<Place>) {
        self.well_formed &= !anomaly.breaks_xml;
        self.counts[anomaly.kind as usize] += anomaly.count - 1;
        self.keep(anomaly.kind, place, anomaly.byte_offset, None, &anomaly.evidence);
    }

    fn keep(
        &mut self,
        kind: AnomalyKind,
        place: Option<Place>,
        byte_offset: i64,
        field: Option<Cow<'static, str>>,
        seen: &str,
    ) {
        self.counts[kind as usize] += 1;
        if self.counts[kind as usize] - self.before[kind as usize] > self.most {
            return;
        }
        self.rows.push(Anomaly {
            kind,
            ordinal: self.ordinal,
            field,
            line: place.map(|place| place.line),
            col: place.map(|place| place.col),
            byte_offset,
            evidence: evidence(seen),
            count: 1,
        });
    }

    /// Notes an anomaly of an entry other than the one being read.
    #[cold]
    pub fn add_for(&mut self, ordinal: i32, kind: AnomalyKind, place: Place, field: &'static str, seen: &str) {
        let current = self.ordinal.replace(ordinal);
        self.add(kind, place, Some(field.into()), seen);
        self.ordinal = current;
    }

    /// Assigns all anomalies from index `since` on to the entry being read now.
    #[cold]
    pub fn claim(&mut self, since: usize) {
        for row in self.rows.iter_mut().skip(since) {
            row.ordinal = self.ordinal;
        }
    }

    /// Returns the rows noted since the last call.
    pub fn take(&mut self) -> Vec<Anomaly> {
        std::mem::take(&mut self.rows)
    }

    /// Returns the rows noted for one token, if rows are taken after each token: the limit per kind starts over, and
    /// one more row counts the rest of a kind.
    pub fn take_token(&mut self) -> Vec<Anomaly> {
        if self.rows.is_empty() {
            return Vec::new();
        }
        for &kind in AnomalyKind::ALL {
            let index = kind as usize;
            let rest = self.counts[index] - self.before[index] - self.most;
            self.before[index] = self.counts[index];
            if rest > 0 {
                self.rows.push(rest_of(kind, rest));
            }
        }
        self.take()
    }

    /// Returns how often a kind was noted, with or without a row.
    pub fn count(&self, kind: AnomalyKind) -> i64 {
        self.counts[kind as usize]
    }

    pub fn pending(&self) -> usize {
        self.rows.len()
    }

    /// Called at the end: returns one more row for each kind with more anomalies than stored rows, which counts the
    /// rest.
    pub fn take_rest(&mut self) -> Vec<Anomaly> {
        AnomalyKind::ALL
            .iter()
            .filter_map(|&kind| {
                let rest = self.counts[kind as usize].saturating_sub(self.most);
                (rest > 0).then(|| rest_of(kind, rest))
            })
            .collect()
    }

    pub fn well_formed(&self) -> bool {
        self.well_formed
    }
}

/// Builds the row that represents all anomalies of a kind without a row of their own.
fn rest_of(kind: AnomalyKind, rest: i64) -> Anomaly {
    Anomaly {
        kind,
        ordinal: None,
        field: None,
        line: None,
        col: None,
        byte_offset: i64::MAX,
        evidence: format!("… and {rest} more"),
        count: rest,
    }
}
