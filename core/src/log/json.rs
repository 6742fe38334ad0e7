//! JSON lines: the fields by name, wherever they are nested. A prefix before the object may have the time.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::client::has_address;
use super::columns::decoded;
use super::record::{Field, Raw};
use super::time;

/// Names of fields in the order of preference: Cloudflare Logpush, nginx, Apache, Caddy, Traefik, Google Cloud,
/// CloudFront, Fastly, Envoy, Azure Front Door, Akamai, and Elastic. A dot stands for a nested object.
const NAMES: [(Field, &[&str]); 12] = [
    (
        Field::Time,
        &[
            "EdgeStartTimestamp",
            "time_iso8601",
            "time_local",
            "msec",
            "StartUTC",
            "StartLocal",
            "@timestamp",
            "timestamp",
            "ts",
            "start_time",
            "reqTimeSec",
            "time",
        ],
    ),
    (Field::Date, &["date"]),
    (
        Field::Client,
        &[
            "ClientIP",
            "remote_addr",
            "request.client_ip",
            "request.remote_ip",
            "request.remote_addr",
            "ClientHost",
            "ClientAddr",
            "httpRequest.remoteIp",
            "c-ip",
            "client_ip",
            "clientip",
            "clientIp",
            "clientIP",
            "client_addr",
            "remote_ip",
            "remoteIp",
            "remote_host",
            "downstream_remote_address",
            "client.ip",
            "source.ip",
            "cliIP",
            "properties.clientIp",
            "client",
            "ip",
        ],
    ),
    (
        Field::Forwarded,
        &[
            "http_x_forwarded_for",
            "x_forwarded_for",
            "request.headers.X-Forwarded-For",
            "request_X-Forwarded-For",
            "X-Forwarded-For",
            "x-forwarded-for",
            "xff",
            "http_forwarded",
            "request.headers.Forwarded",
            "http_x_real_ip",
            "request.headers.X-Real-Ip",
        ],
    ),
    (
        Field::Host,
        &[
            "ClientRequestHost",
            "http_host",
            "host",
            "request.host",
            "RequestHost",
            "x-host-header",
            "vhost",
            "domain",
            "authority",
            "url.domain",
            "reqHost",
            "properties.hostName",
        ],
    ),
    (
        Field::Scheme,
        &[
            "ClientRequestScheme",
            "scheme",
            "request_scheme",
            "RequestScheme",
            "cs-protocol",
        ],
    ),
    (
        Field::Url,
        &[
            "ClientRequestURI",
            "request_uri",
            "request.uri",
            "RequestPath",
            "httpRequest.requestUrl",
            "cs-uri-stem",
            "uri",
            "url",
            "path",
            "url.original",
            "reqPath",
            "properties.requestUri",
        ],
    ),
    (Field::Query, &["cs-uri-query", "queryStr"]),
    (Field::Request, &["request", "request_line"]),
    (
        Field::Status,
        &[
            "EdgeResponseStatus",
            "status",
            "DownstreamStatus",
            "httpRequest.status",
            "sc-status",
            "status_code",
            "response_status",
            "response_code",
            "http.response.status_code",
            "statusCode",
            "properties.httpStatusCode",
        ],
    ),
    (
        Field::Bytes,
        &[
            "EdgeResponseBytes",
            "body_bytes_sent",
            "bytes_sent",
            "size",
            "DownstreamContentSize",
            "httpRequest.responseSize",
            "sc-bytes",
            "response_body_size",
            "http.response.body.bytes",
            "bytes",
        ],
    ),
    (
        Field::Agent,
        &[
            "ClientRequestUserAgent",
            "http_user_agent",
            "request.headers.User-Agent",
            "request_User-Agent",
            "httpRequest.userAgent",
            "cs(User-Agent)",
            "user_agent",
            "useragent",
            "request_user_agent",
            "user-agent",
            "user_agent.original",
            "UA",
            "properties.userAgent",
            "agent",
        ],
    ),
];

/// Names whose values CDNs percent-encode.
const ENCODED: [&str; 4] = ["cs(User-Agent)", "c-ip", "x-forwarded-for", "UA"];

/// Objects that are nested deeper than this are not searched.
const DEEPEST: usize = 8;

/// What the fields are called.
#[derive(Clone)]
pub struct Names {
    fields: HashMap<String, (Field, usize)>,
    /// The objects that have a field somewhere.
    objects: HashSet<String>,
}

