//! Rules with stars: each prepared for matching, and found without trying every one.

use std::collections::HashMap;

use memchr::memmem::Finder;

/// Better rules have lower ranks.
pub(super) type Rank = u32;

pub(super) const NO_RANK: Rank = Rank::MAX;

/// Number of rules from which an index by content is faster than trying each rule.
const MANY: usize = 128;

/// What must follow a prefix, prepared for matching.
#[derive(Debug)]
struct Wild {
    parts: Vec<Finder<'static>>,
    last: Option<Vec<u8>>,
    /// The bytes that must occur, as bits.
    needs: u128,
    /// Length of the shortest text that matches.
    shortest: usize,
}

impl Wild {
    fn new(parts: &[Vec<u8>], is_anchored: bool) -> Self {
        let (last, middle) = match parts.split_last() {
            Some((last, middle)) if is_anchored => (Some(last.clone()), middle),
            _ => (None, parts),
        };
        Wild {
            needs: parts.iter().map(|part| bytes_in(part)).fold(0, |all, bits| all | bits),
            shortest: parts.iter().map(Vec::len).sum(),
            parts: middle.iter().map(|part| Finder::new(part).into_owned()).collect(),
            last,
        }
    }

    /// Returns whether `rest`, the text after the prefix, matches; `bytes` are those that occur in the whole path.
    fn matches(&self, rest: &[u8], bytes: u128) -> bool {
        self.needs & !bytes == 0 && self.shortest <= rest.len() && self.finds(rest)
    }

    /// Leftmost matches suffice, because only `*` separates the parts.
    fn finds(&self, mut rest: &[u8]) -> bool {
        #[cfg(test)]
        TRIED.with(|tried| tried.set(tried.get() + 1));
        for part in &self.parts {
            match part.find(rest) {
                Some(at) => rest = &rest[at + part.needle().len()..],
                None => return false,
            }
        }
        self.last.as_ref().is_none_or(|last| rest.ends_with(last))
    }
}

#[cfg(test)]
thread_local! {
    /// How many rules were compared part by part.
    pub(super) static TRIED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Returns which bytes occur in a path in its normal form, which is ASCII.
#[inline]
pub(super) fn bytes_in(path: &[u8]) -> u128 {
    path.iter().fold(0, |bits, byte| bits | 1 << (byte & 0x7F))
}

/// The rules with stars that share a prefix, best first.
#[derive(Debug, Default)]
pub(super) struct Wilds {
    rules: Vec<(Rank, Wild)>,
    /// The rules that contain a piece of text, each rule under its rarest piece; `None` if there are few rules.
    by_piece: Option<HashMap<Piece, Vec<u32>>>,
}

/// One to three bytes of a part, and their number.
type Piece = [u8; 4];

fn pieces(text: &[u8], length: usize) -> impl Iterator<Item = Piece> {
    text.windows(length).map(move |window| {
        let mut piece = [0, 0, 0, length as u8];
        piece[..length].copy_from_slice(window);
        piece
    })
}

impl Wilds {
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Adds a rule that is worse than those before it.
    pub fn push(&mut self, rank: Rank, parts: &[Vec<u8>], is_anchored: bool) {
        self.rules.push((rank, Wild::new(parts, is_anchored)));
    }

    /// Builds the index; `parts_of` returns the parts of a rule.
    pub fn index<'a>(&mut self, parts_of: impl Fn(Rank) -> &'a [Vec<u8>]) {
        if self.rules.len() < MANY {
            return;
        }
        let own = |rank: Rank| {
            let parts = parts_of(rank);
            let length = parts.iter().map(Vec::len).max().unwrap_or(0).min(3);
            parts.iter().flat_map(move |part| pieces(part, length))
        };
        let mut counts: HashMap<Piece, u32> = HashMap::new();
        for (rank, _) in &self.rules {
            own(*rank).for_each(|piece| *counts.entry(piece).or_default() += 1);
        }
        let mut by_piece: HashMap<Piece, Vec<u32>> = HashMap::new();
        for (number, (rank, _)) in self.rules.iter().enumerate() {
            if let Some(rarest) = own(*rank).min_by_key(|piece| counts[piece]) {
                by_piece.entry(rarest).or_default().push(number as u32);
            }
        }
        self.by_piece = Some(by_piece);
    }

    /// Returns the best matching rule that is better than `best`.
    pub fn best(&self, rest: &[u8], bytes: u128, best: Rank) -> Rank {
        let found = match &self.by_piece {
            None => self
                .rules
                .iter()
                .take_while(|(rank, _)| *rank < best)
                .find(|(_, wild)| wild.matches(rest, bytes)),
            Some(by_piece) => {
                let mut seen: Vec<Piece> = (1..=3).flat_map(|length| pieces(rest, length)).collect();
                seen.sort_unstable();
                seen.dedup();
                let rules = seen.iter().filter_map(|piece| by_piece.get(piece)).flatten();
                rules
                    .map(|&number| &self.rules[number as usize])
                    .filter(|(rank, wild)| *rank < best && wild.matches(rest, bytes))
                    .min_by_key(|(rank, _)| *rank)
            }
        };
        found.map_or(NO_RANK, |(rank, _)| *rank)
    }
}
