//! The anomalies that the reader reports: a closed set of kinds, each with a one-sentence description.

use std::borrow::Cow;

macro_rules! kinds {
    ($( $variant:ident, $name:literal, $class:ident, $about:literal; )*) => {
        /// A kind of anomaly. Names are published and never reused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum AnomalyKind { $( #[doc = $about] $variant, )* }

        impl AnomalyKind {
            /// All kinds, in declaration order.
            pub const ALL: &'static [AnomalyKind] = &[ $( AnomalyKind::$variant, )* ];

            /// The published name.
            pub const fn name(self) -> &'static str {
                match self { $( AnomalyKind::$variant => $name, )* }
            }

            /// The description, one sentence.
            pub const fn about(self) -> &'static str {
                match self { $( AnomalyKind::$variant => $about, )* }
            }

            /// Whether a document with it is not namespace-well-formed XML.
            pub const fn breaks_xml(self) -> bool {
                match self { $( AnomalyKind::$variant => kinds!(@ $class), )* }
            }
        }
    };
    (@ fatal) => { true };
    (@ note) => { false };
}

kinds! {
    // Decoding: bytes to text.
    GzipTruncated, "gzip-truncated", note, "The gzip data is truncated; everything before the end was read.";
    GzipCorrupt, "gzip-corrupt", note, "The gzip data is corrupt; everything before the damage was read.";
    GzipTrailingData, "gzip-trailing-data", note, "Bytes that are not gzip follow the gzip data; they were ignored.";
    GzipTwice, "gzip-twice", note, "The gzip data contains another gzip stream; both were decompressed.";
    SizeLimit, "size-limit", note, "The document is larger than the limit on its uncompressed size; reading stopped there.";
    EncodingUnknown, "encoding-unknown", fatal, "The declared encoding is unknown or unsupported, so UTF-8 was assumed; or the document is in UTF-32 and was not read.";
    EncodingConflict, "encoding-conflict", note, "The bytes contradict the declared or default encoding; the encoding of the bytes was used.";
    EncodingInvalid, "encoding-invalid", fatal, "Bytes that are invalid in the encoding; each sequence was read as U+FFFD.";
    // The XML of the document.
    SpaceBeforeDeclaration, "space-before-declaration", fatal, "Content before the XML declaration, which must come first.";
    DeclarationMalformed, "declaration-malformed", fatal, "The XML declaration is malformed.";
    DeclarationMisplaced, "declaration-misplaced", fatal, "A second XML declaration, or one inside the document.";
    Doctype, "doctype", note, "A document type declaration; nothing that it refers to is loaded or applied.";
    DoctypeMalformed, "doctype-malformed", fatal, "A document type declaration that is malformed or misplaced.";
    EntityDeclaration, "entity-declaration", note, "An entity declaration; entities are never expanded.";
    BareAmpersand, "bare-ampersand", fatal, "An & that does not start an entity reference; it was read literally.";
    BareLessThan, "bare-less-than", fatal, "A < that does not start a tag; it was read literally.";
    HtmlEntity, "html-entity", fatal, "A named HTML entity that XML does not define; it was read as its character.";
    UndefinedEntity, "undefined-entity", fatal, "An undefined entity; it was read literally.";
    DeclaredEntity, "declared-entity", note, "A reference to an entity that the document declares; it was read literally, not expanded.";
    InvalidCharReference, "invalid-char-reference", fatal, "A numeric reference to a character that XML does not allow; it was read as U+FFFD.";
    SurrogateReferences, "surrogate-references", fatal, "Two references to the surrogates of one character, which XML does not allow; they were read as the character.";
    ControlCharacter, "control-character", fatal, "A character that XML does not allow; it was kept.";
    CdataEndInText, "cdata-end-in-text", fatal, "The sequence ]]> outside a CDATA section; it was read literally.";
    UnclosedElement, "unclosed-element", fatal, "An element without an end tag; it was closed at the most plausible place.";
    StrayEndTag, "stray-end-tag", fatal, "An end tag without a start tag; it was ignored.";
    MalformedTag, "malformed-tag", fatal, "A malformed tag; as much of it as possible was read.";
    DuplicateAttribute, "duplicate-attribute", fatal, "A duplicate attribute; the first one was read.";
    UndeclaredPrefix, "undeclared-prefix", fatal, "An undeclared namespace prefix; its usual namespace was assumed.";
    NamespaceMalformed, "namespace-malformed", fatal, "A name or namespace declaration that violates the rules of namespaces in XML.";
    NamespaceNotUri, "namespace-not-uri", note, "A namespace name that is not a URI reference, which processors need not check.";
    MalformedComment, "malformed-comment", fatal, "A malformed comment.";
    MalformedInstruction, "malformed-instruction", fatal, "A malformed processing instruction.";
    MalformedMarkup, "malformed-markup", fatal, "A <! that does not start a comment, CDATA section, or document type declaration here.";
    TextOutsideRoot, "text-outside-root", fatal, "Text before or after the root element.";
    ContentOutsideRoot, "content-outside-root", fatal, "Content of another format before or after the root element, such as a message of PHP, a script, or an HTML page; it was skipped.";
    SecondRoot, "second-root", fatal, "A second root element: several documents in one file; all were read.";
    NoRoot, "no-root", fatal, "No root element.";
    Truncated, "truncated", fatal, "The document ends too early; complete entries were kept, and also the last one if its URL was complete; the anomaly then has the ordinal of that entry.";
    TokenTooLong, "token-too-long", note, "A tag, comment, text, or line that is longer than the length limit; it was cut, skipped, or read in parts.";
    TooDeep, "too-deep", note, "Elements nested deeper than the limit; the end tags of deeper elements were not checked.";
    // The structure of the sitemap.
    UnknownRoot, "unknown-root", note, "The root element is not urlset, sitemapindex, rss, rdf:RDF, or feed.";
    MissingRoot, "missing-root", note, "Entries without a urlset or sitemapindex element around them; they were read.";
    NamespaceMissing, "namespace-missing", note, "The element is not in a namespace; the sitemap namespace was assumed.";
    NamespaceWrong, "namespace-wrong", note, "The element is in a namespace other than the sitemap namespace; the sitemap namespace was assumed.";
    ElementNamespaceMissing, "element-namespace-missing", note, "An entry, or a field of an entry, that is in no namespace, although the root is in one; the sitemap namespace was assumed.";
    ElementNamespaceWrong, "element-namespace-wrong", note, "An entry, or a field of an entry, in a namespace other than the sitemap namespace, although the root is in that; the sitemap namespace was assumed.";
    ExtensionNamespaceWrong, "extension-namespace-wrong", note, "An extension element is not in the namespace of its extension; the extension was assumed.";
    TagCase, "tag-case", note, "A known element that is not written in lowercase; it was read as that element.";
    MisplacedUrl, "misplaced-url", note, "A url element in a sitemapindex; it was read as an entry.";
    MisplacedSitemap, "misplaced-sitemap", note, "A sitemap element in a urlset; it was read as an index entry.";
    NestedEntry, "nested-entry", note, "An entry inside another entry; both were read, the outer one up to the start of the inner one.";
    NestedIndex, "nested-index", note, "A sitemapindex inside another element; its entries were read.";
    NestedUrlset, "nested-urlset", note, "A urlset inside another element; its entries were read.";
    UnknownElement, "unknown-element", note, "An element that is not defined in the sitemap namespace or extension namespace that it is in; it was ignored.";
    UnknownAttribute, "unknown-attribute", note, "An attribute that is not defined for the element; it was ignored.";
    LooseField, "loose-field", note, "A field outside an entry; it was read as part of an entry.";
    NestedElement, "nested-element", note, "An element inside a field that allows only text; its text was read as part of the field.";
    SeveralUrls, "several-urls", note, "Several URLs in one entry; each additional one starts a separate entry, with the fields that follow it.";
    LocMissing, "loc-missing", note, "An entry without loc; a URL written directly in the entry was read as its loc.";
    LocEmpty, "loc-empty", note, "An entry with an empty loc.";
    FieldEmpty, "field-empty", note, "An optional field that is empty.";
    ChildLastmodEmpty, "child-lastmod-empty", note, "An entry of an index whose lastmod is empty.";
    RepeatedField, "repeated-field", note, "A field that occurs more than once in an entry; the first value was read, the others are in repeats.";
    ElementOrder, "element-order", note, "Fields that are not in the order of the schema.";
    EscapedTwice, "escaped-twice", note, "A URL that still contains an XML escape: it was escaped twice, or once in a text file.";
    UnrenderedTemplate, "unrendered-template", note, "Front matter, or a marker of a template language, in a URL, a date, or between elements: the template was not rendered. Front matter was skipped.";
    StrayText, "stray-text", note, "Text between elements; it was ignored.";
    OuterSpace, "surrounding-space", note, "Whitespace around a value; it was removed.";
    UnicodeSpace, "unicode-space", note, "Unicode whitespace around a value that XML does not treat as whitespace, such as a no-break space; it was removed.";
}

