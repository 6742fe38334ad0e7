//! Values with a grammar: URLs, dates, decimals, hreflang codes. Each is parsed once and never changed.

/// A closed vocabulary: an enum whose members have a published name and a one-sentence description.
macro_rules! vocabulary {
    ($(#[$doc:meta])* $enum:ident { $( $variant:ident, $name:literal, $about:literal; )* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $enum { $( #[doc = $about] $variant, )* }

        impl $enum {
            /// All members, in declaration order.
            pub const ALL: &'static [Self] = &[ $( Self::$variant, )* ];

            /// The published name.
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )* }
            }

            /// The description, one sentence.
            pub const fn about(self) -> &'static str {
                match self { $( Self::$variant => $about, )* }
            }
        }
    };
}
pub(crate) use vocabulary;

pub mod calendar;
pub mod changefreq;
pub mod codes;
pub mod datetime;
pub mod decimal;
pub mod dictionary;
pub mod hreflang;
pub mod space;
pub mod traits;
pub mod url;
pub mod whatwg_url;

pub use datetime::{DateProblem, DateTime, Precision};
pub use hreflang::HreflangProblem;
pub use space::trim;
pub use traits::{Trait, Traits};
pub use url::{UrlParts, UrlProblem};

#[cfg(test)]
mod tests {
    use super::*;

    /// Names are published in tables and messages: they are unique, in kebab-case, and have one sentence each.
    fn check(names: &[(&str, &str)]) {
        for (index, (name, about)) in names.iter().enumerate() {
            assert!(
                !name.is_empty()
                    && name
                        .bytes()
                        .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-')),
                "{name}"
            );
            assert!(about.ends_with('.') && about.len() > 10, "{name}: {about}");
            assert!(names[..index].iter().all(|(other, _)| other != name), "{name} twice");
        }
    }

    #[test]
    fn vocabularies_are_well_named() {
        check(
            &UrlProblem::ALL
                .iter()
                .map(|it| (it.name(), it.about()))
                .collect::<Vec<_>>(),
        );
        check(&Trait::ALL.iter().map(|it| (it.name(), it.about())).collect::<Vec<_>>());
        check(
            &DateProblem::ALL
                .iter()
                .map(|it| (it.name(), it.about()))
                .collect::<Vec<_>>(),
        );
        check(
            &Precision::ALL
                .iter()
                .map(|it| (it.name(), it.about()))
                .collect::<Vec<_>>(),
        );
        check(
            &HreflangProblem::ALL
                .iter()
                .map(|it| (it.name(), it.about()))
                .collect::<Vec<_>>(),
        );
    }
}
