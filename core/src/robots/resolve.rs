//! Resolves relative references, <https://www.rfc-editor.org/rfc/rfc3986#section-5.2>.

/// Resolves a reference without a scheme against an absolute http or https URL.
pub fn against(base: &str, reference: &str) -> String {
    let authority = base.find("://").map_or(0, |at| at + 3);
    if reference.starts_with("//") {
        return format!("{}:{reference}", &base[..authority.saturating_sub(3)]);
    }
    let path_begin = base[authority..]
        .find(['/', '?', '#'])
        .map_or(base.len(), |at| authority + at);
    let origin = &base[..path_begin];
    let base_path = &base[path_begin..];
    let base_path = &base_path[..base_path.find(['?', '#']).unwrap_or(base_path.len())];
    let (path, rest) = reference.split_at(reference.find(['?', '#']).unwrap_or(reference.len()));
    let merged = if path.is_empty() {
        base_path.to_owned()
    } else if path.starts_with('/') {
        without_dots(path)
    } else {
        let folder = &base_path[..base_path.rfind('/').map_or(0, |at| at + 1)];
        without_dots(&format!("{}{path}", if folder.is_empty() { "/" } else { folder }))
    };
    format!("{origin}{merged}{rest}")
}

/// Removes `.` and `..` segments from a path that starts with a slash.
fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/').skip(1) {
        match segment {
            "." => {}
            ".." => {
                kept.pop();
            }
            _ => kept.push(segment),
        }
    }
    let ends_in_folder = path.ends_with("/.") || path.ends_with("/..");
    format!(
        "/{}{}",
        kept.join("/"),
        if ends_in_folder && !kept.is_empty() { "/" } else { "" }
    )
}
