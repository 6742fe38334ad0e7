//! Decides which requests count, and counts them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;

use super::client::Client;
use super::crawler::{Crawler, Crawlers};
use super::record::{Field, Raw, Request};
use super::tally::{Hit, Tally};

/// What to keep of a log.
pub struct Choice {
    /// Scheme and host of the site, in lowercase; also those of lines that name none.
    pub site: Option<(String, String)>,
    /// Earlier requests are left out.
    pub since: i64,
    /// Later requests are left out: a clock was wrong.
    pub until: i64,
    /// URLs that are sitemaps whatever they are called.
    pub documents: HashSet<String>,
}

macro_rules! facts {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        /// Numbers of lines.
        #[derive(Default)]
        pub struct Facts {
            $($(#[$doc])* pub $name: i64,)*
        }

        impl Facts {
            pub fn each(&self) -> Vec<(&'static str, i64)> {
                vec![$((stringify!($name), self.$name)),*]
            }
        }
    };
}

facts! {
    /// All, without comments and empty ones.
    lines,
    unreadable,
    /// Longer than `MOST_LINE`.
    cut,
    people,
    /// Without a user agent, where no address tells who a crawler is either.
    agentless,
    /// Of people, those whose user agent is empty or `-`.
    unnamed,
    /// Before `since`.
    early,
    /// After `until`.
    future,
    /// Requests of crawlers for other sites.
    elsewhere,
    /// Requests of crawlers without a host, although the log has hosts.
    hostless,
    /// Requests of crawlers that have no path.
    pathless,
    /// Requests of crawlers whose scheme had to be assumed.
    schemeless,
    /// Requests of crawlers in the tables.
    hits,
    /// Of those, requests without a status code.
    statusless,
    /// Requests without a client.
    clientless,
    /// Requests whose client is not an address.
    addressless,
    /// Requests whose client has an address of a private network.
    private,
    /// Requests with several addresses, of which one counts as the client's.
    forwarded,
}

/// Counts requests.
pub struct Counting {
    choice: Choice,
    pub crawlers: Crawlers,
    names: Arc<[String]>,
    pub tally: Tally,
    pub facts: Facts,
    /// The earliest and the latest time.
    pub window: Option<(i64, i64)>,
    url: String,
    sites: Sites,
}

/// Counts that were taken from a reader, which may go on meanwhile in another thread.
pub struct Counted {
    tally: Tally,
    names: Arc<[String]>,
}

impl Counted {
    /// Returns the counts by table, once.
    pub fn tables(&mut self) -> Result<[(&'static str, RecordBatch); 4], ArrowError> {
        std::mem::take(&mut self.tally).tables(&self.names)
    }
}

impl Counting {
    pub fn new(crawlers: Vec<Crawler>, choice: Choice) -> Self {
        Self {
            choice,
            names: crawlers.iter().map(|crawler| crawler.name.clone()).collect(),
            crawlers: Crawlers::new(crawlers),
            tally: Tally::default(),
            facts: Facts::default(),
            window: None,
            url: String::new(),
            sites: Sites::default(),
        }
    }

    /// Returns what was counted since the last call.
    pub fn take(&mut self) -> Counted {
        Counted {
            tally: std::mem::take(&mut self.tally),
            names: self.names.clone(),
        }
    }

    pub fn request(&mut self, at: i64, raw: &Raw) {
        // What is skipped does not belong to the window: it would seem that nothing was requested then.
        if at < self.choice.since {
            self.facts.early += 1;
            return;
        }
        if at > self.choice.until {
            self.facts.future += 1;
            return;
        }
        let (first, last) = self.window.unwrap_or((at, at));
        self.window = Some((first.min(at), last.max(at)));
        let mut address = None;
        let crawler = if let Some(agent) = raw.get(Field::Agent) {
            self.crawlers.by_agent(agent)
        } else {
            address = raw.client().0.address();
            address.and_then(|address| self.crawlers.by_address(address))
        };
        let Some(crawler) = crawler else {
            self.facts.unnamed += i64::from(raw.has(Field::Agent) && raw.get(Field::Agent).is_none());
            if raw.has(Field::Agent) || (self.crawlers.have_ranges && address.is_some()) {
                self.facts.people += 1;
            } else {
                self.facts.agentless += 1;
            }
            return;
        };
        let Some(request) = raw.request() else {
            self.facts.pathless += 1;
            return;
        };
        let Some(site) = self.sites.of(&request, self.choice.site.as_ref()) else {
            self.facts.hostless += 1;
            return;
        };
        if !site.is_wanted {
            self.facts.elsewhere += 1;
            return;
        }
        self.facts.schemeless += i64::from(site.is_assumed);
        self.facts.hits += 1;
        let status = raw.status();
        self.facts.statusless += i64::from(status.is_none());
        let (client, is_one_of_several) = raw.client();
        self.facts.forwarded += i64::from(is_one_of_several);
        match client {
            Client::Public(_) => {}
            Client::Private => self.facts.private += 1,
            Client::Unreadable => self.facts.addressless += 1,
            Client::Missing => self.facts.clientless += 1,
        }
        self.url.clear();
        self.url.push_str(&site.text);
        self.url.push_str(&String::from_utf8_lossy(request.path));
        if !request.path.starts_with(b"/") {
            self.url.insert(site.text.len(), '/');
        }
        if !request.query.is_empty() {
            self.url.push('?');
            self.url.push_str(&String::from_utf8_lossy(request.query));
        }
        let is_document = is_sitemap(&self.url[site.text.len()..]) || self.choice.documents.contains(&self.url);
        self.tally.add(&Hit {
            url: self.url.as_bytes(),
            site: site.text.len(),
            crawler,
            verdict: self.crawlers.verdict(crawler, client.address()),
            at,
            status,
            bytes: raw.bytes(),
            is_document,
        });
    }
}

/// A scheme and a host in their one spelling.
pub struct Site {
    pub text: String,
    pub is_assumed: bool,
    pub is_wanted: bool,
}

/// Number of sites to remember: a client can name a new one with each request.
const MOST_SITES: usize = 4_096;

/// The sites of requests, by scheme and host as written; `None` if the host is missing or is not one.
#[derive(Default)]
struct Sites {
    known: HashMap<Vec<u8>, Option<Site>>,
    key: Vec<u8>,
}

impl Sites {
    fn of(&mut self, request: &Request, wanted: Option<&(String, String)>) -> Option<&Site> {
        self.key.clear();
        self.key.extend(request.scheme);
        self.key.push(b':');
        self.key.extend(request.host);
        if !self.known.contains_key(&self.key) {
            if self.known.len() >= MOST_SITES {
                self.known.clear();
            }
            self.known.insert(self.key.clone(), site_of(request, wanted));
        }
        self.known.get(&self.key)?.as_ref()
    }
}

pub fn site_of(request: &Request, wanted: Option<&(String, String)>) -> Option<Site> {
    if request.host.is_empty() {
        let (scheme, host) = wanted?;
        return Some(Site {
            text: format!("{scheme}://{host}"),
            is_assumed: false,
            is_wanted: true,
        });
    }
    let host = std::str::from_utf8(request.host).ok()?.to_ascii_lowercase();
    let is_valid = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte);
    if host.len() > 255 || !host.bytes().all(is_valid) {
        return None;
    }
    let scheme = match request.scheme.to_ascii_lowercase().as_slice() {
        b"https" | b"h2" | b"wss" => Some("https"),
        b"http" | b"ws" => Some("http"),
        _ if host.ends_with(":443") => Some("https"),
        _ if host.ends_with(":80") => Some("http"),
        _ => None,
    };
    let without_port = |host: &str, scheme: &str| {
        let port = if scheme == "https" { ":443" } else { ":80" };
        host.strip_suffix(port).unwrap_or(host).trim_end_matches('.').to_owned()
    };
    let own =
        wanted.filter(|(own, name)| scheme.is_none_or(|scheme| scheme == own) && without_port(&host, own) == *name);
    let used = scheme.or(own.map(|(scheme, _)| scheme.as_str())).unwrap_or("https");
    let host = without_port(&host, used);
    // A site has the same pages with both schemes, or redirects from one to the other.
    let is_wanted = wanted.is_none_or(|(_, name)| *name == host);
    Some(Site {
        text: format!("{used}://{host}"),
        is_assumed: scheme.is_none() && own.is_none(),
        is_wanted,
    })
}

/// Returns whether a path is called like a sitemap or robots.txt.
pub fn is_sitemap(path: &str) -> bool {
    let path = &path[..path.find('?').unwrap_or(path.len())];
    if path.eq_ignore_ascii_case("/robots.txt") {
        return true;
    }
    let name = path[path.rfind('/').map_or(0, |slash| slash + 1)..].to_ascii_lowercase();
    let name = [".gz", ".zst", ".br"]
        .iter()
        .find_map(|end| name.strip_suffix(end))
        .unwrap_or(&name);
    name.ends_with(".xml") || (name.ends_with(".txt") && name.contains("sitemap"))
}
