use super::counting::{is_sitemap, site_of};
use super::crawler::Crawlers;
use super::record::Request;
use super::*;

const GOOGLE: &str = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

fn crawlers() -> Vec<Crawler> {
    let google = (u128::from(0xffff_4242_4200_u64), u128::from(0xffff_4242_421f_u64));
    let named = |name: &str, ranges, has_names| Crawler {
        name: name.to_owned(),
        ranges,
        has_names,
    };
    vec![
        named("Googlebot", Some(vec![google]), true),
        named("Googlebot-Image", None, true),
        named("Bingbot", None, false),
    ]
}

fn choice() -> Choice {
    Choice {
        site: Some(("https".to_owned(), "example.com".to_owned())),
        since: i64::MIN,
        until: i64::MAX,
        documents: HashSet::new(),
    }
}

fn reader(format: Format) -> Reader {
    let form = Form { format, pattern: None };
    Reader::new(&form, &[], None, crawlers(), choice())
}

fn line(client: &str, path: &str, agent: &str) -> String {
    format!("{client} - - [10/Nov/2026:13:55:36 +0100] \"GET {path} HTTP/1.1\" 200 10 \"-\" \"{agent}\"\n")
}

#[test]
fn values_of_cloudfront_are_decoded_twice() {
    for (text, value) in [
        ("a%2520b", "a b"),
        ("a%20b%", "a b%"),
        ("a%2", "a%2"),
        ("%2541", "A"),
        ("%zz", "%zz"),
        ("a+b", "a+b"),
    ] {
        assert_eq!(&*columns::decoded(text.as_bytes()), value.as_bytes(), "{text}");
    }
}

#[test]
fn times_of_all_forms() {
    let at = Some(1_794_318_936_000_000);
    for text in [
        "10/Nov/2026:13:55:36 +0000",
        "10/Nov/2026:15:25:36 +0130",
        "2026-11-10T13:55:36Z",
        "2026-11-10 13:55:36",
        "2026-11-10T08:55:36-05:00",
        "1794318936",
        "1794318936.0",
        "1794318936000",
        "1794318936000000",
        "1794318936000000000",
        "2026/11/10 13:55:36",
        "10/Nov/2026:13:55:36",
        "2026-11-10 14:55:36 +0100",
    ] {
        assert_eq!(time::instant(text.as_bytes()), at, "{text}");
    }
    assert_eq!(time::instant(b"1794318936.25"), at.map(|at| at + 250_000));
    assert_eq!(
        time::instant(b"2026-11-10T13:55:36.123456789Z"),
        at.map(|at| at + 123_456)
    );
    assert_eq!(time::date_and_time(b"2026-11-10", b"13:55:36"), at);
}

#[test]
fn what_is_not_a_time() {
    for text in [
        "",
        "-",
        "1",
        "10/Nov/2026",
        "31/Feb/2026:00:00:00 +0000",
        "10/Xyz/2026:13:55:36 +0000",
        "10/Nov/2026:24:00:00 +0000",
        "10/Nov/2026:13:55:36 +00",
        "2026-11-10",
        "2026-13-10T00:00:00Z",
        "2026-11-10T13:55:36.Z.",
        "1794318936.",
        "99999999999999999999",
        "\u{661}\u{660}/Nov/2026:13:55:36 +0000",
    ] {
        let found = time::instant(text.as_bytes());
        assert!(found.is_none() || text == "1", "{text}: {found:?}");
    }
}

#[test]
fn a_virtual_host_before_the_client() {
    let text = line("www.example.com:443 66.66.66.1", "/a", GOOGLE);
    let raw = lines::combined(text.trim_end().as_bytes()).unwrap();
    assert_eq!(raw.get(Field::Host), Some(b"www.example.com:443".as_slice()));
    assert_eq!(raw.get(Field::Client), Some(b"66.66.66.1".as_slice()));
    let request = raw.request().unwrap();
    assert_eq!(
        (request.path, request.host),
        (b"/a".as_slice(), b"www.example.com:443".as_slice())
    );
}

