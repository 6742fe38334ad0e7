//! The report of the rewriter: closed vocabularies of repairs and omissions, counted, with the first examples.

use crate::anomaly::{AnomalyKind, evidence, evidence_within};
use crate::value::{UrlProblem, vocabulary};

vocabulary! {
    /// One kind of repair.
    Repair {
        Gzip, "gzip", "A file that was gzipped twice, or had trailing bytes, was gzipped once.";
        Bytes, "encoding", "The document was converted to UTF-8.";
        ByteOrderMark, "byte-order-mark", "The byte order mark was removed.";
        Declaration, "declaration", "An XML declaration for UTF-8 was written at the start.";
        Doctype, "doctype", "The document type declaration was removed.";
        Root, "root", "Several documents, or entries without a root, were put into one root element.";
        OutsideRoot, "outside-root", "Content outside the root element was removed.";
        InnerRoot, "inner-root", "The tags of a urlset or sitemapindex inside another element were removed.";
        Closed, "closed", "The truncated document was closed after its last complete entry.";
        Namespace, "namespace", "The sitemap namespace was corrected.";
        ExtensionNamespace, "extension-namespace", "The namespace of an extension was corrected or declared.";
        TagCase, "tag-case", "The name of an element was changed to lowercase.";
        Markup, "markup", "A malformed tag, attribute, comment or other markup was rewritten or removed.";
        Escaping, "escaping", "Characters and references were escaped as XML requires.";
        MissingLoc, "missing-loc", "A URL that stood in an entry without loc was put into a loc element.";
        StrayText, "stray-text", "Text between elements was removed.";
        Space, "whitespace", "Whitespace around a value was removed.";
        Order, "element-order", "The fields of an entry were put in the order of the schema.";
        EmptyField, "empty-field", "An empty optional field was removed.";
        RepeatedField, "repeated-field", "A repeated field with the same value was removed.";
        SeveralUrls, "several-urls", "An entry with several URLs was split into one entry per URL.";
        Duplicate, "duplicate-entry", "An entry identical to an earlier one was removed.";
        UrlEscaped, "url-escaping", "Characters that are not allowed in a URL were percent-encoded.";
        PercentSign, "percent-sign", "A % that does not start an escape was percent-encoded as %25.";
        EscapedTwice, "escaped-twice", "A URL that was XML-escaped twice was escaped once.";
        UrlResolved, "url-relative", "A relative URL was made absolute with the base URL.";
        UrlHost, "url-host", "The host of a development server was replaced by the one of the base URL.";
        Date, "date", "A date was converted to W3C datetime.";
        Changefreq, "changefreq", "A changefreq was changed to lowercase.";
        Number, "number", "A decimal comma was replaced by a decimal point.";
        Code, "code", "A language or country code was corrected to its standard form.";
        Split, "split", "The document was split into parts within the limits, with a sitemap index.";
    }
}

vocabulary! {
    /// The reason for which something was left out of the result.
    LeftOut {
        NoLoc, "no-loc", "The entry has no URL.";
        Relative, "relative-url", "The URL is relative, and there is no base URL or it is not a path.";
        NotHttp, "not-http", "The URL is neither http nor https.";
        UnsetVariable, "unset-variable", "The URL has a variable without a value, such as None or undefined.";
        Malformed, "malformed-url", "The URL is malformed, and its meaning is not clear.";
        Markup, "markup-in-url", "The URL contains markup, which may or may not be part of it.";
        Undecodable, "undecodable", "Bytes or characters in the URL cannot be decoded.";
        Entity, "declared-entity", "The value uses an entity that the document declares; entities are never expanded.";
        HalfRead, "cut-off", "The document ends here, inside the entry.";
        OtherRoot, "other-document", "The entry belongs to a second document of another kind in the file.";
        UrlInRecord, "url-in-record", "The URL is inside an image, video or news record of an entry that has another URL.";
        UnknownPrefix, "unknown-prefix", "The prefix of the element is undeclared and not a known one.";
        LostBytes, "lost-bytes", "Bytes that are invalid in the encoding; each became U+FFFD.";
        BadLine, "not-a-url", "The line is not a URL.";
        StrayUrl, "stray-url", "The URL is not inside a loc.";
    }
}

