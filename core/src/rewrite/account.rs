//! What the rewriter did: closed vocabularies of repairs and of what is left out, counted, with the first examples.

use crate::anomaly::{AnomalyKind, evidence, evidence_within};
use crate::value::{UrlProblem, vocabulary};

vocabulary! {
    /// One kind of repair.
    Repair {
        Gzip, "gzip", "What was gzipped twice, or had other bytes behind it, was gzipped once.";
        Bytes, "encoding", "The document was converted to UTF-8.";
        ByteOrderMark, "byte-order-mark", "The byte order mark was removed.";
        Declaration, "declaration", "The XML declaration was written anew, in its place.";
        Doctype, "doctype", "The document type declaration was removed.";
        Root, "root", "Several documents, or entries without a root, were put into one root element.";
        OutsideRoot, "outside-root", "What stood outside the root element was removed.";
        Closed, "closed", "The document, which was cut off, was closed behind its last whole entry.";
        Namespace, "namespace", "The namespace of the sitemap was put right.";
        ExtensionNamespace, "extension-namespace", "The namespace of an extension was put right or declared.";
        TagCase, "tag-case", "The name of an element was written in lower case.";
        Markup, "markup", "A tag, attribute, comment or other markup that breaks XML was written anew or removed.";
        Escaping, "escaping", "Characters and references were escaped as XML has them.";
        StrayText, "stray-text", "Text between elements was removed.";
        Space, "white-space", "White space around a value was removed.";
        Order, "element-order", "The fields of an entry were put in the order of the schema.";
        EmptyField, "empty-field", "An empty optional field was removed.";
        RepeatedField, "repeated-field", "A field given twice with the same value was kept once.";
        SeveralUrls, "several-urls", "Several URLs in one entry; each got an entry of its own.";
        Duplicate, "duplicate-entry", "An entry that is the same as an earlier one was removed.";
        UrlEscaped, "url-escaping", "Characters that a URL cannot have were percent-encoded.";
        PercentSign, "percent-sign", "A % that begins no percent-encoding was written as %25.";
        EscapedTwice, "escaped-twice", "A URL that was escaped for XML twice was escaped once.";
        UrlResolved, "url-relative", "A relative URL was made absolute with the base URL.";
        Date, "date", "A date was written as W3C datetime.";
        Changefreq, "changefreq", "A changefreq was written in lower case.";
        Number, "number", "A number was written with a decimal point.";
        Code, "code", "A code of a language or country was written as its standard has it.";
        Split, "split", "The document was split into parts within the limits, with an index of them.";
    }
}

vocabulary! {
    /// Why something was left out of the result.
    LeftOut {
        NoLoc, "no-loc", "The entry has no URL.";
        Relative, "relative-url", "The URL is relative, and no base URL was given or it is no path.";
        NotHttp, "not-http", "The URL is neither http nor https.";
        Malformed, "malformed-url", "The URL is malformed, and has no one reading.";
        Markup, "markup-in-url", "Markup stands in the URL, which may be part of it or not.";
        Undecodable, "undecodable", "Bytes or characters in the URL cannot be read.";
        Entity, "declared-entity", "It uses an entity that the document declares; entities are never expanded.";
        HalfRead, "cut-off", "The document is cut off here; what follows is lost.";
        OtherRoot, "other-document", "The entry is of a second document in the file, of another kind.";
        UrlInRecord, "url-in-record", "The URL stands inside an image, a video or a news record of an entry that has another URL.";
        UnknownPrefix, "unknown-prefix", "The element's prefix is not declared, and has no customary meaning.";
        LostBytes, "lost-bytes", "Bytes that are not of the encoding; each became U+FFFD.";
        BadLine, "not-a-url", "The line is no URL.";
        StrayUrl, "stray-url", "The URL stands outside of any loc.";
    }
}

