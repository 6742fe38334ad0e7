//! Tests of the connection between tokenizer and tree builder.

use proptest::prelude::*;

use super::*;

/// Returns how often the tree builder visits an element while it reads a page.
fn steps(page: &str) -> u64 {
    let progress = Progress::default();
    let mut tokens = Tokens::new(None, Options::default(), page.len(), &progress);
    tokens.read(page);
    tokens.builder.sink.steps()
}

#[test]
fn attributes_do_not_overflow_the_stack() {
    // Without optimization, the tokenizer uses much more of the stack.
    let stack = if cfg!(debug_assertions) { 64 << 20 } else { 2 << 20 };
    let thread = std::thread::Builder::new().stack_size(stack);
    thread.spawn(limited_attributes).unwrap().join().unwrap();
}

fn limited_attributes() {
    use crate::limits::MAX_PAGE_ATTRIBUTES;
    let many = if cfg!(debug_assertions) { 2_000 } else { 500_000 };
    let read = |attribute: &str, count: u32| {
        let page = format!("<p {}><title>t</title>", attribute.repeat(count as usize));
        let facts = parse(&page, None, Options::default()).0;
        (facts.title.is_some(), facts.complete)
    };
    for attribute in ["a=\"x\" ", "a=\"x\"\n"] {
        assert_eq!(read(attribute, MAX_PAGE_ATTRIBUTES), (true, true), "{attribute}");
        assert_eq!(read(attribute, MAX_PAGE_ATTRIBUTES + 1), (false, false), "{attribute}");
        assert_eq!(read(attribute, many), (false, false), "{attribute}");
    }
    // The tokenizer returns from its states after each of these.
    for attribute in [
        "a='x' ",
        "a=x ",
        "a ",
        "a=\"x\"",
        "a=\"&amp;\" ",
        "/a=\"x\" ",
        "a=\"x\" a=x ",
    ] {
        assert_eq!(read(attribute, many), (true, true), "{attribute}");
    }
}

#[test]
fn elements_around_nothing_but_text_are_not_built() {
    let nodes = |page: &str| {
        let progress = Progress::default();
        let mut tokens = Tokens::new(None, Options::default(), page.len(), &progress);
        tokens.read(page);
        tokens.builder.sink.nodes()
    };
    let least = nodes("<title>t</title><body><p>");
    for (page, more) in [
        (
            "<span class=k>fn</span> <a href=x><code>x</code></a> <b><i>y</i></b>",
            0,
        ),
        ("<span>a<br></span>", 2),
        ("<a>x<a>y</a></a>", 2),
        ("<a><br></a><a>x</a>", 2),
        ("<span hidden>x</span>", 1),
        ("<b hidden>x</b><i>y</i>", 2),
        ("<svg><a>x</a></svg>", 2),
        ("<time>2025 <span>x</span></time>", 2),
    ] {
        assert_eq!(
            nodes(&format!("<title>t</title><body><p>{page}")),
            least + more,
            "{page}"
        );
    }
}

const PIECES: &[&str] = &[
    "<span>",
    "<span>",
    "</span>",
    "</span>",
    "<code>",
    "</code>",
    "<a href=x>",
    "<a href=y>",
    "<a href=z rel=nofollow>word</a>",
    "<a href=w> </a>",
    "<a href=v><br></a>",
    "<a href=u><div>word</div></a>",
    "</a>",
    "</a>",
    "<a>",
    "<a hidden>",
    "<b>",
    "</b>",
    "<b hidden>",
    "<i role=banner>",
    "</i>",
    "<em>",
    "</em>",
    "<q>",
    "</q>",
    "<span hidden>",
    "word",
    "word",
    " ",
    " two words ",
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<div hidden>",
    "<h1>",
    "</h1>",
    "<main>",
    "</main>",
    "<nav>",
    "</nav>",
    "<head>",
    "</head>",
    "<body>",
    "</body>",
    "</html>",
    "<title>",
    "</title>",
    "<link rel=canonical href=c>",
    "<meta name=robots content=r>",
    "<time>",
    "</time>",
    "<time datetime=2025>",
    "<span itemprop=dateModified>",
    "<b itemprop=datePublished>",
    "<script>",
    "</script>",
    "<script type=application/ld+json>{\"dateModified\":\"2026\"}",
    "<style>",
    "</style>",
    "<xmp>",
    "</xmp>",
    "<iframe>",
    "</iframe>",
    "<noscript>",
    "</noscript>",
    "<textarea>",
    "</textarea>",
    "<table>",
    "</table>",
    "<tr>",
    "<td>",
    "</td>",
    "<caption>",
    "<colgroup>",
    "<col>",
    "<select>",
    "</select>",
    "<option>",
    "<button>",
    "</button>",
    "<template>",
    "</template>",
    "<svg>",
    "</svg>",
    "<foreignObject>",
    "<text>",
    "<math>",
    "</math>",
    "<mi>",
    "</svg>",
    "<path/>",
    "<path>",
    "</path>",
    "<h2>",
    "</h2>",
    "</li>",
    "<li>",
    "<ul>",
    "</ul>",
    "<dd>",
    "<form>",
    "</form>",
    "<input type=password>",
    "<br>",
    "<img src=i>",
    "<frameset>",
    "<nobr>",
    "</nobr>",
    "<font>",
    "</font>",
    "<object>",
    "</object>",
    "<label hidden>",
    "</label>",
    "<sub>",
    "</sub>",
    "<!-- c -->",
    "<!doctype html>",
    "<span/>",
    "\0",
    "</x>",
    "<aside>",
    "</aside>",
    "<ruby>",
    "<rt>",
    "<plaintext>",
];