/// Maximum length of the evidence, in characters.
pub const EVIDENCE_CHARS: usize = 120;

/// One anomaly, ready to become a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anomaly {
    pub kind: AnomalyKind,
    pub ordinal: Option<i32>,
    pub field: Option<Cow<'static, str>>,
    pub line: Option<i32>,
    pub col: Option<i32>,
    pub byte_offset: i64,
    pub evidence: String,
    pub count: i64,
}

/// Escapes control, format, and bidi characters, and shortens the text to `EVIDENCE_CHARS`.
pub fn evidence(text: &str) -> String {
    evidence_within(text, EVIDENCE_CHARS)
}

/// The same, with at most `most` characters.
pub fn evidence_within(text: &str, most: usize) -> String {
    let mut out = String::with_capacity(text.len().min(most * 2));
    let mut used = 0;
    for ch in text.chars() {
        let escaped = match ch {
            '\n' => Some("\\n".to_owned()),
            '\r' => Some("\\r".to_owned()),
            '\t' => Some("\\t".to_owned()),
            c if is_unprintable(c) => Some(format!("\\u{{{:x}}}", c as u32)),
            _ => None,
        };
        let width = escaped.as_ref().map_or(1, String::len);
        if used + width > most - 1 {
            out.push('…');
            return out;
        }
        match escaped {
            Some(escape) => out.push_str(&escape),
            None => out.push(ch),
        }
        used += width;
    }
    out
}

/// Whether a terminal or a browser would interpret the character instead of displaying it.
pub fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{ad}' | '\u{61c}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::evidence_within;

    #[test]
    fn longer_evidence_is_shortened() {
        for (text, shown) in [("abc", "abc"), ("abcde", "abc…"), ("a\tb\t", "a\\t…"), ("\u{7f}", "…")] {
            assert_eq!(evidence_within(text, 4), shown, "{text}");
        }
    }
}
