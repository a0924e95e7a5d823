//! The figure that a person means by a few words: its key, its name, or words of it.

use engine::Quotable;

/// Figures that the words fit; those whose name begins each kind come first.
#[derive(Clone, Debug, PartialEq)]
pub enum Meant<'a> {
    /// This one.
    One(&'a Quotable),
    /// Each of these.
    Several(Vec<&'a Quotable>),
    /// None.
    None,
}

/// What the text means among the figures that can be quoted. Each of its words begins a word of the name or the group;
/// a whole name or key means that figure alone.
pub fn meant<'a>(known: &'a [Quotable], text: &str) -> Meant<'a> {
    let wanted = text.trim().to_lowercase();
    let exact = known.iter().find(|figure| figure.key == wanted || figure.label.to_lowercase() == wanted);
    if let Some(figure) = exact {
        return Meant::One(figure);
    }
    let words: Vec<&str> = words(&wanted).collect();
    if words.is_empty() {
        return Meant::None;
    }
    let fits = |figure: &&Quotable| {
        let name = format!("{} {}", figure.label, figure.group).to_lowercase();
        words.iter().all(|word| self::words(&name).any(|of_name| of_name.starts_with(word)))
    };
    let found: Vec<&Quotable> = known.iter().filter(fits).collect();
    match found.as_slice() {
        [] => Meant::None,
        [one] => Meant::One(one),
        _ => Meant::Several(found),
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '.')).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::quotables;

    #[test]
    fn a_few_words_find_a_figure() {
        let known = quotables();
        let one = |text: &str| match meant(&known, text) {
            Meant::One(figure) => figure.key.clone(),
            other => panic!("{text}: {other:?}"),
        };
        for (text, key) in [
            ("B200 server", "server_usd.b200"),
            ("server b200", "server_usd.b200"),
            ("  gb200 NVL72 server ", "server_usd.gb200-nvl72"),
            ("server_usd.b200", "server_usd.b200"),
            ("PUE", "pue"),
            ("electricity region", "electricity_usd_per_kwh"),
        ] {
            assert_eq!(one(text), key, "{text}");
        }
        // a name as the list offers it means that figure, whatever else has its words
        for figure in &known {
            assert_eq!(one(&figure.label), figure.key);
        }
        let Meant::Several(found) = meant(&known, "h100 server") else { panic!("several") };
        assert!(found.len() > 1 && found.iter().all(|figure| figure.key.starts_with("server_usd.h100")), "{found:?}");
        for none in ["", " - ", "h900 server", "200 server b"] {
            assert_eq!(meant(&known, none), Meant::None, "{none}");
        }
    }
}