impl Names {
    /// The usual names; a field that the user names has only that name.
    pub fn new(own: &[(String, Field)]) -> Self {
        let mut names = Self {
            fields: HashMap::new(),
            objects: HashSet::new(),
        };
        let is_own = |field: Field| {
            let url = [Field::Url, Field::Request];
            let time = [Field::Time, Field::Date];
            own.iter().any(|(_, given)| {
                *given == field
                    || (url.contains(given) && url.contains(&field))
                    || (time.contains(given) && time.contains(&field))
            })
        };
        for (field, usual) in NAMES.iter().filter(|(field, _)| !is_own(*field)) {
            for (rank, name) in usual.iter().enumerate() {
                names.add(name, *field, rank);
            }
        }
        for (name, field) in own {
            names.add(name, *field, 0);
        }
        names
    }

    fn add(&mut self, name: &str, field: Field, rank: usize) {
        self.fields.insert(name.to_owned(), (field, rank));
        let dots = name.match_indices('.');
        self.objects.extend(dots.map(|(dot, _)| name[..dot].to_owned()));
    }

    /// Reads a line. What comes before the object may be a time and the name of a logger.
    pub fn read<'a>(&self, line: &'a [u8]) -> Option<Raw<'a>> {
        let (prefix, line) = line.split_at(memchr::memchr(b'{', line)?);
        let mut found = Found {
            names: self,
            raw: Raw::default(),
            ranks: [usize::MAX; Field::ALL.len()],
            path: String::new(),
            depth: 0,
        };
        let mut reader = serde_json::Deserializer::from_slice(line);
        reader.deserialize_map(Object(&mut found)).ok()?;
        reader.end().ok()?;
        if !found.raw.has(Field::Time) {
            found.raw.written_at = time::at_start(prefix);
        }
        Some(found.raw)
    }
}

struct Found<'n, 'a> {
    names: &'n Names,
    raw: Raw<'a>,
    ranks: [usize; Field::ALL.len()],
    path: String,
    depth: usize,
}

impl<'a> Found<'_, 'a> {
    fn put(&mut self, value: Cow<'a, [u8]>) {
        let Some(&(field, mut rank)) = self.names.fields.get(&self.path) else {
            return;
        };
        let value = match value {
            Cow::Borrowed(text) if ENCODED.contains(&self.path.as_str()) => decoded(text),
            value => value,
        };
        let known = &mut self.ranks[field as usize];
        if matches!(field, Field::Client | Field::Forwarded) {
            // A field without an address counts only if no other has one.
            rank += if has_address(&value) {
                0
            } else {
                self.names.fields.len()
            };
            if rank == *known {
                self.raw.append(field, &value);
            }
        }
        if rank < *known {
            *known = rank;
            self.raw.set(field, value);
        }
    }
}

struct Object<'f, 'n, 'a>(&'f mut Found<'n, 'a>);

impl<'a> Visitor<'a> for Object<'_, '_, 'a> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        let length = self.0.path.len();
        while map.next_key_seed(Key(&mut self.0.path, length))?.is_some() {
            let names = self.0.names;
            if names.fields.contains_key(&self.0.path) || names.objects.contains(&self.0.path) {
                map.next_value_seed(Value(self.0))?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        self.0.path.truncate(length);
        Ok(())
    }
}

/// A name, which replaces what follows the given length of the path.
struct Key<'p>(&'p mut String, usize);

impl<'a> DeserializeSeed<'a> for Key<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<(), E> {
        self.0.truncate(self.1);
        if self.1 > 0 {
            self.0.push('.');
        }
        self.0.push_str(name);
        Ok(())
    }
}

/// A value: a scalar, an object, or an array, of which the first item counts, or all if they are addresses.
struct Value<'f, 'n, 'a>(&'f mut Found<'n, 'a>);

impl<'a> DeserializeSeed<'a> for Value<'_, '_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'a> Visitor<'a> for Value<'_, '_, 'a> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'a str) -> Result<(), E> {
        self.0.put(Cow::Borrowed(text.as_bytes()));
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.0.put(Cow::Owned(text.as_bytes().to_vec()));
        Ok(())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        self.visit_str(&number.to_string())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        self.visit_str(&number.to_string())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        self.visit_str(&number.to_string())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        if self.0.depth == DEEPEST {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return Ok(());
        }
        self.0.depth += 1;
        let result = Object(&mut *self.0).visit_map(map);
        self.0.depth -= 1;
        result
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(Value(&mut *self.0))?.is_some() {}
        Ok(())
    }
}
