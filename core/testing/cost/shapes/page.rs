//! Hostile pages: large numbers of formatting elements that are never closed, tables, attributes, JSON-LD and dates.

use super::{Shape, bytes, text};

const BODY: &str = "<!doctype html><title>x</title><body>";
const HEAD: &str = "<!doctype html><head>";

pub const SHAPES: &[Shape] = &[
    text("nested elements", BODY, &["<div>"], ""),
    text("nested elements, closed", BODY, &["<div>", "</div>"], ""),
    text("formatting elements that are never closed", BODY, &["<b>"], ""),
    text("formatting elements in paragraphs", BODY, &["<p><b>"], ""),
    text("formatting elements with attributes", BODY, &["<p><font a{}=x>"], ""),
    text("formatting elements closed crosswise", BODY, &["<b><i></b></i>"], ""),
    text("nested links", BODY, &["<a href={}>"], ""),
    text("links in tables in links", BODY, &["<a><table>"], ""),
    text("nested tables", BODY, &["<table><tr><td>"], ""),
    text("text in tables", BODY, &["<table>x"], ""),
    text("elements in tables", BODY, &["<table><b>x</table>"], ""),
    text("cells", BODY, &["<table>", "<td>"], ""),
    text("options", BODY, &["<select>", "<option>"], ""),
    text("list items", BODY, &["<li>"], ""),
    text("nested lists", BODY, &["<ul><li>"], ""),
    text("headings", BODY, &["<h1><h2>"], ""),
    text("nested buttons", BODY, &["<button>"], ""),
    text("unmatched end tags", BODY, &["</x>"], ""),
    text("end tags of paragraphs", BODY, &["</p>"], ""),
    text("end tags of line breaks", BODY, &["</br>"], ""),
    text("open elements, then end tags of others", BODY, &["<x{}>", "</y>"], ""),
    text(
        "open elements of SVG, then end tags",
        BODY,
        &["<svg>", "<g>", "</x>"],
        "",
    ),
    bytes("500 open elements of SVG, then end tags", |size| {
        super::filled(&format!("{BODY}<svg>{}", "<g>".repeat(500)), &["</x>"], "", size).into_bytes()
    }),
    bytes("500 open elements, then paragraphs", |size| {
        super::filled(&format!("{BODY}{}", "<div>".repeat(500)), &["<p>"], "", size).into_bytes()
    }),
    text("nested roots of SVG", BODY, &["<svg>"], ""),
    text("nested SVG and HTML", BODY, &["<svg><foreignObject>"], ""),
    text("nested templates", BODY, &["<template>"], ""),
    text("frames", "<!doctype html>", &["<frameset>"], ""),
    text("bodies", BODY, &["<body a{}=x>"], ""),
    text("attributes", BODY, &["<div ", "a{}=x "], ">"),
    text("the same attribute", BODY, &["<div ", "a=x "], ">"),
    text("one long attribute", BODY, &["<a href='", "a"], "'>"),
    text("one attribute of references", BODY, &["<a href='", "&amp"], "'>"),
    text("references", BODY, &["&notit;&#0;&x"], ""),
    text("ampersands", BODY, &["&"], ""),
    text("less-than signs", BODY, &["<"], ""),
    text("comments without end", BODY, &["<!--"], ""),
    text("comments", BODY, &["<!---->"], ""),
    text("scripts without end", BODY, &["<script><!--<script>"], ""),
    text("scripts", BODY, &["<script></script>"], ""),
    text("one long title", "<title>", &["&lt;"], "</title>"),
    text("titles", HEAD, &["<title>a{}</title>"], ""),
    text("canonical links", HEAD, &["<link rel=canonical href=/{}>"], ""),
    text(
        "alternate links",
        HEAD,
        &["<link rel=alternate hreflang=de href=/{}>"],
        "",
    ),
    text("directives", HEAD, &["<meta name=robots content=noindex>"], ""),
    text(
        "directives of agents",
        HEAD,
        &["<meta name=a{}bot content=noindex>"],
        "",
    ),
    text(
        "one directive of commas",
        HEAD,
        &["<meta name=robots content='", ","],
        "'>",
    ),
    text("refreshes", HEAD, &["<meta http-equiv=refresh content='0;url={}'>"], ""),
    text("charsets", HEAD, &["<meta charset=x{}>"], ""),
    text("bases", HEAD, &["<base href=/{}>"], ""),
    text("images", BODY, &["<img src=/{}>"], ""),
    text("one long list of images", BODY, &["<img srcset='", "/{} 1x,"], "'>"),
    text("paragraphs", BODY, &["<p>words and words {}"], ""),
    text("one long word", BODY, &["a"], ""),
    text("single letters", BODY, &["a "], ""),
    text("dates", BODY, &["<p>updated 2024-01-01 12:00 "], ""),
    text("dates without word", BODY, &["<p>1 January 2024 "], ""),
    text("words for dates", BODY, &["updated "], ""),
    text("digits", BODY, &["1 "], ""),
    text("times", BODY, &["<time datetime=2024-01-{}>"], ""),
    text("nested articles", BODY, &["<article>x"], ""),
    text("main elements", BODY, &["<main>x</main>"], ""),
    text("nested navigation", BODY, &["<nav>x"], ""),
    text(
        "JSON-LD",
        BODY,
        &["<script type=application/ld+json>{\"dateModified\":\"2024\"}</script>"],
        "",
    ),
    text(
        "nested JSON-LD of lists",
        BODY,
        &["<script type=application/ld+json>", "["],
        "</script>",
    ),
    text(
        "nested JSON-LD of objects",
        BODY,
        &["<script type=application/ld+json>", "{\"a\":"],
        "</script>",
    ),
    text(
        "JSON-LD of numbers",
        BODY,
        &["<script type=application/ld+json>[", "1,"],
        "1]</script>",
    ),
    text(
        "JSON-LD of empty lists",
        BODY,
        &["<script type=application/ld+json>[", "[],"],
        "1]</script>",
    ),
    text(
        "JSON-LD of keys",
        BODY,
        &["<script type=application/ld+json>{", "\"a{}\":1,"],
        "\"b\":1}</script>",
    ),
    text(
        "JSON-LD of one text",
        BODY,
        &["<script type=application/ld+json>[\"", "\\u00e9"],
        "\"]</script>",
    ),
    text(
        "JSON-LD of graphs",
        BODY,
        &[
            "<script type=application/ld+json>{\"@graph\":[",
            "{\"dateModified\":\"2024\"},",
        ],
        "1]}</script>",
    ),
    bytes("invalid UTF-8", |size| {
        let mut page = BODY.as_bytes().to_vec();
        page.resize(size, 0xff);
        page
    }),
    bytes("arbitrary bytes", |size| {
        (0..size).map(|at| (at * 167 % 251) as u8).collect()
    }),
];