vocabulary! {
    /// The reason for which a document is not repaired.
    Refusal {
        TooLarge, "too-large", "The document exceeds the limit on its uncompressed size.";
        TokenTooLong, "token-too-long", "The document has a tag, comment or text that exceeds the length limit.";
        TooDeep, "too-deep", "The document has elements nested deeper than the limit.";
        EntryTooLarge, "entry-too-large", "The document has an entry that exceeds the size limit.";
        Feed, "feed", "The document is a feed; feeds are not repaired.";
        UnknownRoot, "unknown-root", "The root element is not that of a sitemap.";
        NoSitemap, "no-sitemap", "The document is not a sitemap.";
        Template, "template", "The document is a template that was not rendered; publish the output of its generator.";
        NoEntries, "no-entries", "The document has no entry that can be kept.";
    }
}

impl LeftOut {
    pub fn of(problem: UrlProblem) -> Self {
        match problem {
            UrlProblem::Empty => Self::NoLoc,
            UrlProblem::Relative => Self::Relative,
            UrlProblem::NotHttp => Self::NotHttp,
            UrlProblem::UnsetVariable => Self::UnsetVariable,
            _ => Self::Malformed,
        }
    }
}

/// Returns the repair for an anomaly where it is, or `None` if it is not repaired or is handled elsewhere.
pub fn repair_of(kind: AnomalyKind) -> Option<Repair> {
    use AnomalyKind as A;
    Some(match kind {
        A::BareAmpersand
        | A::BareLessThan
        | A::HtmlEntity
        | A::UndefinedEntity
        | A::CdataEndInText
        | A::ControlCharacter
        | A::InvalidCharReference
        | A::SurrogateReferences => Repair::Escaping,
        A::UnclosedElement
        | A::StrayEndTag
        | A::MalformedTag
        | A::DuplicateAttribute
        | A::MalformedComment
        | A::MalformedInstruction
        | A::MalformedMarkup
        | A::NestedEntry
        | A::NestedElement
        | A::NamespaceMalformed
        | A::NamespaceNotUri => Repair::Markup,
        A::SpaceBeforeDeclaration | A::DeclarationMalformed | A::DeclarationMisplaced => Repair::Declaration,
        A::Doctype | A::DoctypeMalformed => Repair::Doctype,
        A::TextOutsideRoot | A::ContentOutsideRoot => Repair::OutsideRoot,
        A::SecondRoot | A::MissingRoot | A::LooseField => Repair::Root,
        A::NestedIndex | A::NestedUrlset => Repair::InnerRoot,
        A::Truncated => Repair::Closed,
        A::StrayText => Repair::StrayText,
        A::SeveralUrls => Repair::SeveralUrls,
        A::OuterSpace | A::UnicodeSpace => Repair::Space,
        A::TagCase => Repair::TagCase,
        A::GzipTwice | A::GzipTrailingData => Repair::Gzip,
        _ => return None,
    })
}

/// Maximum examples stored per kind.
const EXAMPLES: usize = 20;
/// Maximum omissions that are listed individually.
const LISTED: usize = 10_000;
/// Longest text of an omission that is stored, in characters: enough for any valid URL in full.
const NAMED_CHARS: usize = 2_100;

/// One repair or omission.
#[derive(Clone, Debug)]
pub struct Example {
    pub line: i32,
    /// The text before, safe to print.
    pub before: String,
    /// The text after; empty if it was removed.
    pub after: String,
}

impl Example {
    pub fn new(line: i32, before: &str, after: &str) -> Self {
        Self {
            line,
            before: evidence(before.trim()),
            after: evidence(after),
        }
    }
}

