//! Counts the requests of crawlers, by URL and by day and section, until they are taken as tables.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use arrow_array::builder::{Int32Builder, Int64Builder, ListBuilder, StringBuilder, TimestampMicrosecondBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::ArrowError;

use super::crawler::Verdict;
use crate::read::value_columns::Columns;
use crate::value::whatwg_url;

const DAY: i64 = 86_400_000_000;
/// Approximate memory of a row apart from its text, in bytes.
const ROW: usize = 200;
/// The same of a day of a URL.
const OF_DAY: usize = 64;

/// One request of a crawler.
pub struct Hit<'a> {
    /// The URL, and the length of its scheme and host.
    pub url: &'a [u8],
    pub site: usize,
    pub crawler: usize,
    pub verdict: Verdict,
    pub at: i64,
    pub status: Option<u16>,
    pub bytes: Option<i64>,
    pub is_document: bool,
}

#[derive(Default)]
struct Counts {
    first: i64,
    last: i64,
    hits: i64,
    bytes: Option<i64>,
    statuses: Vec<(u16, i64)>,
    /// Of verified requests for a URL, by the start of their day: all, and those that got 2xx or 304.
    days: BTreeMap<i64, (i64, i64)>,
}

impl Counts {
    /// Counts a request, and returns the memory that its day takes.
    fn add(&mut self, hit: &Hit, by_day: bool) -> usize {
        (self.first, self.last) = match self.hits {
            0 => (hit.at, hit.at),
            _ => (self.first.min(hit.at), self.last.max(hit.at)),
        };
        self.hits += 1;
        if let Some(bytes) = hit.bytes {
            self.bytes = Some(self.bytes.unwrap_or(0).saturating_add(bytes));
        }
        if let Some(status) = hit.status {
            match self.statuses.binary_search_by_key(&status, |(known, _)| *known) {
                Ok(place) => self.statuses[place].1 += 1,
                Err(place) => self.statuses.insert(place, (status, 1)),
            }
        }
        if !by_day {
            return 0;
        }
        let known = self.days.len();
        let (hits, good) = self.days.entry(hit.at.div_euclid(DAY) * DAY).or_default();
        *hits += 1;
        *good += i64::from(hit.status.is_some_and(|status| status / 100 == 2 || status == 304));
        (self.days.len() - known) * OF_DAY
    }
}

/// Counts by a key: the length of the site in two bytes, and then the site with a path.
type Map = HashMap<Box<[u8]>, Counts>;
/// The site, what follows it, the crawler, the verdict, and what was counted.
type Row<'a> = (&'a str, &'a str, usize, Verdict, &'a Counts);

struct Fetch {
    site: usize,
    document: Box<str>,
    crawler: usize,
    verdict: Verdict,
    at: i64,
    status: Option<u16>,
}

#[derive(Default)]
pub struct Tally {
    /// By crawler and verdict; see `place_of`.
    urls: Vec<Map>,
    /// By the same, and the day.
    days: HashMap<(usize, i64), Map>,
    fetches: Vec<Fetch>,
    key: Vec<u8>,
    /// Approximate memory, in bytes.
    pub weight: usize,
}

impl Tally {
    pub fn add(&mut self, hit: &Hit) {
        let place = place_of(hit.crawler, hit.verdict);
        if place >= self.urls.len() {
            self.urls.resize_with(place + 1, Map::default);
        }
        let is_verified = hit.verdict == Verdict::Verified;
        self.weight += count(&mut self.urls[place], &mut self.key, hit, hit.url, is_verified);
        let days = self.days.entry((place, hit.at.div_euclid(DAY))).or_default();
        let end = hit.site + section(&hit.url[hit.site..]);
        // Of `/` and of a path without a folder, the section is `/`.
        self.weight += count(days, &mut self.key, hit, &hit.url[..end], false);
        if hit.is_document {
            self.weight += hit.url.len() + ROW;
            self.fetches.push(Fetch {
                site: hit.site,
                document: String::from_utf8_lossy(hit.url).into(),
                crawler: hit.crawler,
                verdict: hit.verdict,
                at: hit.at,
                status: hit.status,
            });
        }
    }