proptest! {
    #![proptest_config(crate::properties::inputs(20_000))]

    #[test]
    fn elements_around_nothing_but_text_do_not_matter(
        pieces in prop::collection::vec(prop_oneof![
            3 => prop::sample::select(PIECES),
            2 => prop::sample::select(&PIECES[..30]),
        ], 0..24),
        has_body in any::<bool>(),
    ) {
        let page = format!("{}{}", if has_body { "<body>" } else { "" }, pieces.concat());
        let options = Options { images: true, links: true, ..Options::default() };
        let whole = parse(&page, None, Options { whole_tree: true, ..options });
        prop_assert_eq!(parse(&page, None, options), whole, "{}", page);
    }
}

#[test]
fn work_is_linear_in_the_page() {
    let deep = "<g>".repeat(500);
    for tag in [
        "</x>",
        "</p>",
        "<hr>",
        "<li>",
        "<dd>",
        "<p>x",
        "<option>",
        "<button>x</button>",
        "</h1>",
        "<form>",
    ] {
        let once = steps(&format!("{deep}{}", tag.repeat(1_000)));
        let twice = steps(&format!("{deep}{}", tag.repeat(2_000)));
        assert!(twice <= 3 * once, "{tag}: {once}, then {twice}");
    }
}

#[test]
fn usual_pages_take_few_steps() {
    let block = "<section><div><ul><li><a href=/x><span>word</span></a><p>more <b>words</b></p></ul></div></section>";
    let page = format!("<body>{}{}", "<div>".repeat(25), block.repeat(1_000));
    assert!(
        steps(&page) < 5 * page.len() as u64,
        "{} steps of {} bytes",
        steps(&page),
        page.len()
    );
}

#[test]
fn links_around_nothing_but_text_are_not_built() {
    let nodes = |page: &str| {
        let progress = Progress::default();
        let options = Options {
            links: true,
            ..Options::default()
        };
        let mut tokens = Tokens::new(None, options, page.len(), &progress);
        tokens.read(page);
        (
            tokens.builder.sink.nodes(),
            tokens.builder.sink.finish_facts().links.count(),
        )
    };
    let (least, _) = nodes("<title>t</title><body><p>");
    for (page, more, links) in [
        ("<a href=x class=y>x</a> <a rel=nofollow href=x><b>x</b></a>", 0, 2),
        ("<a href=x><br></a><a href=x>y</a>", 2, 2),
        (
            "<a href=x><div><svg><path d=M /></svg><b>x</b></div></a><a href=x><i>y</i></a>",
            6,
            3,
        ),
        ("<a href=x><div><br></a></div><a href=x>y</a>", 5, 3),
        ("<a href=x><td></a><a href=x>y</a>", 2, 2),
        ("<a href=x></a><a href=x> </a>", 2, 2),
        ("<a href=x>y<a href=x>z</a><a href=x>z</a>", 3, 3),
        ("<a href=x hidden>y</a><a href=x>y</a>", 2, 2),
    ] {
        assert_eq!(
            nodes(&format!("<title>t</title><body><p>{page}")),
            (least + more, links),
            "{page}"
        );
    }
    let (many, links) = nodes(&"<a href=x>x</a>".repeat(9_000));
    assert!(many < 100 && links == 9_000, "{many} elements for {links} links");
}

#[test]
fn moved_elements_keep_what_their_attributes_say() {
    for inside in ["", "word", "<b>word</b>", "<br>", "<b><br></b>"] {
        let page = format!("<em><div hidden>{inside}</em><p>not displayed");
        assert_eq!(parse(&page, None, Options::default()).0.words, 0, "{page}");
    }
}
