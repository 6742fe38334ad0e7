//! The hreflang links of one entry.

use super::refusal::{Reason, Refusal};
use crate::value::{hreflang, trim};

/// Returns a valid hreflang code without outer whitespace.
pub fn code(given: &str, name: &str) -> Result<String, Refusal> {
    let code = trim(given);
    match hreflang::parse(code) {
        None => Ok(code.to_owned()),
        Some(problem) => Err(Refusal::new(Reason::HreflangInvalid, name, problem.name(), code)),
    }
}

/// Adds a link, once: the same code must not have two URLs.
pub fn push_link(links: &mut Vec<(String, String)>, link: (String, String)) -> Result<(), Refusal> {
    match links.iter().find(|(code, _)| code.eq_ignore_ascii_case(&link.0)) {
        None => links.push(link),
        Some((_, href)) if *href == link.1 => {}
        Some((_, href)) => {
            let detail = format!("{} also links to {href}", link.0);
            return Err(Refusal::new(
                Reason::HreflangRepeated,
                "alternates.hreflang",
                &detail,
                &link.1,
            ));
        }
    }
    Ok(())
}

/// Sorts by code in lowercase, with `x-default` last.
pub fn link_order(code: &str) -> (bool, String) {
    (code.eq_ignore_ascii_case("x-default"), code.to_ascii_lowercase())
}