    /// Returns the counts by table, given the names of the crawlers.
    pub fn tables(self, names: &[String]) -> Result<[(&'static str, RecordBatch); 4], ArrowError> {
        let urls = self.urls.iter().enumerate();
        let (crawls, page_crawls) = crawls(urls.flat_map(|(place, map)| rows(map, place)), names)?;
        let days = self.days.iter();
        let days = days.flat_map(|((place, day), map)| rows(map, *place).map(|row| (*day, row)));
        let days = crawl_days(days, names)?;
        Ok([
            ("crawls", crawls),
            ("page_crawls", page_crawls),
            ("crawl_days", days),
            ("sitemap_fetches", sitemap_fetches(&self.fetches, names)?),
        ])
    }
}

/// Returns a number for a crawler with a verdict.
fn place_of(crawler: usize, verdict: Verdict) -> usize {
    crawler * Verdict::ALL.len() + verdict as usize
}

/// Counts a hit, with or without its day, and returns the memory that this takes.
fn count(map: &mut Map, key: &mut Vec<u8>, hit: &Hit, text: &[u8], by_day: bool) -> usize {
    key.clear();
    key.extend((hit.site as u16).to_be_bytes());
    key.extend(text);
    if let Some(counts) = map.get_mut(key.as_slice()) {
        return counts.add(hit, by_day);
    }
    let counts = map.entry(key.as_slice().into()).or_default();
    key.len() + ROW + counts.add(hit, by_day)
}

/// Returns the length of the first folder of a path, such as `/blog/`, or of `/`.
fn section(path: &[u8]) -> usize {
    let end = path.iter().position(|byte| *byte == b'?').unwrap_or(path.len());
    let folder = path[1.min(end)..end].iter().position(|byte| *byte == b'/');
    folder.map_or(1.min(end), |slash| slash + 2)
}

fn rows(map: &Map, place: usize) -> impl Iterator<Item = Row<'_>> {
    let (crawler, verdict) = (place / Verdict::ALL.len(), Verdict::ALL[place % Verdict::ALL.len()]);
    map.iter().map(move |(key, counts)| {
        let site = usize::from(u16::from_be_bytes([key[0], key[1]]));
        // The reader makes URLs of text.
        let text = std::str::from_utf8(&key[2..]).unwrap_or_default();
        let (site, rest) = text.split_at(site.min(text.len()));
        (site, rest, crawler, verdict, counts)
    })
}

/// The columns that `crawls` and `crawl_days` share.
#[derive(Default)]
struct Shared {
    site: StringBuilder,
    agent: StringBuilder,
    verdict: StringBuilder,
    hits: Int64Builder,
    statuses: ListBuilder<Int64Builder>,
    status_hits: ListBuilder<Int64Builder>,
}

impl Shared {
    fn put(&mut self, (site, _, crawler, verdict, counts): &Row, names: &[String]) {
        self.site.append_value(site);
        self.agent.append_value(&names[*crawler]);
        self.verdict.append_value(verdict.name());
        self.hits.append_value(counts.hits);
        for (status, hits) in &counts.statuses {
            self.statuses.values().append_value(i64::from(*status));
            self.status_hits.values().append_value(*hits);
        }
        self.statuses.append(true);
        self.status_hits.append(true);
    }

    fn finish(mut self, columns: &mut Columns) {
        columns.push("site", Arc::new(self.site.finish()));
        columns.push("agent", Arc::new(self.agent.finish()));
        columns.push("verdict", Arc::new(self.verdict.finish()));
        columns.push("hits", Arc::new(self.hits.finish()));
        columns.push("statuses", Arc::new(self.statuses.finish()));
        columns.push("status_hits", Arc::new(self.status_hits.finish()));
    }
}

