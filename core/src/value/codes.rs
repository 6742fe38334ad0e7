//! The code registries behind hreflang, as sorted lists with their sources.
//!
//! From Debian's iso-codes data set as packaged in pycountry 26.2.16
//! (<https://salsa.debian.org/iso-codes-team/iso-codes>), which follows the registration authorities named below.

/// ISO 639-1: two-letter languages. <https://www.loc.gov/standards/iso639-2/php/code_list.php> Without `sh`, which was
/// withdrawn in 2000.
#[rustfmt::skip]
pub const LANGUAGES: [&str; 183] = [
    "aa", "ab", "ae", "af", "ak", "am", "an", "ar", "as", "av", "ay", "az", "ba", "be", "bg", "bi", "bm", "bn", "bo",
    "br", "bs", "ca", "ce", "ch", "co", "cr", "cs", "cu", "cv", "cy", "da", "de", "dv", "dz", "ee", "el", "en", "eo",
    "es", "et", "eu", "fa", "ff", "fi", "fj", "fo", "fr", "fy", "ga", "gd", "gl", "gn", "gu", "gv", "ha", "he", "hi",
    "ho", "hr", "ht", "hu", "hy", "hz", "ia", "id", "ie", "ig", "ii", "ik", "io", "is", "it", "iu", "ja", "jv", "ka",
    "kg", "ki", "kj", "kk", "kl", "km", "kn", "ko", "kr", "ks", "ku", "kv", "kw", "ky", "la", "lb", "lg", "li", "ln",
    "lo", "lt", "lu", "lv", "mg", "mh", "mi", "mk", "ml", "mn", "mr", "ms", "mt", "my", "na", "nb", "nd", "ne", "ng",
    "nl", "nn", "no", "nr", "nv", "ny", "oc", "oj", "om", "or", "os", "pa", "pi", "pl", "ps", "pt", "qu", "rm", "rn",
    "ro", "ru", "rw", "sa", "sc", "sd", "se", "sg", "si", "sk", "sl", "sm", "sn", "so", "sq", "sr", "ss", "st", "su",
    "sv", "sw", "ta", "te", "tg", "th", "ti", "tk", "tl", "tn", "to", "tr", "ts", "tt", "tw", "ty", "ug", "uk", "ur",
    "uz", "ve", "vi", "vo", "wa", "wo", "xh", "yi", "yo", "za", "zh", "zu",
];

/// ISO 15924: four-letter scripts. <https://www.unicode.org/iso15924/iso15924-codes.html> Without the private-use codes
/// `Qaaa` to `Qabx`, which have no public meaning.
#[rustfmt::skip]
pub const SCRIPTS: [&str; 224] = [
    "Adlm", "Afak", "Aghb", "Ahom", "Arab", "Aran", "Armi", "Armn", "Avst", "Bali", "Bamu", "Bass", "Batk", "Beng",
    "Berf", "Bhks", "Blis", "Bopo", "Brah", "Brai", "Bugi", "Buhd", "Cakm", "Cans", "Cari", "Cham", "Cher", "Chis",
    "Chrs", "Cirt", "Copt", "Cpmn", "Cprt", "Cyrl", "Cyrs", "Deva", "Diak", "Dogr", "Dsrt", "Dupl", "Egyd", "Egyh",
    "Egyp", "Elba", "Elym", "Ethi", "Gara", "Geok", "Geor", "Glag", "Gong", "Gonm", "Goth", "Gran", "Grek", "Gujr",
    "Gukh", "Guru", "Hanb", "Hang", "Hani", "Hano", "Hans", "Hant", "Hatr", "Hebr", "Hira", "Hluw", "Hmng", "Hmnp",
    "Hntl", "Hrkt", "Hung", "Inds", "Ital", "Jamo", "Java", "Jpan", "Jurc", "Kali", "Kana", "Kawi", "Khar", "Khmr",
    "Khoj", "Kitl", "Kits", "Knda", "Kore", "Kpel", "Krai", "Kthi", "Lana", "Laoo", "Latf", "Latg", "Latn", "Leke",
    "Lepc", "Limb", "Lina", "Linb", "Lisu", "Loma", "Lyci", "Lydi", "Mahj", "Maka", "Mand", "Mani", "Marc", "Maya",
    "Medf", "Mend", "Merc", "Mero", "Mlym", "Modi", "Mong", "Moon", "Mroo", "Mtei", "Mult", "Mymr", "Nagm", "Nand",
    "Narb", "Nbat", "Newa", "Nkdb", "Nkgb", "Nkoo", "Nshu", "Ogam", "Olck", "Onao", "Orkh", "Orya", "Osge", "Osma",
    "Ougr", "Palm", "Pauc", "Pcun", "Pelm", "Perm", "Phag", "Phli", "Phlp", "Phlv", "Phnx", "Piqd", "Plrd", "Prti",
    "Psin", "Ranj", "Rjng", "Rohg", "Roro", "Runr", "Samr", "Sara", "Sarb", "Saur", "Seal", "Sgnw", "Shaw", "Shrd",
    "Shui", "Sidd", "Sidt", "Sind", "Sinh", "Sogd", "Sogo", "Sora", "Soyo", "Sund", "Sunu", "Sylo", "Syrc", "Syre",
    "Syrj", "Syrn", "Tagb", "Takr", "Tale", "Talu", "Taml", "Tang", "Tavt", "Tayo", "Telu", "Teng", "Tfng", "Tglg",
    "Thaa", "Thai", "Tibt", "Tirh", "Tnsa", "Todr", "Tols", "Toto", "Tutg", "Ugar", "Vaii", "Visp", "Vith", "Wara",
    "Wcho", "Wole", "Xpeo", "Xsux", "Yezi", "Yiii", "Zanb", "Zinh", "Zmth", "Zsye", "Zsym", "Zxxx", "Zyyy", "Zzzz",
];

