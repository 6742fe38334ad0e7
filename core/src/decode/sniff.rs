//! Sniffing: determines the type of a document from its first bytes, regardless of file name and headers.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::DecodeAnomaly;
use crate::anomaly::{AnomalyKind, evidence};
use crate::value::space::is_xml_space;

/// Bytes that are checked: 1,024 characters of UTF-16.
pub(super) const HEAD: usize = 2048;
/// Bytes that are searched for the signatures of files that are not text.
const MAGIC_HEAD: usize = 512;
/// Characters within which the XML declaration must name the encoding.
const DECLARATION_CHARS: usize = 1024;
/// Longest name of an encoding that is stored, in characters.
const LABEL_CHARS: usize = 100;

/// The type of a document that is not text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Magic {
    Empty,
    Zip,
    SevenZip,
    Rar,
    Tar,
    /// A third gzip stream inside two others, which is not decompressed.
    Gzip,
    Bzip2,
    Xz,
    Zstd,
    Pdf,
    Png,
    Jpeg,
    Gif,
    Webp,
    Sqlite,
    /// Unknown, but not text.
    Binary,
}

impl Magic {
    /// The published name.
    pub const fn name(self) -> &'static str {
        match self {
            Magic::Empty => "empty",
            Magic::Zip => "zip",
            Magic::SevenZip => "7z",
            Magic::Rar => "rar",
            Magic::Tar => "tar",
            Magic::Gzip => "gzip",
            Magic::Bzip2 => "bzip2",
            Magic::Xz => "xz",
            Magic::Zstd => "zstd",
            Magic::Pdf => "pdf",
            Magic::Png => "png",
            Magic::Jpeg => "jpeg",
            Magic::Gif => "gif",
            Magic::Webp => "webp",
            Magic::Sqlite => "sqlite",
            Magic::Binary => "binary",
        }
    }
}

/// The signatures: position, bytes, and type.
const SIGNATURES: &[(usize, &[u8], Magic)] = &[
    // PKWARE APPNOTE.TXT 4.3.7 (starts with a file), 4.3.16 (an empty archive), 8.5.3 (a spanned archive).
    (0, b"PK\x03\x04", Magic::Zip),
    (0, b"PK\x05\x06", Magic::Zip),
    (0, b"PK\x07\x08", Magic::Zip),
    // 7zFormat.txt of the LZMA SDK, "SignatureHeader".
    (0, b"7z\xbc\xaf\x27\x1c", Magic::SevenZip),
    // RAR 4 and 5: https://www.rarlab.com/technote.htm#rarsign
    (0, b"Rar!\x1a\x07\x00", Magic::Rar),
    (0, b"Rar!\x1a\x07\x01\x00", Magic::Rar),
    // POSIX.1-2017, pax, "ustar Interchange Format"; GNU tar writes the same five letters.
    (257, b"ustar", Magic::Tar),
    (0, b"\x1f\x8b", Magic::Gzip),
    // https://tukaani.org/xz/xz-file-format.txt 2.1.1.1
    (0, b"\xfd7zXZ\x00", Magic::Xz),
    // https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1
    (0, b"\x28\xb5\x2f\xfd", Magic::Zstd),
    // https://mimesniff.spec.whatwg.org/ sections 6.1 and 7.1.
    (0, b"%PDF-", Magic::Pdf),
    (0, b"\x89PNG\r\n\x1a\n", Magic::Png),
    (0, b"\xff\xd8\xff", Magic::Jpeg),
    (0, b"GIF87a", Magic::Gif),
    (0, b"GIF89a", Magic::Gif),
    // https://www.sqlite.org/fileformat.html#magic_header_string
    (0, b"SQLite format 3\x00", Magic::Sqlite),
];

/// What the head of a document shows.
pub(super) struct Sniffed {
    pub encoding: &'static Encoding,
    /// Length of the byte order mark, in bytes.
    pub bom: usize,
    pub declared: Option<String>,
    pub magic: Option<Magic>,
    pub anomaly: Option<DecodeAnomaly>,
}

