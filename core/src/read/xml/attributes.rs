//! The attributes of a start tag, as written in the window or unescaped, and the problem of each.

use std::ops::Range;

/// The attributes of a start tag, with their values unescaped, including namespace declarations.
#[derive(Clone, Copy)]
pub struct Attributes<'a> {
    pub(super) text: &'a str,
    pub(super) unescaped: &'a str,
    pub(super) list: &'a [ReadAttribute],
}

impl<'a> Attributes<'a> {
    pub fn iter(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        let (text, unescaped) = (self.text, self.unescaped);
        self.list
            .iter()
            .map(move |one| (&text[one.name.clone()], one.value.text(text, unescaped)))
    }

    /// Same, with the problem that the reader found in each.
    pub fn with_standing(&self) -> impl Iterator<Item = (&'a str, &'a str, Standing)> + use<'a> {
        let standings = self.list.iter().map(|one| one.standing);
        self.iter()
            .zip(standings)
            .map(|((name, value), standing)| (name, value, standing))
    }

    /// Returns the value of an attribute without a prefix.
    pub fn get(&self, name: &str) -> Option<&'a str> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }
}

/// The reason why an attribute cannot be in a well-formed document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    #[default]
    Good,
    /// A duplicate, by its name as written or by its namespace, that is not the first.
    Repeated,
    /// Its name, its prefix or the namespace that it declares violates the rules of namespaces.
    Unfit,
    /// Its value refers to an entity that the document declares.
    RefersToEntity,
}

#[derive(Clone)]
pub struct ReadAttribute {
    pub(super) name: Range<usize>,
    pub(super) value: Value,
    pub(super) standing: Standing,
}

/// Where an attribute's value is stored: as it is in the window, or unescaped.
#[derive(Clone)]
pub(super) enum Value {
    Window(Range<usize>),
    Unescaped(Range<usize>),
}

impl Value {
    pub(super) fn text<'a>(&self, text: &'a str, unescaped: &'a str) -> &'a str {
        match self {
            Value::Window(range) => &text[range.clone()],
            Value::Unescaped(range) => &unescaped[range.clone()],
        }
    }
}

impl ReadAttribute {
    /// A value that cannot be read takes precedence over a name that violates the rules.
    pub(super) fn mark(&mut self, standing: Standing) {
        if self.standing == Standing::Good {
            self.standing = standing;
        }
    }
}
