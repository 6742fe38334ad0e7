//! The encoding of a page, determined as browsers do: byte order mark, header, `<meta charset>`, then the bytes.
//!
//! <https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding>. Without a declaration,
//! browsers use the user's language; here, bytes that are valid UTF-8 are read as UTF-8, and all others as
//! windows-1252.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// An encoding, and whether the page can still correct it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen {
    pub encoding: &'static Encoding,
    is_certain: bool,
}

impl Chosen {
    pub fn certain(encoding: &'static Encoding) -> Self {
        Chosen {
            encoding,
            is_certain: true,
        }
    }

    /// Returns the encoding if it is a guess.
    pub fn tentative(self) -> Option<&'static Encoding> {
        (!self.is_certain).then_some(self.encoding)
    }

    /// Decodes the content: without a byte order mark, with invalid sequences replaced.
    pub fn decode(self, content: &[u8]) -> Cow<'_, str> {
        self.encoding.decode_with_bom_removal(content).0
    }
}

pub(super) fn choose(content: &[u8], charset: Option<&str>) -> Chosen {
    if let Some((encoding, _)) = Encoding::for_bom(content) {
        return Chosen::certain(encoding);
    }
    if let Some(encoding) = charset.and_then(|label| Encoding::for_label(label.as_bytes())) {
        return Chosen::certain(encoding);
    }
    let is_utf8 = Encoding::utf8_valid_up_to(content) == content.len();
    Chosen {
        encoding: if is_utf8 { UTF_8 } else { WINDOWS_1252 },
        is_certain: false,
    }
}

/// Returns the encoding that a `<meta>` label stands for. A page whose `<meta>` could be read is not in UTF-16.
pub(super) fn declared(label: &str) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label.as_bytes())?;
    if encoding == UTF_16LE || encoding == UTF_16BE {
        return Some(UTF_8);
    }
    Some(if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    })
}