/// Analyzes the first `HEAD` bytes of a document, or all of it if it is shorter.
pub(super) fn sniff(head: &[u8]) -> Sniffed {
    let mut sniffed = Sniffed {
        encoding: UTF_8,
        bom: 0,
        declared: None,
        magic: None,
        anomaly: None,
    };
    if head.is_empty() {
        sniffed.magic = Some(Magic::Empty);
        return sniffed;
    }
    if let Some(name) = utf_32_bom(head) {
        // The WHATWG decoders dropped UTF-32, and so did encoding_rs.
        sniffed.magic = Some(Magic::Binary);
        sniffed.anomaly = Some(anomaly(
            AnomalyKind::EncodingUnknown,
            0,
            format!("{name} byte order mark"),
        ));
        return sniffed;
    }
    if let Some((encoding, bom)) = Encoding::for_bom(head) {
        (sniffed.encoding, sniffed.bom) = (encoding, bom);
    } else if let Some(encoding) = utf_16_pattern(head) {
        sniffed.encoding = encoding;
    } else {
        sniffed.magic = magic(&head[..head.len().min(MAGIC_HEAD)]);
        if sniffed.magic.is_some() {
            return sniffed;
        }
    }
    let (text, _) = sniffed.encoding.decode_without_bom_handling(&head[sniffed.bom..]);
    let declared = declared_encoding(&text);
    sniffed.declared = declared.map(|(_, label)| label.chars().take(LABEL_CHARS).collect());
    if sniffed.bom == 0 && sniffed.encoding == UTF_8 {
        sniffed.follow(declared);
    } else {
        sniffed.compare(declared, &text);
    }
    sniffed
}

impl Sniffed {
    /// Applies the declared encoding to bytes that are known to be in 8-bit units.
    fn follow(&mut self, declared: Option<(usize, &str)>) {
        let Some((offset, label)) = declared else { return };
        let quoted = format!("encoding=\"{label}\"");
        match Encoding::for_label_no_replacement(label.as_bytes()) {
            _ if is_wide(label) => {
                let evidence = format!("{quoted}, but the bytes are not UTF-16 or UTF-32");
                let conflict = anomaly(AnomalyKind::EncodingConflict, offset, evidence);
                self.anomaly = Some(DecodeAnomaly {
                    breaks_xml: true,
                    ..conflict
                });
            }
            Some(encoding) => self.encoding = encoding,
            None => self.anomaly = Some(anomaly(AnomalyKind::EncodingUnknown, offset, quoted)),
        }
    }

    /// Compares the declaration with the encoding that the bytes showed, which takes precedence.
    fn compare(&mut self, declared: Option<(usize, &str)>, text: &str) {
        let name = self.encoding.name();
        let shown = if self.bom > 0 { "byte order mark" } else { "bytes" };
        let conflict = match declared {
            Some((_, label)) if agrees(label, self.encoding) => return,
            Some((offset, label)) => {
                let evidence = format!("{name} {shown}, but encoding=\"{label}\"");
                anomaly(AnomalyKind::EncodingConflict, offset, evidence)
            }
            // Without byte order mark and declaration only UTF-8 is allowed (https://www.w3.org/TR/xml/#charencoding);
            // libxml2 accepts "<?" alone as a declaration.
            None if self.bom == 0 && !text.starts_with("<?") => {
                let evidence = format!("{name} bytes without a byte order mark or declaration");
                let conflict = anomaly(AnomalyKind::EncodingConflict, 0, evidence);
                DecodeAnomaly {
                    breaks_xml: true,
                    ..conflict
                }
            }
            None => return,
        };
        self.anomaly = Some(conflict);
    }
}

fn anomaly(kind: AnomalyKind, offset: usize, about: String) -> DecodeAnomaly {
    DecodeAnomaly {
        kind,
        byte_offset: offset as i64,
        in_text: true,
        breaks_xml: kind.breaks_xml(),
        count: 1,
        evidence: evidence(&about),
    }
}

fn utf_32_bom(head: &[u8]) -> Option<&'static str> {
    if head.starts_with(b"\xff\xfe\0\0") {
        Some("UTF-32LE")
    } else if head.starts_with(b"\0\0\xfe\xff") {
        Some("UTF-32BE")
    } else {
        None
    }
}

/// Detects UTF-16 without a byte order mark: its first characters are ASCII, so every second byte is NUL.
fn utf_16_pattern(head: &[u8]) -> Option<&'static Encoding> {
    let units = (head.len() / 2).min(4);
    let is_text = |first: usize| {
        units >= 2
            && head.chunks_exact(2).take(units).all(|unit| {
                let (byte, other) = (unit[first], unit[1 - first]);
                other == 0 && (byte.is_ascii_graphic() || is_xml_space(byte))
            })
    };
    if is_text(0) {
        Some(UTF_16LE)
    } else if is_text(1) {
        Some(UTF_16BE)
    } else {
        None
    }
}

fn magic(head: &[u8]) -> Option<Magic> {
    let at = |offset: usize, bytes: &[u8]| head.get(offset..).is_some_and(|rest| rest.starts_with(bytes));
    let signature = SIGNATURES.iter().find(|(offset, bytes, _)| at(*offset, bytes));
    if let Some((_, _, magic)) = signature {
        return Some(*magic);
    }
    // "BZh", the block size, and the number that starts a block or the end: https://sourceware.org/bzip2/
    if at(0, b"BZh") && (at(4, b"\x31\x41\x59\x26\x53\x59") || at(4, b"\x17\x72\x45\x38\x50\x90")) {
        return Some(Magic::Bzip2);
    }
    // https://mimesniff.spec.whatwg.org/#image-type-pattern-matching-algorithm
    if at(0, b"RIFF") && at(8, b"WEBPVP") {
        return Some(Magic::Webp);
    }
    is_binary(head).then_some(Magic::Binary)
}

