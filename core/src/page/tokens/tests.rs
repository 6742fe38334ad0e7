//! Tests of the connection between tokenizer and tree builder.

use super::*;

/// Returns how often the tree builder visits an element while it reads a page.
fn steps(page: &str) -> u64 {
    let mut tokens = Tokens::new(None, Options::default(), page.len());
    let _ = Tokenizer::new_with_emitter(page, &mut tokens).next();
    tokens.builder.sink.steps()
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
