//! How wide text is in a drawing, before anyone draws it: by the widest of the common typefaces, so that what fits by this
//! fits everywhere.

/// How much wider strong text is.
pub(super) const BOLD: f64 = 1.1;

/// Width of a character, em: advances of DejaVu Sans, rounded up.
fn em(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '\'' | '|' => 0.29,
        'I' | 'f' | ' ' | '.' | ',' | ':' | ';' | '/' | '-' | '(' | ')' | '·' => 0.4,
        't' | 'r' | 'J' => 0.42,
        'c' | 's' | 'z' | 'k' | 'v' | 'x' | 'y' => 0.6,
        'm' | 'M' | 'W' | '…' | '%' | '@' => 1.0,
        'w' | 'O' | 'Q' | 'D' | 'G' | 'H' | 'N' | '×' | '–' => 0.84,
        'A'..='Z' => 0.72,
        'a'..='z' | '0'..='9' | '$' => 0.65,
        // letters of other scripts may be as wide as they are high
        _ => 1.0,
    }
}

/// At most this wide, in the unit of the size.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(em).sum::<f64>() * size
}

/// The text, or as much of it as fits with an ellipsis.
pub(super) fn fit(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut used = em('…') * size;
    let kept: String = text
        .chars()
        .take_while(|c| {
            used += em(*c) * size;
            used <= room
        })
        .collect();
    kept.trim_end_matches([' ', ',', ':']).to_owned() + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shortened_fits() {
        for text in ["Microsoft Azure, on demand", "MMMMMMMMMM", "训练集群训练集群", "iiii", ""] {
            for room in [20.0, 60.0, 170.0, 400.0] {
                let fitted = fit(text, 12.0, room);
                assert!(width(&fitted, 12.0) <= room, "{text}: {fitted}");
                assert_eq!(fitted == text, width(text, 12.0) <= room, "{text}");
            }
        }
        assert_eq!(fit("Lambda, on demand", 12.0, 65.0), "Lambda…");
    }
}