#[test]
fn sites_have_one_spelling() {
    let site = |scheme: &'static str, host: &'static str, wanted: Option<&(String, String)>| {
        let request = Request {
            scheme: scheme.as_bytes(),
            host: host.as_bytes(),
            path: b"/",
            query: b"",
        };
        site_of(&request, wanted).map(|site| (site.text, site.is_assumed, site.is_wanted))
    };
    let own = ("http".to_owned(), "example.com".to_owned());
    let found = |text: &str, is_assumed, is_wanted| Some((text.to_owned(), is_assumed, is_wanted));
    assert_eq!(site("", "", Some(&own)), found("http://example.com", false, true));
    assert_eq!(site("", "", None), None);
    assert_eq!(
        site("", "Example.COM.", Some(&own)),
        found("http://example.com", false, true)
    );
    assert_eq!(
        site("https", "example.com:443", Some(&own)),
        found("https://example.com", false, true)
    );
    assert_eq!(
        site("", "example.org", Some(&own)),
        found("https://example.org", true, false)
    );
    assert_eq!(
        site("", "example.org:80", None),
        found("http://example.org", false, true)
    );
    assert_eq!(
        site("http", "[::1]:8080", None),
        found("http://[::1]:8080", false, true)
    );
    assert_eq!(site("", "exa mple", None), None);
    assert_eq!(site("", "a/b", None), None);
}

#[test]
fn only_addresses_that_lists_lack_are_asked_for() {
    let mut reader = reader(Format::Combined);
    let clients = ["66.66.66.1", "66.66.66.32", "10.0.0.1", "66.66.66.32"];
    for client in clients {
        reader.push(line(client, "/", GOOGLE).as_bytes());
    }
    reader.push(line("66.66.66.40", "/", "bingbot/2.0").as_bytes());
    reader.push(line("66.66.66.41", "/", "Firefox").as_bytes());
    reader.push(line("66.66.66.42", "/", GOOGLE).trim_end().as_bytes());
    let asked = reader.questions();
    assert_eq!(asked, [(0, "66.66.66.32".parse().unwrap())]);
    reader.confirm(0, asked[0].1, Verdict::Verified);
    assert!(reader.questions().is_empty());
    reader.read();
    assert_eq!((reader.facts().hits, reader.facts().people), (5, 1));
    assert_eq!(reader.pending(), line("66.66.66.42", "/", GOOGLE).len() - 1);
}

#[test]
fn user_agents_are_remembered_within_a_limit() {
    let mut crawlers = Crawlers::new(crawlers());
    for number in 0..20_000 {
        let agent = format!("Googlebot/{number}");
        assert_eq!(crawlers.by_agent(agent.as_bytes()), Some(0));
    }
    assert_eq!(crawlers.by_agent(b"x Googlebot-Image/1.0"), Some(1));
    assert_eq!(crawlers.by_agent(b"x-Googlebot"), None);
    assert_eq!(crawlers.by_agent(b""), None);
}

#[test]
fn a_line_that_is_too_long_is_one_line() {
    for piece in [100, 10_000, 1_000_000] {
        let text = line("66.66.66.1", &format!("/{}", "a".repeat(200_000)), GOOGLE) + &line("66.66.66.1", "/", GOOGLE);
        let mut reader = reader(Format::Combined);
        for piece in text.as_bytes().chunks(piece) {
            reader.push(piece);
            reader.read();
            assert!(reader.pending() <= MOST_LINE);
        }
        let facts = reader.facts();
        assert_eq!((facts.lines, facts.cut, facts.unreadable, facts.hits), (2, 1, 1, 1));
    }
}

