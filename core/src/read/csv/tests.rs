use arrow_array::cast::AsArray;
use proptest::prelude::*;

use super::*;

fn options(width: usize) -> Options {
    Options {
        separator: b',',
        width,
        fields: vec![(0, "loc".to_owned()), (width - 1, "lastmod".to_owned())],
        loc: 0,
        place: "https://example.com/".to_owned(),
        has_header: true,
    }
}

type Row = (Option<String>, Option<String>);

/// Returns the URLs and dates, and the number of lines if reading stopped.
fn read(text: &[u8], width: usize) -> (Vec<Row>, Option<u64>) {
    let mut csv = Csv::new(text, options(width));
    let mut rows = Vec::new();
    while let Some(batch) = csv.next_batch().unwrap() {
        let columns: Vec<_> = batch.columns().iter().map(|column| column.as_string_view()).collect();
        let value = |column: usize, row: usize| {
            let column = columns[column];
            (!arrow_array::Array::is_null(column, row)).then(|| column.value(row).to_owned())
        };
        rows.extend((0..batch.num_rows()).map(|row| (value(0, row), value(1, row))));
    }
    let stopped = csv.is_stopped().then(|| csv.lines());
    (rows, stopped)
}

fn urls(text: &str) -> (Vec<String>, Option<u64>) {
    let (rows, stopped) = read(text.as_bytes(), 2);
    (
        rows.into_iter().map(|(url, _)| url.unwrap_or_default()).collect(),
        stopped,
    )
}

#[test]
fn reads_ordinary_lines() {
    let text = "loc,lastmod\nhttps://a/é,1\n/b,\n//c/,2\n./d,3\n,4\nhttp://e/,5";
    let expected = [
        "https://a/é",
        "https://example.com/b",
        "https://c/",
        "https://example.com/d",
        "",
        "http://e/",
    ];
    assert_eq!(urls(text), (expected.map(str::to_owned).to_vec(), None));
    assert_eq!(
        urls(&text.replace('\n', "\r\n")),
        (expected.map(str::to_owned).to_vec(), None)
    );
    assert_eq!(read(text.as_bytes(), 2).0[1].1, None);
    assert_eq!(urls("loc,lastmod"), (vec![], None));
    assert_eq!(urls(""), (vec![], None));
}

#[test]
fn stops_before_other_lines() {
    for line in [
        "\"https://b/\",1",
        "https://b/",
        "https://b/,1,2",
        "",
        "https://b/ ,1",
        " https://b/,1",
        "https://b/, 1",
        "https://b/,1 ",
        "\u{a0}/b,1",
        "https://b/,1\r",
        "https://b\r/,1",
    ] {
        let text = format!("loc,lastmod\nhttps://a/,1\n{line}\nhttps://c/,1\n");
        assert_eq!(urls(&text), (vec!["https://a/".to_owned()], Some(2)), "{line:?}");
    }
    let (rows, stopped) = read(b"loc,lastmod\nhttps://a/,1\nhttps://\xff/,1\n", 2);
    assert_eq!((rows.len(), stopped), (1, Some(2)));
    assert_eq!(urls("\"loc\",lastmod\nhttps://a/,1\n"), (vec![], Some(0)));
    assert_eq!(
        urls("loc,lastmod\r\nhttps://a/,1\r\nhttps://b/,1\n"),
        (vec!["https://a/".to_owned()], Some(2))
    );
}

#[test]
fn reads_blocks() {
    let line = |number: usize| format!("https://example.com/{number},{}\n", "x".repeat(number % 999));
    let mut text = "loc,lastmod\n".to_owned();
    (0..9_000).for_each(|number| text.push_str(&line(number)));
    let (rows, stopped) = urls(&text);
    assert_eq!((rows.len(), stopped), (9_000, None));
    assert!(
        rows.iter()
            .enumerate()
            .all(|(number, url)| *url == format!("https://example.com/{number}"))
    );
    text.push_str(&"y".repeat(2 * BLOCK));
    assert_eq!(urls(&text).1, Some(9_001));
}

proptest! {
    /// Every line that is read has the values of a split at separators.
    #[test]
    fn agrees_with_split(text in "[a-z,\n\"\r é]{0,60}") {
        let text = format!("loc,lastmod\n{text}");
        let (rows, stopped) = urls(&text);
        let lines: Vec<_> = text.lines().skip(1).map(|line| line.split(',').next().unwrap().to_owned()).collect();
        prop_assert_eq!(&rows[..], &lines[..rows.len()]);
        prop_assert_eq!(stopped.is_none(), rows.len() == lines.len());
        prop_assert!(stopped.is_none_or(|lines| lines as usize == rows.len() + 1));
    }
}
