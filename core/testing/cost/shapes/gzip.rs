//! Hostile gzip: members without content, junk, damage, and data that grows a thousandfold.

use std::io::Write;

use flate2::{Compression, GzBuilder, write::GzEncoder};

use super::{Shape, bytes, filled};

const ROOT: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";

fn packed(content: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
    encoder.write_all(content).expect("memory can be written");
    encoder.finish().expect("memory can be written")
}

/// Returns a document of about this size.
fn document(size: usize) -> Vec<u8> {
    filled(ROOT, &["<url><loc>https://e.com/{}</loc></url>"], "</urlset>", size).into_bytes()
}

/// Returns copies of a unit up to a size.
fn copies(unit: &[u8], size: usize) -> Vec<u8> {
    unit.repeat(size.div_ceil(unit.len()))
}

/// Returns members with this many bytes of content each, up to a size.
fn members(each: usize, level: u32, size: usize) -> Vec<u8> {
    let document = document(size);
    document.chunks(each).flat_map(|piece| packed(piece, level)).collect()
}

/// A gzip file with a byte of its packed data changed, or cut off there.
fn damaged(size: usize, at: usize, cuts: bool) -> Vec<u8> {
    let mut file = packed(&document(size), 1);
    let at = file.len() * at / 100;
    if cuts {
        file.truncate(at);
    } else {
        file[at] ^= 0x55;
    }
    file
}

/// A header with a field without end.
fn header(flag: u8, fill: u8, size: usize) -> Vec<u8> {
    let mut file = vec![0x1f, 0x8b, 8, flag, 0, 0, 0, 0, 0, 3];
    file.resize(size, fill);
    file
}

fn with(head: Vec<u8>, tail: Vec<u8>) -> Vec<u8> {
    [head, tail].concat()
}

pub const SHAPES: &[Shape] = &[
    bytes("a document", |size| packed(&document(4 * size), 6)),
    bytes("a document that is not compressed", |size| packed(&document(size), 0)),
    bytes("empty members", |size| copies(&packed(b"", 6), size)),
    bytes("members of one byte", |size| copies(&packed(b"a", 6), size)),
    bytes("members of one byte of a document", |size| members(1, 6, size / 20)),
    bytes("members of ten bytes of a document", |size| members(10, 6, size / 3)),
    bytes("members of a thousand bytes of a document", |size| {
        members(1_000, 6, size)
    }),
    bytes("members that are not compressed", |size| members(100, 0, size)),
    bytes("members with zeros between them", |size| {
        copies(&with(packed(b"<a/>", 6), vec![0; 100]), size)
    }),
    bytes("zeros behind a member", |size| {
        with(packed(ROOT.as_bytes(), 6), vec![0; size])
    }),
    bytes("junk behind a member", |size| {
        with(packed(ROOT.as_bytes(), 6), vec![b'x'; size])
    }),
    bytes("beginnings of members behind a member", |size| {
        with(packed(ROOT.as_bytes(), 6), copies(b"\x1f\x8b", size))
    }),
    bytes("headers behind a member", |size| {
        with(
            packed(ROOT.as_bytes(), 6),
            copies(b"\x1f\x8b\x08\0\0\0\0\0\0\x03", size),
        )
    }),
    bytes("headers", |size| copies(b"\x1f\x8b\x08\0\0\0\0\0\0\x03", size)),
    bytes("headers of another method", |size| {
        copies(b"\x1f\x8b\x07\0\0\0\0\0\0\x03", size)
    }),
    bytes("a header with a name without end", |size| header(8, b'a', size)),
    bytes("a header with a comment without end", |size| header(16, b'a', size)),
    bytes("a header with an extra field", |size| header(4, 0xff, size)),
    bytes("headers with names", |size| {
        let mut encoder = GzBuilder::new()
            .filename("a".repeat(500))
            .write(Vec::new(), Compression::new(6));
        encoder.write_all(b"<a/>").expect("memory can be written");
        copies(&encoder.finish().expect("memory can be written"), size)
    }),
    bytes("empty uncompressed blocks", |size| {
        with(
            vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3],
            copies(b"\0\0\0\xff\xff", size),
        )
    }),
    bytes("empty blocks with fixed codes", |size| {
        with(
            vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3],
            copies(&[0b0000_0010, 0b0000_1000, 0b0010_0000, 0b1000_0000, 0], size),
        )
    }),
    bytes("damage at the start", |size| damaged(4 * size, 1, false)),
    bytes("damage in the middle", |size| damaged(4 * size, 50, false)),
    bytes("damage at the end", |size| damaged(4 * size, 99, false)),
    bytes("truncated at the start", |size| damaged(4 * size, 1, true)),
    bytes("cut off in the middle", |size| damaged(4 * size, 50, true)),
    bytes("truncated at the end", |size| damaged(4 * size, 99, true)),
    bytes("wrong lengths", |size| {
        let mut member = packed(b"<a/>", 6);
        *member.last_mut().expect("it has a trailer") = 0x55;
        copies(&member, size)
    }),
    bytes("gzipped twice", |size| packed(&packed(&document(4 * size), 6), 6)),
    bytes("gzipped three times", |size| {
        packed(&packed(&packed(&document(4 * size), 6), 6), 6)
    }),
    bytes("gzipped twice, in small members", |size| {
        packed(&members(100, 6, size), 6)
    }),
    bytes("small members, gzipped twice", |size| {
        let file = packed(&document(size), 6);
        file.chunks(10).flat_map(|piece| packed(piece, 6)).collect()
    }),
    bytes("zeros that grow a thousandfold", |size| packed(&vec![0; 10 * size], 9)),
    bytes("spaces that grow a thousandfold", |size| {
        packed(&with(ROOT.as_bytes().to_vec(), vec![b' '; 10 * size]), 9)
    }),
    bytes("errors that grow a thousandfold", |size| {
        packed(filled("<url", &[" a=\"<\"", " b"], ">", 2 * size).as_bytes(), 9)
    }),
    bytes("less-than signs that grow a thousandfold", |size| {
        packed(&vec![b'<'; 2 * size], 9)
    }),
    bytes("lines that grow a thousandfold", |size| {
        packed(&copies(b"https://example.com/\n", 4 * size), 9)
    }),
    bytes("invalid UTF-8", |size| {
        packed(&with(ROOT.as_bytes().to_vec(), vec![0xff; size]), 6)
    }),
    bytes("UTF-16", |size| {
        let wide: Vec<u8> = document(2 * size).iter().flat_map(|&byte| [byte, 0]).collect();
        packed(&with(vec![0xff, 0xfe], wide), 6)
    }),
    bytes("another kind of file", |size| {
        packed(&with(b"PK\x03\x04".to_vec(), vec![0; 4 * size]), 6)
    }),
    bytes("a page", |size| {
        packed(&with(b"<!doctype html><html>".to_vec(), vec![b'a'; 4 * size]), 6)
    }),
];
