//! The traits of a URL.

use crate::value::Trait;
use crate::value::url::parse;
use crate::value::url::traits::of;

fn names(text: &str) -> Vec<&'static str> {
    let traits = of(text, &parse(text));
    Trait::ALL
        .iter()
        .filter(|it| traits.has(**it) && **it != Trait::HomePage)
        .map(|it| it.name())
        .collect()
}

#[test]
fn home_pages() {
    for (path, is_home) in [
        ("", true),
        ("/", true),
        ("/?a=b", true),
        ("/de", true),
        ("/de/", true),
        ("/pt-BR/", true),
        ("/zh_tw", true),
        ("/index.html", true),
        ("/default.aspx", true),
        ("/index", false),
        ("/a", false),
        ("/a1/", false),
        ("/de/a", false),
        ("/de//", false),
        ("/pt-12/", false),
        ("/shop/", false),
        ("/a/index.html", false),
    ] {
        let text = format!("https://example.com{path}");
        assert_eq!(of(&text, &parse(&text)).has(Trait::HomePage), is_home, "{text}");
    }
}

#[test]
fn traits_of_urls() {
    for (text, wanted) in [
        ("https://example.com", ""),
        ("https://example.com/a/b.html?c=d&e=f", ""),
        ("https://example.com/web/http://example.org/x", ""),
        ("https://example.com/.well-known/x..y/...", ""),
        ("https://example.com/a#b", "fragment"),
        ("https://me:secret@example.com/", "user-info"),
        ("HTTPS://example.com/", "upper-case"),
        ("https://Example.com/", "upper-case"),
        ("https://example.com/A", ""),
        ("https://example.com:443/", "default-port"),
        ("http://example.com:80/", "default-port"),
        ("http://example.com:443/", ""),
        ("http://localhost/", "private-host"),
        ("http://10.0.0.1/", "private-host"),
        ("http://172.31.0.1/", "private-host"),
        ("http://172.32.0.1/", ""),
        ("http://8.8.8.8/", ""),
        ("http://[::1]/", "private-host"),
        ("http://[fd00::1]/", "private-host"),
        ("http://[2001:db8::1]/", ""),
        ("http://shop.local/", "private-host"),
        ("https://staging.example.com/", "test-host"),
        ("https://www.uat12.example.com/", "test-host"),
        ("https://staging.com/", ""),
        ("https://stages.example.com/", ""),
        ("https://münchen.de/", "non-ascii-host"),
        ("https://example.com/a//b", "dot-segment"),
        ("https://example.com//", "dot-segment"),
        ("https://example.com/a/../b", "dot-segment"),
        ("https://example.com/a/.", "dot-segment"),
        ("https://example.com/a.PNG", "file"),
        ("https://example.com/a.woff2?x", "file"),
        ("https://example.com/js", ""),
        ("https://example.com/a/index.html", "index-page"),
        ("https://example.com/a/index.json", "file"),
        ("https://example.com/default.aspx?a", "index-page"),
        ("https://example.com/my-index.html", ""),
        ("https://example.com/a%2520b", "double-escape"),
        ("https://example.com/a%25C3%25A9", "double-escape"),
        ("https://example.com/100%25", ""),
        ("https://example.com/cafÃ©", "misread"),
        ("https://example.com/?q=×ž×“", "misread"),
        ("https://example.com/caf%c3%83%C2%a9", "misread"),
        ("https://example.com/café-caf%C3%A9-%C3%A9%C3%A8", ""),
        ("https://example.com/%C3", ""),
        ("https://example.com/?a=b&UTM_source=x", "tracking"),
        ("https://example.com/?utm_source=&a=b", ""),
        ("https://example.com/?autm_source=b", ""),
        ("https://example.com/a;jsessionid=1", "tracking"),
        ("https://example.com/?sid=12", "sensitive"),
        ("https://example.com/?sid=0123456789abcdef", "tracking sensitive"),
        ("https://example.com/?sid=&a=b", ""),
        ("https://example.com/?a=b&Access_Token=x", "sensitive"),
        ("https://example.com/#access_token=x", "fragment sensitive"),
        ("https://example.com/#utm_source=x", "fragment"),
        ("https://example.com/?utm_source=x&email=me", "tracking sensitive"),
        ("https://example.com/?token", ""),
        ("https://example.com/?tokens=1&mytoken=2&token_a=3", ""),
        ("https://example.com/token=1", ""),
        ("https://example.com/?ASPSESSIONIDAB=1", "tracking"),
        ("/a", "loc-problem"),
    ] {
        let wanted: Vec<&str> = wanted.split_whitespace().collect();
        assert_eq!(names(text), wanted, "{text}");
    }
}