/// Repairs by kind: counted exactly, with the first examples.
#[derive(Debug, Default)]
pub struct Repairs {
    kinds: Vec<(Repair, u64, Vec<Example>)>,
    /// The kinds with the maximum number of examples, as bits: no more are created for them.
    full: u64,
}

impl Repairs {
    /// Creates an empty account of repairs that will be appended to this one.
    pub fn of_a_part(&self) -> Self {
        Self {
            kinds: Vec::new(),
            full: self.full,
        }
    }

    pub fn add(&mut self, repair: Repair, count: u64, example: impl FnOnce() -> Example) {
        let is_wanted = self.full & (1 << repair as u8) == 0;
        self.merge(repair, count, is_wanted.then(example));
    }

    /// Adds the repairs of another account, and empties it.
    pub fn append(&mut self, other: &mut Self) {
        for (repair, count, examples) in other.kinds.drain(..) {
            self.merge(repair, count, examples);
        }
    }

    fn merge(&mut self, repair: Repair, count: u64, examples: impl IntoIterator<Item = Example>) {
        let at = match self.kinds.iter().position(|(known, ..)| *known == repair) {
            Some(at) => at,
            None => {
                self.kinds.push((repair, 0, Vec::new()));
                self.kinds.len() - 1
            }
        };
        let (_, total, kept) = &mut self.kinds[at];
        *total += count;
        let room = EXAMPLES.saturating_sub(kept.len());
        kept.extend(examples.into_iter().take(room));
        if kept.len() == EXAMPLES {
            self.full |= 1 << repair as u8;
        }
    }

    pub fn has(&self, repair: Repair) -> bool {
        self.kinds.iter().any(|(known, ..)| *known == repair)
    }

    /// Returns every kind that occurred, in the order of the vocabulary.
    pub fn iter(&self) -> impl Iterator<Item = (Repair, u64, &[Example])> {
        Repair::ALL.iter().filter_map(|repair| {
            let (_, count, examples) = self.kinds.iter().find(|(known, ..)| known == repair)?;
            Some((*repair, *count, examples.as_slice()))
        })
    }
}

/// Omissions: counted exactly, the first ones listed.
#[derive(Debug, Default)]
pub struct Omissions {
    pub listed: Vec<(LeftOut, Example)>,
    pub count: u64,
}

impl Omissions {
    pub fn add(&mut self, why: LeftOut, line: i32, what: &str) {
        self.count += 1;
        if self.listed.len() < LISTED {
            let before = evidence_within(what.trim(), NAMED_CHARS);
            let after = String::new();
            self.listed.push((why, Example { line, before, after }));
        }
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the same omissions, all with one reason.
    pub fn because_of(mut self, why: LeftOut) -> Self {
        for (reason, _) in &mut self.listed {
            *reason = why;
        }
        self
    }

    pub fn append(&mut self, other: Self) {
        self.count += other.count;
        let room = LISTED.saturating_sub(self.listed.len());
        self.listed.extend(other.listed.into_iter().take(room));
    }
}

/// Everything that was done to one document.
#[derive(Debug, Default)]
pub struct Account {
    pub repairs: Repairs,
    pub left_out: Omissions,
    /// Whether the document ends too early: how much of it is lost is unknown.
    pub is_cut_off: bool,
    /// Entries that stay as they are, because only the generator of the site can repair them.
    pub left_alone: Omissions,
}

impl Account {
    /// Notes a repair: the text at a line before and after.
    pub fn repair(&mut self, repair: Repair, line: i32, before: &str, after: &str) {
        self.repairs.add(repair, 1, || Example::new(line, before, after));
    }

    /// Notes that an entry was removed, and in which spelling its URL is kept, if that is another one.
    pub fn duplicate(&mut self, line: i32, loc: &str, kept: &str) {
        self.repair(Repair::Duplicate, line, loc, if kept == loc { "" } else { kept });
    }

    pub fn leave_out(&mut self, why: LeftOut, line: i32, what: &str) {
        self.left_out.add(why, line, what);
    }
}
