//! The fields of a line, by what they are, and the request that they describe.

use std::borrow::Cow;

use super::client::{self, Client};
use super::time::{self, number};

macro_rules! fields {
    ($($member:ident $name:literal),* $(,)?) => {
        /// What a field of a log is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Field { $($member),* }

        impl Field {
            pub const ALL: &[Self] = &[$(Self::$member),*];

            /// Its name in `--fields`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$member => $name),* }
            }
        }
    };
}

fields! {
    Time "time",
    Date "date",
    Client "client",
    Forwarded "forwarded",
    Host "host",
    Scheme "scheme",
    Url "url",
    Query "query",
    Request "request",
    Status "status",
    Bytes "bytes",
    Agent "agent",
}

impl Field {
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|field| field.name() == name)
    }
}

/// The fields of a line as written.
#[derive(Default)]
pub struct Raw<'a> {
    values: [Option<Cow<'a, [u8]>>; Field::ALL.len()],
    /// The time at the start of the line, if no field has it.
    pub written_at: Option<i64>,
}

/// The request that a line describes.
#[derive(Debug, PartialEq)]
pub struct Request<'a> {
    /// Empty if the line does not say.
    pub scheme: &'a [u8],
    /// With a port if it is written; empty if the line does not say.
    pub host: &'a [u8],
    /// Path, with the query unless the log has it apart.
    pub path: &'a [u8],
    /// The query apart from the path; empty without a query.
    pub query: &'a [u8],
}

impl<'a> Raw<'a> {
    pub fn set(&mut self, field: Field, value: impl Into<Cow<'a, [u8]>>) {
        self.values[field as usize] = Some(value.into());
    }

    /// Adds an item to a list.
    pub fn append(&mut self, field: Field, item: &[u8]) {
        if let Some(list) = &mut self.values[field as usize] {
            list.to_mut().extend([b", ", item].concat());
        }
    }

    /// Returns a value; `None` if it is absent, empty, or `-`.
    pub fn get(&self, field: Field) -> Option<&[u8]> {
        let value = self.values[field as usize].as_deref()?;
        (!value.is_empty() && value != b"-").then_some(value)
    }

    /// Whether the line has the field, even if it is `-`.
    pub fn has(&self, field: Field) -> bool {
        self.values[field as usize].is_some()
    }

    /// Returns the time in microseconds since 1970.
    pub fn at(&self) -> Option<i64> {
        match (self.get(Field::Date), self.get(Field::Time)) {
            (Some(date), Some(of_day)) => time::date_and_time(date, of_day),
            (None, Some(whole)) => time::instant(whole),
            (_, None) => self.written_at,
        }
    }

    /// Returns the client, and whether it is one address of several. The addresses that a proxy forwards count if the
    /// client is not known otherwise: any client can send them.
    pub fn client(&self) -> (Client, bool) {
        let of = |field| {
            let text = self.get(field).unwrap_or_default();
            (Client::of(text), client::has_several_addresses(text))
        };
        let own = of(Field::Client);
        match own.0 {
            Client::Public(_) => own,
            _ => Some(of(Field::Forwarded))
                .filter(|forwarded| forwarded.0.address().is_some())
                .unwrap_or(own),
        }
    }

    pub fn status(&self) -> Option<u16> {
        let status = number(self.get(Field::Status)?)?;
        u16::try_from(status).ok().filter(|status| (100..1000).contains(status))
    }

    /// Returns the bytes sent: 0 for `-`, and `None` if the log does not have them.
    pub fn bytes(&self) -> Option<i64> {
        if !self.has(Field::Bytes) {
            return None;
        }
        match self.get(Field::Bytes) {
            None => Some(0),
            Some(bytes) => number(bytes),
        }
    }

    /// Returns the request; `None` if it has no path, such as `OPTIONS *`.
    pub fn request(&self) -> Option<Request<'_>> {
        let target = match self.get(Field::Url) {
            Some(url) => url,
            None => target_of(self.get(Field::Request)?)?,
        };
        let mut request = Request {
            scheme: self.get(Field::Scheme).unwrap_or_default(),
            host: self.get(Field::Host).unwrap_or_default(),
            path: target,
            query: self.get(Field::Query).unwrap_or_default(),
        };
        if !target.starts_with(b"/") {
            let (scheme, rest) = absolute(target)?;
            let end = rest.iter().position(|byte| b"/?".contains(byte)).unwrap_or(rest.len());
            (request.scheme, request.host) = (scheme, &rest[..end]);
            request.path = if end == rest.len() { b"/" } else { &rest[end..] };
        }
        Some(request)
    }
}

/// Splits an absolute http or https URL after its scheme.
fn absolute(url: &[u8]) -> Option<(&'static [u8], &[u8])> {
    let schemes: [(&[u8], &[u8]); 2] = [(b"https", b"https://"), (b"http", b"http://")];
    schemes.into_iter().find_map(|(scheme, start)| {
        let head = url.get(..start.len())?;
        head.eq_ignore_ascii_case(start).then(|| (scheme, &url[start.len()..]))
    })
}

/// Returns the target of a request line, which may have spaces: `GET /a b HTTP/1.1`.
fn target_of(line: &[u8]) -> Option<&[u8]> {
    let start = memchr::memchr(b' ', line)? + 1;
    let end = match memchr::memrchr(b' ', line) {
        Some(end) if end >= start && line[end + 1..].starts_with(b"HTTP/") => end,
        _ => line.len(),
    };
    let target = line[start..end].trim_ascii();
    (!target.is_empty()).then_some(target)
}
