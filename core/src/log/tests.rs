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
        documents: HashSet::new(),
    }
}

fn reader(format: Format) -> Reader {
    Reader::new(format, &[], None, crawlers(), choice())
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
