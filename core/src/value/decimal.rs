//! Decimal numbers as defined by XML Schema: no exponent, no NaN. <https://www.w3.org/TR/xmlschema-2/#decimal>

/// Digits that fit into a 64-bit mantissa and that a double divides exactly: 10^15 < 2^53.
const EXACT_DIGITS: usize = 15;
const POWERS: [f64; EXACT_DIGITS + 1] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
];

/// Returns the double nearest to a decimal, or `None` if the text is not one. Outer whitespace is already removed.
///
/// A decimal has no negative zero and no infinity: `-0` is 0, and a value too large for a double is the largest double.
pub fn parse(text: &str) -> Option<f64> {
    let bytes = text.as_bytes();
    let (negative, digits) = match bytes {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, bytes),
    };
    let mut mantissa = 0_u64;
    let mut count = 0;
    let mut point = None;
    for (at, &byte) in digits.iter().enumerate() {
        match byte {
            b'0'..=b'9' => {
                mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
                count += 1;
            }
            b'.' if point.is_none() => point = Some(at),
            _ => return None,
        }
    }
    if count == 0 {
        return None;
    }
    let decimals = point.map_or(0, |at| digits.len() - at - 1);
    let value = if count <= EXACT_DIGITS {
        // Both are exact, so the one division rounds correctly.
        mantissa as f64 / POWERS[decimals]
    } else {
        // Everything that passed the checks above is valid in Rust's grammar of floats.
        std::str::from_utf8(digits).ok()?.parse::<f64>().ok()?.min(f64::MAX)
    };
    Some(if negative && value != 0.0 { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn good() {
        for (text, value) in [
            ("0", 0.0),
            ("1", 1.0),
            ("0.5", 0.5),
            (".5", 0.5),
            ("1.", 1.0),
            ("+0.5", 0.5),
            ("-0.1", -0.1),
            ("1.10", 1.1),
            ("00.80", 0.8),
            ("0.30000000000000004", 0.30000000000000004),
            ("123456789012345", 123_456_789_012_345.0),
            ("9007199254740993", 9_007_199_254_740_992.0),
            ("0.000000000000000000000000000001", 1e-30),
        ] {
            assert_eq!(parse(text), Some(value), "{text}");
        }
    }

    #[test]
    fn edges_of_the_double() {
        assert!(parse("-0").is_some_and(|value| value == 0.0 && value.is_sign_positive()));
        let huge = "9".repeat(400);
        assert_eq!(parse(&huge), Some(f64::MAX));
        assert_eq!(parse(&format!("-{huge}")), Some(f64::MIN));
    }

    #[test]
    fn bad() {
        for text in [
            "", "+", "-", ".", "-.", "1e0", "1E5", "0,5", "NaN", "INF", "-INF", "inf", "0 .5", " 0.5", "0.5 ", "1.2.3",
            "--1", "+-1", "0x1", "½", "٠", "high", "1_000", "50%",
        ] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(text in any::<String>()) {
            let _ = parse(&text);
        }

        #[test]
        fn agrees_with_std(text in "[+-]?[0-9]{0,25}(\\.[0-9]{0,25})?") {
            prop_assert_eq!(parse(&text), text.parse::<f64>().ok());
        }
    }
}