/// Returns whether the head is not text. One NUL is enough if it does not start as a sitemap does (with markup or a
/// URL), where a stray NUL is more likely. Otherwise, control characters must make up a tenth.
fn is_binary(head: &[u8]) -> bool {
    let start = head
        .iter()
        .position(|byte| !is_xml_space(*byte))
        .map_or(&head[..0], |start| &head[start..]);
    let like_sitemap =
        start.first() == Some(&b'<') || start.get(..4).is_some_and(|four| four.eq_ignore_ascii_case(b"http"));
    let controls = head.iter().filter(|byte| is_binary_data_byte(**byte)).count();
    controls * 10 > head.len() || (!like_sitemap && head.contains(&0))
}

/// <https://mimesniff.spec.whatwg.org/#binary-data-byte>. It excludes ESC, which ISO-2022-JP needs.
fn is_binary_data_byte(byte: u8) -> bool {
    matches!(byte, 0x00..=0x08 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f)
}

/// Returns whether a name is that of an encoding with units of 16 or 32 bits, which cannot be 8-bit text.
fn is_wide(label: &str) -> bool {
    // WHATWG has no 32-bit encodings; the names are from https://www.iana.org/assignments/character-sets.
    const OF_32_BITS: &[&str] = &[
        "utf-32",
        "utf-32le",
        "utf-32be",
        "utf32",
        "ucs-4",
        "ucs4",
        "iso-10646-ucs-4",
        "csucs4",
        "csutf32",
    ];
    let is_16_bits =
        Encoding::for_label(label.as_bytes()).is_some_and(|encoding| encoding == UTF_16LE || encoding == UTF_16BE);
    is_16_bits || OF_32_BITS.contains(&label.trim().to_ascii_lowercase().as_str())
}

/// Returns whether the declared name belongs to the encoding. A name of UTF-16 without a byte order matches both
/// orders.
fn agrees(label: &str, encoding: &'static Encoding) -> bool {
    let says_no_order =
        !label.to_ascii_lowercase().trim().ends_with("le") && !label.to_ascii_lowercase().contains("fffe");
    match Encoding::for_label(label.as_bytes()) {
        Some(declared) if declared == UTF_16LE && says_no_order => encoding == UTF_16LE || encoding == UTF_16BE,
        declared => declared == Some(encoding),
    }
}

/// Returns the value of `encoding` in the XML declaration at the start of the text, and its position. Lenient:
/// whitespace before the declaration, any order of attributes, and missing quotes are accepted.
pub fn declared_encoding(text: &str) -> Option<(usize, &str)> {
    let end = text
        .char_indices()
        .nth(DECLARATION_CHARS)
        .map_or(text.len(), |(end, _)| end);
    let text = &text[..end];
    let bytes = text.as_bytes();
    let start = bytes.iter().position(|byte| !is_xml_space(*byte))?;
    if !bytes.get(start..start + 5)?.eq_ignore_ascii_case(b"<?xml") || !is_xml_space(*bytes.get(start + 5)?) {
        return None;
    }
    let skip_space = |mut at: usize| {
        while bytes.get(at).is_some_and(|byte| is_xml_space(*byte)) {
            at += 1;
        }
        at
    };
    let mut at = start + 5;
    loop {
        at = skip_space(at);
        let name_from = at;
        while bytes
            .get(at)
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        {
            at += 1;
        }
        let name = &bytes[name_from..at];
        if name.is_empty() {
            // "?>" and "<" end the declaration; anything else here is a mistake and is skipped.
            match *bytes.get(at)? {
                b'>' | b'<' => return None,
                _ => at += 1,
            }
            continue;
        }
        let equals = skip_space(at);
        if bytes.get(equals) != Some(&b'=') {
            continue;
        }
        let (from, to) = value(bytes, skip_space(equals + 1))?;
        if name.eq_ignore_ascii_case(b"encoding") {
            return Some((from, &text[from..to]));
        }
        at = to + usize::from(bytes.get(to).is_some_and(|byte| matches!(byte, b'"' | b'\'')));
    }
}

/// Returns the start and end of the value at a position, without its quotes.
fn value(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let quote = *bytes.get(at)?;
    let (from, ends): (usize, &dyn Fn(u8) -> bool) = if matches!(quote, b'"' | b'\'') {
        (at + 1, &|byte| byte == quote || matches!(byte, b'<' | b'>'))
    } else {
        (at, &|byte| {
            is_xml_space(byte) || matches!(byte, b'?' | b'<' | b'>' | b'"' | b'\'')
        })
    };
    let length = bytes[from..].iter().position(|byte| ends(*byte))?;
    Some((from, from + length))
}
