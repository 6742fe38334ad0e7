use std::io::Cursor;

use arrow_array::Array;
use arrow_array::cast::AsArray;
use proptest::prelude::*;

use super::*;

/// Returns the rows with the lines on which they end, or the error.
fn rows(text: &[u8]) -> Result<Vec<(u64, Vec<String>)>, String> {
    let mut rows = Rows::new(text, b',');
    let mut read = Vec::new();
    loop {
        let row = rows.next_row().map_err(|error| error.to_string())?;
        let Some(row) = row else { return Ok(read) };
        let values = row
            .iter()
            .map(|value| String::from_utf8_lossy(value).into_owned())
            .collect();
        read.push((rows.line(), values));
    }
}

/// Returns the columns `loc` and `lastmod`, or the error.
fn entries(text: &str, place: Option<&str>) -> Result<Vec<[Option<String>; 2]>, String> {
    let options = Options {
        separator: b',',
        width: 2,
        columns: vec![(0, "loc".to_owned()), (1, "lastmod".to_owned())],
        has_header: true,
        place: place.map(str::to_owned),
    };
    let mut columns = Columns::new(text.as_bytes(), options);
    let mut read = Vec::new();
    while let Some(batch) = columns.next_batch().map_err(|error| error.to_string())? {
        let value = |column: usize, row: usize| {
            let column = batch.column(column).as_string_view();
            column.is_valid(row).then(|| column.value(row).to_owned())
        };
        read.extend((0..batch.num_rows()).map(|row| [value(0, row), value(1, row)]));
    }
    Ok(read)
}

#[test]
fn reads_rows_with_the_lines_on_which_they_end() {
    for (text, expected) in [
        ("", vec![]),
        ("\n \n\r\n", vec![]),
        ("a,b", vec![(1, vec!["a", "b"])]),
        ("\u{feff}a,b\nc,d\n", vec![(1, vec!["a", "b"]), (2, vec!["c", "d"])]),
        ("a\n\nb,c,\n", vec![(1, vec!["a"]), (3, vec!["b", "c", ""])]),
        (
            "\"a\"\"b\n\nc\",d\ne",
            vec![(3, vec!["a\"b\n\nc", "d"]), (4, vec!["e"])],
        ),
        ("\"a\"b\n", vec![(1, vec!["ab"])]),
        ("a\"b\"\n.\n", vec![(1, vec!["a\"b\""]), (2, vec!["."])]),
        (".\n.", vec![(1, vec!["."]), (2, vec!["."])]),
    ] {
        let expected: Vec<_> = expected
            .into_iter()
            .map(|(line, values)| (line, values.into_iter().map(str::to_owned).collect()))
            .collect();
        for end in ["\n", "\r\n", "\r"] {
            assert_eq!(
                rows(text.replace('\n', end).as_bytes()),
                Ok(expected.clone()),
                "{text:?} {end:?}"
            );
        }
    }
}

#[test]
fn a_quote_that_is_never_closed_is_an_error() {
    for text in ["\"", "\"\n.", "a\n\"b,c\n", "a,\"b\"\"\nc"] {
        let error = rows(text.as_bytes()).unwrap_err();
        assert!(error.starts_with("a quote is never closed"), "{text:?}: {error}");
    }
    // It is found without reading the rest of the file.
    let mut file = Cursor::new([b"a\n\"".to_vec(), vec![b'x'; 4 * LONGEST_ROW]].concat());
    let mut rows = Rows::new(&mut file, b',');
    assert!(rows.next_row().unwrap().is_some());
    assert!(
        rows.next_row()
            .unwrap_err()
            .to_string()
            .starts_with("a row is too long")
    );
    assert!(file.position() as usize <= LONGEST_ROW + 2 * BLOCK);
}

#[test]
fn values_are_trimmed_and_urls_become_absolute() {
    let place = "https://example.com/shop/";
    for (value, expected) in [
        ("https://a/é", Some("https://a/é")),
        (" https://a/ ", Some("https://a/")),
        ("https://a/\u{a0}", Some("https://a/\u{a0}")),
        ("\u{a0}/b", Some("https://example.com/shop/b")),
        ("/b c", Some("https://example.com/shop/b c")),
        ("//c/", Some("https://c/")),
        ("./d", Some("https://example.com/shop/d")),
        ("d", Some("d")),
        ("", None),
        (" ", None),
        ("\"\"", None),
    ] {
        let text = format!("x,y\n{value},{value}\n");
        let read = entries(&text, Some(place)).unwrap();
        assert_eq!(read[0][0].as_deref(), expected, "{value:?}");
        let trimmed = value.trim_matches([' ', '"']);
        assert_eq!(read[0][1].as_deref().unwrap_or_default(), trimmed, "{value:?}");
        let written = entries(&text, None).unwrap();
        assert_eq!(
            written[0][0].as_deref().unwrap_or_default(),
            value.trim_matches('"'),
            "{value:?}"
        );
    }
}

#[test]
fn rows_of_another_width_and_text_in_another_encoding_are_errors() {
    for (line, found) in [("a", 1), ("a,b,c", 3)] {
        let error = entries(&format!("loc,lastmod\na,b\n{line}\n"), None).unwrap_err();
        assert!(
            error.contains(&format!("line 3 has a different number of values ({found})")),
            "{error}"
        );
    }
    let options = Options {
        separator: b',',
        width: 1,
        columns: vec![(0, "loc".to_owned())],
        has_header: false,
        place: None,
    };
    let error = Columns::new(&b"a\n\xff\n"[..], options).next_batch().unwrap_err();
    assert!(error.to_string().contains("line 2 is not valid UTF-8"), "{error}");
}

#[test]
fn reads_batches() {
    let line = |number: usize| format!("https://example.com/{number},{}\r\n", "x".repeat(number % 999));
    let text: String = "loc,lastmod\r\n"
        .chars()
        .chain((0..9_000).flat_map(|number| line(number).into_bytes()).map(char::from))
        .collect();
    let read = entries(&text, Some("https://example.com/")).unwrap();
    assert_eq!(read.len(), 9_000);
    for (number, [url, _]) in read.into_iter().enumerate() {
        assert_eq!(url, Some(format!("https://example.com/{number}")));
    }
}

proptest! {
    /// What is written by the rules of RFC 4180 is read back.
    #[test]
    fn quoted_rows_are_read_back(written in prop::collection::vec(prop::collection::vec("[a,\n\" é.]{0,4}", 2..4), 0..5)) {
        let quoted = |value: &String| format!("\"{}\"", value.replace('"', "\"\""));
        let lines: Vec<String> = written.iter().map(|row| row.iter().map(quoted).collect::<Vec<_>>().join(",")).collect();
        let read: Vec<_> = rows(lines.join("\n").as_bytes()).unwrap().into_iter().map(|(_, values)| values).collect();
        prop_assert_eq!(read, written);
    }
}