/// ISO 3166-1 alpha-2: two-letter countries and territories. <https://www.iso.org/iso-3166-country-codes.html>
#[rustfmt::skip]
pub const REGIONS: [&str; 249] = [
    "AD", "AE", "AF", "AG", "AI", "AL", "AM", "AO", "AQ", "AR", "AS", "AT", "AU", "AW", "AX", "AZ", "BA", "BB", "BD",
    "BE", "BF", "BG", "BH", "BI", "BJ", "BL", "BM", "BN", "BO", "BQ", "BR", "BS", "BT", "BV", "BW", "BY", "BZ", "CA",
    "CC", "CD", "CF", "CG", "CH", "CI", "CK", "CL", "CM", "CN", "CO", "CR", "CU", "CV", "CW", "CX", "CY", "CZ", "DE",
    "DJ", "DK", "DM", "DO", "DZ", "EC", "EE", "EG", "EH", "ER", "ES", "ET", "FI", "FJ", "FK", "FM", "FO", "FR", "GA",
    "GB", "GD", "GE", "GF", "GG", "GH", "GI", "GL", "GM", "GN", "GP", "GQ", "GR", "GS", "GT", "GU", "GW", "GY", "HK",
    "HM", "HN", "HR", "HT", "HU", "ID", "IE", "IL", "IM", "IN", "IO", "IQ", "IR", "IS", "IT", "JE", "JM", "JO", "JP",
    "KE", "KG", "KH", "KI", "KM", "KN", "KP", "KR", "KW", "KY", "KZ", "LA", "LB", "LC", "LI", "LK", "LR", "LS", "LT",
    "LU", "LV", "LY", "MA", "MC", "MD", "ME", "MF", "MG", "MH", "MK", "ML", "MM", "MN", "MO", "MP", "MQ", "MR", "MS",
    "MT", "MU", "MV", "MW", "MX", "MY", "MZ", "NA", "NC", "NE", "NF", "NG", "NI", "NL", "NO", "NP", "NR", "NU", "NZ",
    "OM", "PA", "PE", "PF", "PG", "PH", "PK", "PL", "PM", "PN", "PR", "PS", "PT", "PW", "PY", "QA", "RE", "RO", "RS",
    "RU", "RW", "SA", "SB", "SC", "SD", "SE", "SG", "SH", "SI", "SJ", "SK", "SL", "SM", "SN", "SO", "SR", "SS", "ST",
    "SV", "SX", "SY", "SZ", "TC", "TD", "TF", "TG", "TH", "TJ", "TK", "TL", "TM", "TN", "TO", "TR", "TT", "TV", "TW",
    "TZ", "UA", "UG", "UM", "US", "UY", "UZ", "VA", "VC", "VE", "VG", "VI", "VN", "VU", "WF", "WS", "YE", "YT", "ZA",
    "ZM", "ZW",
];

