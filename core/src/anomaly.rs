//! What the reader can notice: a closed set of kinds, each with a sentence on what it means.

use std::borrow::Cow;

macro_rules! kinds {
    ($( $variant:ident, $name:literal, $class:ident, $about:literal; )*) => {
        /// One kind of thing the reader noticed. Names are published: they are never reused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum AnomalyKind { $( #[doc = $about] $variant, )* }

        impl AnomalyKind {
            /// Every kind, in the order of the enum.
            pub const ALL: &'static [AnomalyKind] = &[ $( AnomalyKind::$variant, )* ];

            /// The published name.
            pub const fn name(self) -> &'static str {
                match self { $( AnomalyKind::$variant => $name, )* }
            }

            /// What it means, in a sentence.
            pub const fn about(self) -> &'static str {
                match self { $( AnomalyKind::$variant => $about, )* }
            }

            /// Whether a document with it is not well-formed XML with namespaces.
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
    GzipTruncated, "gzip-truncated", note, "The gzip stream ends before its end; what could be inflated was read.";
    GzipCorrupt, "gzip-corrupt", note, "The gzip stream is damaged; what came before the damage was read.";
    GzipTrailingData, "gzip-trailing-data", note, "Bytes that are no gzip follow the gzip stream; they were left out.";
    GzipTwice, "gzip-twice", note, "The gzip stream holds another gzip stream; both were undone.";
    SizeLimit, "size-limit", note, "The document is larger than the bound on its inflated size; reading stopped there.";
    EncodingUnknown, "encoding-unknown", fatal, "The encoding that the declaration names does not exist; UTF-8 was assumed.";
    EncodingConflict, "encoding-conflict", note, "The byte order mark and the declaration name different encodings; the bytes decided.";
    EncodingInvalid, "encoding-invalid", fatal, "Bytes that are not of the encoding; each was read as U+FFFD.";
    // The XML of the document.
    SpaceBeforeDeclaration, "space-before-declaration", fatal, "Something stands before the XML declaration, which must come first.";
    DeclarationMalformed, "declaration-malformed", fatal, "The XML declaration breaks its grammar.";
    DeclarationMisplaced, "declaration-misplaced", fatal, "A second XML declaration, or one inside the document.";
    Doctype, "doctype", note, "A document type declaration; nothing of it is opened or applied.";
    DoctypeMalformed, "doctype-malformed", fatal, "A document type declaration that breaks its grammar or stands in the wrong place.";
    EntityDeclaration, "entity-declaration", note, "An entity declaration; entities are never expanded.";
    BareAmpersand, "bare-ampersand", fatal, "An & that begins no entity; it was read as itself.";
    BareLessThan, "bare-less-than", fatal, "A < that begins no tag; it was read as itself.";
    HtmlEntity, "html-entity", fatal, "A named entity of HTML that XML does not have; it was read as its character.";
    UndefinedEntity, "undefined-entity", fatal, "An entity that is not defined; it was read as written.";
    DeclaredEntity, "declared-entity", note, "A reference to an entity that the document declares; it was read as written, not expanded.";
    InvalidCharReference, "invalid-char-reference", fatal, "A numeric reference to a character that XML forbids; it was read as written.";
    ControlCharacter, "control-character", fatal, "A character that XML forbids; it was kept.";
    CdataEndInText, "cdata-end-in-text", fatal, "The sequence ]]> outside a CDATA section; it was read as itself.";
    UnclosedElement, "unclosed-element", fatal, "An element without its end tag; it was closed where a sensible reader would.";
    StrayEndTag, "stray-end-tag", fatal, "An end tag without its start tag; it was passed over.";
    MalformedTag, "malformed-tag", fatal, "A tag that breaks its grammar; what could be read of it was read.";
    DuplicateAttribute, "duplicate-attribute", fatal, "An attribute given twice; the first was read.";
    UndeclaredPrefix, "undeclared-prefix", fatal, "A namespace prefix that is not declared; its customary meaning was assumed.";
    NamespaceMalformed, "namespace-malformed", fatal, "A name or namespace declaration that breaks the rules of namespaces in XML.";
    MalformedComment, "malformed-comment", fatal, "A comment that breaks its grammar.";
    MalformedInstruction, "malformed-instruction", fatal, "A processing instruction that breaks its grammar.";
    MalformedMarkup, "malformed-markup", fatal, "A <! that begins no comment, CDATA section or document type declaration here.";
    TextOutsideRoot, "text-outside-root", fatal, "Text before or after the root element.";
    SecondRoot, "second-root", fatal, "A second root element: several documents in one file; all were read.";
    NoRoot, "no-root", fatal, "No root element.";
    Truncated, "truncated", fatal, "The document ends inside an element; complete entries were kept, and the last one if its URL was complete; the anomaly then carries its ordinal.";
    TokenTooLong, "token-too-long", note, "A tag, comment or text longer than the bound; it was cut.";
    TooDeep, "too-deep", note, "Elements nested deeper than the bound; whether the deeper ones are closed was not checked.";
    // The structure of the sitemap.
    UnknownRoot, "unknown-root", note, "The root element is not urlset, sitemapindex, rss, rdf:RDF or feed.";
    MissingRoot, "missing-root", note, "Entries without the urlset or sitemapindex element around them; they were read.";
    NamespaceMissing, "namespace-missing", note, "The element is in no namespace; the sitemap namespace was assumed.";
    NamespaceWrong, "namespace-wrong", note, "The element is in a namespace that is not the sitemap's; the sitemap namespace was assumed.";
    ExtensionNamespaceWrong, "extension-namespace-wrong", note, "An extension's prefix is bound to a namespace that is not the extension's; the extension was assumed.";
    TagCase, "tag-case", note, "A known element not written in lower case; it was read as that element.";
    MisplacedUrl, "misplaced-url", note, "A url element in a sitemapindex; it was read as an entry.";
    MisplacedSitemap, "misplaced-sitemap", note, "A sitemap element in a urlset; it was read as an index entry.";
    NestedEntry, "nested-entry", note, "An entry inside another entry; both were read, the outer one as far as the inner one began.";
    NestedIndex, "nested-index", note, "A sitemapindex inside another element; its entries were read.";
    UnknownElement, "unknown-element", note, "An element of the sitemap's or an extension's namespace that does not exist there; it was passed over.";
    UnknownAttribute, "unknown-attribute", note, "An attribute that the element does not have; it was passed over.";
    LooseField, "loose-field", note, "A field outside an entry; an entry was assumed around it.";
    NestedElement, "nested-element", note, "An element inside a field that holds text only; its text was read as the field's.";
    SeveralUrls, "several-urls", note, "Several URLs in one entry; each further one begins an entry of its own, with the fields that follow it.";
    LocMissing, "loc-missing", note, "An entry without loc.";
    LocEmpty, "loc-empty", note, "An entry whose loc is empty.";
    FieldEmpty, "field-empty", note, "An optional field that is empty.";
    RepeatedField, "repeated-field", note, "A field given more than once in an entry; the first was read, the others are in repeats.";
    ElementOrder, "element-order", note, "Fields in another order than the schema's sequence.";
    EscapedTwice, "escaped-twice", note, "A URL with an escape of XML left in it: it was escaped twice, or once in a text file.";
    UnrenderedTemplate, "unrendered-template", note, "Front matter, or a marker of a template language, in a URL, a date or between elements: the template was never rendered. Front matter was passed over.";
    StrayText, "stray-text", note, "Text between elements; it was passed over.";
    OuterSpace, "outer-space", note, "White space around a value; it was removed.";
    UnicodeSpace, "unicode-space", note, "White space that XML does not count as such (a no-break space, say) around a value; it was removed.";
    // The view of the official schemas, noted only where it is asked for.
    SchemaElement, "schema-element", note, "An element that the official schemas do not allow where it stands.";
    SchemaIncomplete, "schema-incomplete", note, "An element without one that the official schemas demand in it.";
    SchemaAttribute, "schema-attribute", note, "An attribute that the official schemas do not allow.";
    SchemaText, "schema-text", note, "Text where the official schemas allow only elements, or a reference to an entity in what they look at.";
    SchemaLoc, "schema-loc", note, "A loc that is not of its type in the official schemas.";
    SchemaLastmod, "schema-lastmod", note, "A lastmod that is not of its type in the official schemas.";
    SchemaChangefreq, "schema-changefreq", note, "A changefreq that is not of its type in the official schemas.";
    SchemaPriority, "schema-priority", note, "A priority that is not of its type in the official schemas.";
}

/// Longest evidence kept, in characters.
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

/// Makes text safe to print and short enough to keep: control, format and bidi characters are escaped.
pub fn evidence(text: &str) -> String {
    evidence_within(text, EVIDENCE_CHARS)
}

/// The same, with a bound of its own on the characters kept.
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

/// Characters that a terminal or a browser would act on instead of showing.
pub fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{ad}' | '\u{61c}' | '\u{e0000}'..='\u{e007f}')
}
