//! Tokens of whole documents and of documents in pieces.

use super::*;
use crate::limits::MAX_TOKEN_LENGTH;

#[test]
fn texts_are_cut_between_units() {
    for (before, after, back) in [
        ("plain", "text", 0),
        ("plain &am", "p; text", 3),
        ("a &amp;", "b", 0),
        ("a\r", "\nb", 1),
        ("a]", "]>b", 1),
        ("a]]", ">b", 2),
        ("é", "é", 0),
    ] {
        let filler = "-".repeat(70).replace("--", "-+");
        let text = format!("{filler}{before}{after}");
        let at = filler.len() + before.len();
        assert_eq!(cut_of(text.as_bytes(), at), at - back, "{before}|{after}");
    }
    // No cut inside a character; a run of the sequence that cuts avoid must still be cut somewhere.
    let text = format!("{}😀", "-+".repeat(40));
    assert_eq!(cut_of(text.as_bytes(), text.len() - 1), text.len() - 4);
    assert_eq!(cut_of("]".repeat(200).as_bytes(), 150), 150 - 64);
}

#[test]
fn the_size_of_the_window_does_not_change_a_token() {
    let document = "<a b='c' d=e>x &amp; y<!-- - --><![CDATA[z]]><?p q?></a><!DOCTYPE u [<!-- ]> -->]>< <b<c/>tail";
    let tokens = |step: usize| {
        let bytes = document.as_bytes();
        let (mut tokenizer, mut found) = (Tokenizer::new(MAX_TOKEN_LENGTH), Vec::new());
        let (mut at, mut shown) = (0, step.min(bytes.len()));
        while at < bytes.len() {
            match tokenizer.next(&document[..shown.max(at + 1)], at, shown >= bytes.len()) {
                None => shown = (shown.max(at) + step).min(bytes.len()),
                Some(token) => {
                    at = token.end().unwrap_or(bytes.len());
                    tokenizer.has_doctype |= matches!(token, Token::Doctype { .. });
                    found.push((token, tokenizer.faults.clone(), tokenizer.attributes.len()));
                }
            }
        }
        found
    };
    let whole = tokens(document.len());
    assert!(whole.len() > 10);
    for step in 1..document.len() {
        assert_eq!(tokens(step), whole, "{step} bytes at a time");
    }
}