vocabulary! {
    /// Why a document is let be.
    Refusal {
        TooLarge, "too-large", "It is larger than the bound on its size after decompression.";
        TokenTooLong, "token-too-long", "A tag, comment or text in it is longer than the bound.";
        TooDeep, "too-deep", "Its elements are nested more deeply than the bound.";
        EntryTooLarge, "entry-too-large", "One of its entries is larger than the bound.";
        Feed, "feed", "It is a feed; feeds are not repaired.";
        UnknownRoot, "unknown-root", "Its root element is not that of a sitemap.";
        NoSitemap, "no-sitemap", "It is no sitemap.";
        NoEntries, "no-entries", "Nothing would be left of it: it has no entry that can be kept.";
    }
}

impl LeftOut {
    pub fn of(problem: UrlProblem) -> Self {
        match problem {
            UrlProblem::Empty => Self::NoLoc,
            UrlProblem::Relative => Self::Relative,
            UrlProblem::NotHttp => Self::NotHttp,
            _ => Self::Malformed,
        }
    }
}

/// The repair that an anomaly asks for where it stands; None for what is not repaired, or elsewhere.
pub fn repair_of(kind: AnomalyKind) -> Option<Repair> {
    use AnomalyKind as A;
    Some(match kind {
        A::BareAmpersand
        | A::BareLessThan
        | A::HtmlEntity
        | A::UndefinedEntity
        | A::CdataEndInText
        | A::ControlCharacter
        | A::InvalidCharReference => Repair::Escaping,
        A::UnclosedElement
        | A::StrayEndTag
        | A::MalformedTag
        | A::DuplicateAttribute
        | A::MalformedComment
        | A::MalformedInstruction
        | A::MalformedMarkup
        | A::NestedEntry
        | A::NestedElement
        | A::NamespaceMalformed => Repair::Markup,
        A::SpaceBeforeDeclaration | A::DeclarationMalformed | A::DeclarationMisplaced => Repair::Declaration,
        A::Doctype | A::DoctypeMalformed => Repair::Doctype,
        A::TextOutsideRoot => Repair::OutsideRoot,
        A::SecondRoot | A::MissingRoot | A::NestedIndex | A::LooseField => Repair::Root,
        A::Truncated => Repair::Closed,
        A::StrayText => Repair::StrayText,
        A::SeveralUrls => Repair::SeveralUrls,
        A::OuterSpace | A::UnicodeSpace => Repair::Space,
        A::TagCase => Repair::TagCase,
        A::GzipTwice | A::GzipTrailingData => Repair::Gzip,
        _ => return None,
    })
}

/// Most examples that are kept of one kind.
const EXAMPLES: usize = 20;
/// Most of what is left out that is listed one by one.
const LISTED: usize = 10_000;
/// Longest text of what is left out that is kept, in characters: a whole URL, so that nobody has to look for the rest.
const NAMED_CHARS: usize = 2_100;

/// One repair, or one thing left out.
#[derive(Clone, Debug)]
pub struct Example {
    pub line: i32,
    /// What stood there, safe to print.
    pub before: String,
    /// What stands there now; empty where nothing does.
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
    /// The kinds that have as many examples as are kept, as bits: of them no more are made.
    full: u64,
}

impl Repairs {
    /// None yet, of what will be appended to these.
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

    /// Adds what another one holds, which is empty then.
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

    /// Every kind that was made, in the order of the vocabulary.
    pub fn iter(&self) -> impl Iterator<Item = (Repair, u64, &[Example])> {
        Repair::ALL.iter().filter_map(|repair| {
            let (_, count, examples) = self.kinds.iter().find(|(known, ..)| known == repair)?;
            Some((*repair, *count, examples.as_slice()))
        })
    }
}

/// What was left out: counted exactly, the first of it listed.
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

    /// The same, all for one reason.
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
}

impl Account {
    /// Notes a repair: what stood at a line, and what stands there now.
    pub fn repair(&mut self, repair: Repair, line: i32, before: &str, after: &str) {
        self.repairs.add(repair, 1, || Example::new(line, before, after));
    }

    pub fn leave_out(&mut self, why: LeftOut, line: i32, what: &str) {
        self.left_out.add(why, line, what);
    }
}