/// Returns `crawls` and `page_crawls`.
fn crawls<'a>(rows: impl Iterator<Item = Row<'a>>, names: &[String]) -> Result<(RecordBatch, RecordBatch), ArrowError> {
    let (mut shared, mut pages) = (Shared::default(), PageCrawls::default());
    let (mut urls, mut hashes, mut sums) = (StringBuilder::new(), Int64Builder::new(), Int64Builder::new());
    let (mut firsts, mut lasts) = (TimestampMicrosecondBuilder::new(), TimestampMicrosecondBuilder::new());
    let mut url = String::new();
    for row in rows {
        shared.put(&row, names);
        let (site, path, crawler, _, counts) = row;
        url.clear();
        url.extend([site, path]);
        urls.append_value(&url);
        let hash = whatwg_url::hash(&url);
        hashes.append_value(hash);
        pages.put(hash, &names[crawler], counts);
        firsts.append_value(counts.first);
        lasts.append_value(counts.last);
        sums.append_option(counts.bytes);
    }
    let mut columns = Columns::default();
    let own: [(&str, ArrayRef); 5] = [
        ("url", Arc::new(urls.finish())),
        ("page_hash", Arc::new(hashes.finish())),
        ("first_at", Arc::new(firsts.finish())),
        ("last_at", Arc::new(lasts.finish())),
        ("bytes", Arc::new(sums.finish())),
    ];
    shared.finish(&mut columns);
    for (name, array) in own {
        columns.push(name, array);
    }
    Ok((columns.finish()?, pages.finish()?))
}

#[derive(Default)]
struct PageCrawls {
    page_hash: Int64Builder,
    agent: StringBuilder,
    day: TimestampMicrosecondBuilder,
    hits: Int64Builder,
    good_hits: Int64Builder,
}

impl PageCrawls {
    fn put(&mut self, hash: i64, agent: &str, counts: &Counts) {
        for (day, (hits, good)) in &counts.days {
            self.page_hash.append_value(hash);
            self.agent.append_value(agent);
            self.day.append_value(*day);
            self.hits.append_value(*hits);
            self.good_hits.append_value(*good);
        }
    }

    fn finish(mut self) -> Result<RecordBatch, ArrowError> {
        let arrays: [(&str, ArrayRef); 5] = [
            ("page_hash", Arc::new(self.page_hash.finish())),
            ("agent", Arc::new(self.agent.finish())),
            ("day", Arc::new(self.day.finish())),
            ("hits", Arc::new(self.hits.finish())),
            ("good_hits", Arc::new(self.good_hits.finish())),
        ];
        Columns::table(arrays)
    }
}

fn crawl_days<'a>(rows: impl Iterator<Item = (i64, Row<'a>)>, names: &[String]) -> Result<RecordBatch, ArrowError> {
    let mut shared = Shared::default();
    let (mut days, mut sections) = (TimestampMicrosecondBuilder::new(), StringBuilder::new());
    for (day, row) in rows {
        shared.put(&row, names);
        days.append_value(day * DAY);
        sections.append_value(row.1);
    }
    let mut columns = Columns::default();
    shared.finish(&mut columns);
    columns.push("day", Arc::new(days.finish()));
    columns.push("section", Arc::new(sections.finish()));
    columns.finish()
}

fn sitemap_fetches(fetches: &[Fetch], names: &[String]) -> Result<RecordBatch, ArrowError> {
    let (mut sites, mut documents) = (StringBuilder::new(), StringBuilder::new());
    let (mut agents, mut verdicts) = (StringBuilder::new(), StringBuilder::new());
    let (mut times, mut statuses) = (TimestampMicrosecondBuilder::new(), Int32Builder::new());
    for fetch in fetches {
        sites.append_value(fetch.document.get(..fetch.site).unwrap_or_default());
        documents.append_value(&fetch.document);
        agents.append_value(&names[fetch.crawler]);
        verdicts.append_value(fetch.verdict.name());
        times.append_value(fetch.at);
        statuses.append_option(fetch.status.map(i32::from));
    }
    let arrays: [(&str, ArrayRef); 6] = [
        ("site", Arc::new(sites.finish())),
        ("document", Arc::new(documents.finish())),
        ("agent", Arc::new(agents.finish())),
        ("verdict", Arc::new(verdicts.finish())),
        ("at", Arc::new(times.finish())),
        ("status", Arc::new(statuses.finish())),
    ];
    Columns::table(arrays)
}