#[test]
fn hostile_json_is_bounded() {
    let names = json::Names::new(&[]);
    assert!(names.read("[".repeat(100_000).as_bytes()).is_none());
    assert!(
        names
            .read(format!("{{\"a\":{}", "{\"a\":".repeat(100_000)).as_bytes())
            .is_none()
    );
    let raw = names
        .read(br#"{"status":200,"status":"404","uri":null,"request":{"uri":["/a","/b"]},"size":-1}"#)
        .unwrap();
    assert_eq!(raw.status(), Some(200));
    assert_eq!(raw.request().unwrap().path, b"/a");
    assert_eq!(raw.bytes(), None);
}

#[test]
fn sitemaps_by_name() {
    for path in [
        "/robots.txt",
        "/a/sitemap.xml?x=/y.html",
        "/Sitemap_1.XML.gz",
        "/sitemaps.txt",
    ] {
        assert!(is_sitemap(path), "{path}");
    }
    for path in [
        "/",
        "/a",
        "/a.txt",
        "/sitemap/",
        "/sitemap.html",
        "/a/robots.txt",
        "/x.xml/y",
    ] {
        assert!(!is_sitemap(path), "{path}");
    }
}

fn pattern(text: &str) -> Pattern {
    Pattern::new(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn patterns_of_goaccess_apache_and_nginx() {
    const COMMON: &str = "66.66.66.1 - - [10/Nov/2026:13:55:36 +0100] \"GET /a?x=1 HTTP/1.1\" 200 10 \"-\" \"AGENT\"";
    for (text, line) in [
        (r#"%h %^[%d:%t %^] "%r" %s %b "%R" "%u""#, COMMON),
        (
            r#"%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-agent}i\""#,
            COMMON,
        ),
        (r#"%h %^ %^ [%x] "%m %U %H" %s %b "%^" "%u""#, COMMON),
        (
            r#"$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent""#,
            COMMON,
        ),
        (
            "%d\\t%t\\t%h\\t%U\\t%q\\t%s\\t%b\\t%u",
            "2026-11-10\t12:55:36\t66.66.66.1\t/a\tx=1\t200\t10\tAGENT",
        ),
        (
            "%^|%s|%x|%b|%h|%U|%u",
            "HIT|200|1794315336000|10|66.66.66.1|https://example.com/a?x=1|AGENT",
        ),
        (
            "$msec $remote_addr $scheme://$host$uri$is_args$args $status $bytes_sent $http_user_agent",
            "1794315336.000 66.66.66.1 https://example.com/a?x=1 200 10 AGENT",
        ),
        (
            "%{%Y-%m-%d %H:%M:%S}t,%a,%U%q,%>s,%B,%{User-Agent}i",
            "2026-11-10 12:55:36,66.66.66.1,/a?x=1,200,10,AGENT",
        ),
        (
            "~h{, } %~[%x] %m %r %s %b %u",
            "66.66.66.1, 10.0.0.1   [2026-11-10T12:55:36Z] - /a?x=1 200 10 AGENT",
        ),
    ] {
        for agent in [GOOGLE, "a \\\" b Googlebot", "x"] {
            let line = line.replace("AGENT", agent);
            let raw = pattern(text)
                .read(line.as_bytes())
                .unwrap_or_else(|| panic!("{text}: {line}"));
            let address = raw.client().0.address().unwrap();
            assert_eq!(address, "66.66.66.1".parse::<IpAddr>().unwrap(), "{text}");
            assert_eq!(
                (raw.at(), raw.status()),
                (Some(1_794_315_336_000_000), Some(200)),
                "{text}"
            );
            assert_eq!(
                (raw.bytes(), raw.get(Field::Agent)),
                (Some(10), Some(agent.as_bytes())),
                "{text}"
            );
        }
    }
}

#[test]
fn urls_of_patterns() {
    for (text, line, url) in [
        (
            "$msec $host$request_uri",
            "1794315336 example.com/a?x=1",
            ("example.com", "/a?x=1", ""),
        ),
        (
            "$msec \"$request\" $uri $args",
            "1794315336 \"GET /a?x=1 HTTP/2.0\" /index.php q=1",
            ("", "/a?x=1", ""),
        ),
        ("$msec $uri $args", "1794315336 /a x=1", ("", "/a", "x=1")),
        (
            "%x %v:%^ %U%q",
            "1794315336 example.com:80 /a?x=1",
            ("example.com", "/a?x=1", ""),
        ),
        (
            "%t %V %U %q",
            "[10/Nov/2026:13:55:36 +0000] example.com /a ?x=1",
            ("example.com", "/a", "x=1"),
        ),
    ] {
        let raw = pattern(text).read(line.as_bytes()).unwrap_or_else(|| panic!("{text}"));
        let request = raw.request().unwrap();
        let (host, path, query) = url;
        assert_eq!(
            (request.host, request.path, request.query),
            (host.as_bytes(), path.as_bytes(), query.as_bytes()),
            "{text}"
        );
    }
}

#[test]
fn lines_that_do_not_follow_a_pattern() {
    for (text, line) in [
        ("%x %U %s", "1794315336 /a OK"),
        ("%x %U %s", "yesterday /a 200"),
        ("%x %U|%s", "1794315336 /a 200"),
        ("[%x] %U", "1794315336 /a"),
        ("%x \"%r\" %s", "1794315336 \"GET /a\\\" 200"),
    ] {
        assert!(pattern(text).read(line.as_bytes()).is_none(), "{text}: {line}");
    }
}

#[test]
fn patterns_that_are_refused() {
    for (text, reason) in [
        ("%h %s", "has no time"),
        ("%x %h", "has no URL"),
        ("%x%h %U", "`%x` and `%h` have no text between them"),
        ("%x %Q %U", "`%Q` is not a field of GoAccess"),
        ("$time_local $ $uri", "`$` must be followed by the name of a variable"),
        ("$time_local ${uri", "`${` has no `}`"),
        ("%{x %U %t", "`%{` has no `}`"),
        ("%t %U %>", "does not begin with a field of Apache"),
        ("%x %U ~h{, ", "`~h{` has no `}`"),
    ] {
        let error = Pattern::new(text).err().unwrap_or_default();
        assert!(error.contains(reason), "{text}: {error}");
    }
    assert!(
        Pattern::new(&"%x".repeat(pattern::MOST_PATTERN))
            .err()
            .unwrap()
            .contains("more than 4096 bytes")
    );
}

#[test]
fn captured_headers_of_haproxy_are_what_they_look_like() {
    let line = |headers: &str, end: &str| {
        format!(
            "haproxy[1]: 66.66.66.1:5 [10/Nov/2026:13:55:36.250] f~ b/s 0/0/0/2/2 200 +10 - - ---- 1/1/0/0/0 0/0 {headers}\"GET /a HTTP/1.1\"{end}"
        )
    };
    let tls = " 0/0/0/0/0 example.com/TLSv1.3/TLS_AES_256_GCM_SHA384";
    for (headers, end, host, agent) in [
        ("", "", None, None),
        ("", tls, Some("example.com"), None),
        (
            "{example.com|Mozilla/5.0 (x)} {nginx/1.2} ",
            "",
            Some("example.com"),
            Some("Mozilla/5.0 (x)"),
        ),
        (
            "{https://example.org/|curl/8.0|example.com:443||1.2.3.4} ",
            "",
            Some("example.com:443"),
            Some("curl/8.0"),
        ),
        ("{} {} ", tls, Some("example.com"), None),
    ] {
        let line = line(headers, end);
        let raw = haproxy::haproxy(line.as_bytes()).unwrap_or_else(|| panic!("{line}"));
        let text = |field| raw.get(field).map(|value| String::from_utf8_lossy(value).into_owned());
        assert_eq!(
            (text(Field::Host).as_deref(), text(Field::Agent).as_deref()),
            (host, agent),
            "{line}"
        );
        assert_eq!((raw.at(), raw.status()), (Some(1_794_318_936_250_000), Some(200)));
        assert_eq!(raw.request().unwrap().path, b"/a");
    }
    for line in [
        "Nov 26 09:06:24 lb haproxy[1]: Proxy web started.",
        "haproxy[1]: 66.66.66.1:5 [10/Nov/2026:13:55:36.250] f b/s 0/0/2 100 -- 1/1/0/0/0 0/0",
        "haproxy[1]: 66.66.66.1:5 [10/Nov/2026:13:55:36.250] f f/<NOSRV>: SSL handshake failure",
    ] {
        assert!(haproxy::haproxy(line.as_bytes()).is_none(), "{line}");
    }
}