/// Reserved codes of ISO 3166-1 that are often used as regions, which is why they have a problem code of their own:
/// United Kingdom (whose code is GB), European Union, United Nations, eurozone; XK (Kosovo) is a user-assigned code.
pub const RESERVED_REGIONS: [&str; 5] = ["EU", "EZ", "UK", "UN", "XK"];

/// Two-letter codes as one bit each, so that a lookup is a single comparison, regardless of case.
pub struct LetterPairs([u32; 26]);

impl LetterPairs {
    /// Panics at compile time if a code is not two ASCII letters.
    pub const fn new(codes: &[&str]) -> Self {
        let mut rows = [0; 26];
        let mut at = 0;
        while at < codes.len() {
            let code = codes[at].as_bytes();
            assert!(code.len() == 2 && code[0].is_ascii_alphabetic() && code[1].is_ascii_alphabetic());
            let row = (code[0].to_ascii_lowercase() - b'a') as usize;
            rows[row] |= 1 << (code[1].to_ascii_lowercase() - b'a');
            at += 1;
        }
        LetterPairs(rows)
    }

    /// Returns whether the set contains `code`, in any case.
    pub const fn contains(&self, code: &[u8]) -> bool {
        if code.len() != 2 || !code[0].is_ascii_alphabetic() || !code[1].is_ascii_alphabetic() {
            return false;
        }
        let row = (code[0].to_ascii_lowercase() - b'a') as usize;
        self.0[row] & (1 << (code[1].to_ascii_lowercase() - b'a')) != 0
    }
}

const LANGUAGE_PAIRS: LetterPairs = LetterPairs::new(&LANGUAGES);
const REGION_PAIRS: LetterPairs = LetterPairs::new(&REGIONS);
const RESERVED_PAIRS: LetterPairs = LetterPairs::new(&RESERVED_REGIONS);

/// Returns whether `code` is a language of ISO 639-1, in any case.
pub fn is_language(code: &[u8]) -> bool {
    LANGUAGE_PAIRS.contains(code)
}

/// Returns whether `code` is a region of ISO 3166-1, in any case.
pub fn is_region(code: &[u8]) -> bool {
    REGION_PAIRS.contains(code)
}

/// Returns whether `code` is reserved in ISO 3166-1 and often mistaken for a region, in any case.
pub fn is_reserved_region(code: &[u8]) -> bool {
    RESERVED_PAIRS.contains(code)
}

/// Returns whether `code` is a script of ISO 15924, in any case.
pub fn is_script(code: &[u8]) -> bool {
    let [first, second, third, fourth] = code else {
        return false;
    };
    let titled = [
        first.to_ascii_uppercase(),
        second.to_ascii_lowercase(),
        third.to_ascii_lowercase(),
        fourth.to_ascii_lowercase(),
    ];
    SCRIPTS
        .binary_search_by(|script| script.as_bytes().cmp(&titled))
        .is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_and_without_repeats() {
        for codes in [&LANGUAGES[..], &SCRIPTS, &REGIONS, &RESERVED_REGIONS] {
            assert!(codes.is_sorted_by(|one, next| one < next));
        }
    }

    #[test]
    fn every_code_is_found_in_any_case() {
        for code in LANGUAGES {
            assert!(
                is_language(code.as_bytes()) && is_language(code.to_uppercase().as_bytes()),
                "{code}"
            );
        }
        for code in REGIONS {
            assert!(
                is_region(code.as_bytes()) && is_region(code.to_lowercase().as_bytes()),
                "{code}"
            );
            assert!(!is_reserved_region(code.as_bytes()), "{code}");
        }
        for code in SCRIPTS {
            assert!(
                is_script(code.as_bytes()) && is_script(code.to_lowercase().as_bytes()),
                "{code}"
            );
        }
    }

    #[test]
    fn pairs_contain_nothing_else() {
        let all = (b'a'..=b'z').flat_map(|one| (b'a'..=b'z').map(move |two| [one, two]));
        assert_eq!(all.clone().filter(|code| is_language(code)).count(), LANGUAGES.len());
        assert_eq!(all.filter(|code| is_region(code)).count(), REGIONS.len());
        for code in [&b""[..], b"e", b"eng", b"e1", b"\xC3\xA9", b"sh", b"xx"] {
            assert!(!is_language(code), "{code:?}");
        }
        for code in [&b""[..], b"Lat", b"Latin", b"Qaaa", b"Abcd"] {
            assert!(!is_script(code), "{code:?}");
        }
    }
}
