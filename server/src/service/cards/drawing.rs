//! A shared plan as a picture of 1200 × 630: name, headline, the three sizes. It has to be read at a third of its size,
//! so there is little on it and that is large.

use super::Shared;
use crate::service::clock;
use crate::store::links::LinkKind;
use app::components::tier_name;
use app::format;
use engine::answer::TierPlan;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Source;
use resvg::usvg::{Options, Tree};
use std::fmt::Write;
use std::ops::RangeInclusive;
use std::sync::{Arc, LazyLock};

const WIDTH: u32 = 1200;
const HEIGHT: u32 = 630;
/// Space at the left and right.
const EDGE: f32 = 64.0;

/// Inter, SIL Open Font License 1.1; see `server/fonts`.
const FONTS: [&[u8]; 2] = [
    include_bytes!("../../../fonts/Inter-Regular.subset.otf"),
    include_bytes!("../../../fonts/Inter-SemiBold.subset.otf"),
];

/// What the fonts hold. Other characters are left out, as boxes in their place would tell nobody anything.
const DRAWN: [RangeInclusive<char>; 23] = [
    '\u{20}'..='\u{7e}',
    '\u{a0}'..='\u{148}',
    '\u{14a}'..='\u{17f}',
    '\u{218}'..='\u{21b}',
    '\u{386}'..='\u{38a}',
    '\u{38c}'..='\u{38c}',
    '\u{38e}'..='\u{3a1}',
    '\u{3a3}'..='\u{3ce}',
    '\u{400}'..='\u{45f}',
    '\u{490}'..='\u{491}',
    '\u{1e00}'..='\u{1ef9}',
    '\u{2010}'..='\u{2026}',
    '\u{2030}'..='\u{2030}',
    '\u{2039}'..='\u{203a}',
    '\u{2044}'..='\u{2044}',
    '\u{20a3}'..='\u{20bf}',
    '\u{2116}'..='\u{2116}',
    '\u{2122}'..='\u{2122}',
    '\u{2190}'..='\u{2193}',
    '\u{2212}'..='\u{2212}',
    '\u{2248}'..='\u{2248}',
    '\u{2260}'..='\u{2260}',
    '\u{2264}'..='\u{2265}',
];

static OPTIONS: LazyLock<Options<'static>> = LazyLock::new(|| {
    let mut options = Options { font_family: "Inter".into(), ..Options::default() };
    for font in FONTS {
        options.fontdb_mut().load_font_source(Source::Binary(Arc::new(font)));
    }
    options
});

/// How text is set.
#[derive(Clone, Copy)]
struct Style {
    size: f32,
    weight: u16,
    color: &'static str,
}

const fn style(size: f32, weight: u16, color: &'static str) -> Style {
    Style { size, weight, color }
}

const INK: &str = "#16181b";
const QUIET: &str = "#555b62";
const ACCENT: &str = "#0b5d57";
const BRAND: Style = style(30.0, 600, INK);
const AGE: Style = style(27.0, 400, QUIET);
const NAME: Style = style(60.0, 600, INK);
const LONG_NAME: Style = style(46.0, 600, INK);
const HEADLINE: Style = style(33.0, 400, INK);
const HEADLINE_ALONE: Style = style(44.0, 600, INK);
const SIZE: Style = style(27.0, 600, ACCENT);
const FIGURE: Style = style(48.0, 600, INK);
const DETAIL: Style = style(27.0, 400, QUIET);

/// The picture as PNG.
///
/// # Errors
/// It could not be drawn; why, for the log.
pub(super) fn png(shared: &Shared) -> Result<Vec<u8>, String> {
    let tree = Tree::from_str(&svg(shared), &OPTIONS).map_err(|error| error.to_string())?;
    let mut picture = Pixmap::new(WIDTH, HEIGHT).ok_or("no room for a picture")?;
    resvg::render(&tree, Transform::identity(), &mut picture.as_mut());
    picture.encode_png().map_err(|error| error.to_string())
}

fn svg(shared: &Shared) -> String {
    let mut drawing = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}"><rect width="{WIDTH}" height="{HEIGHT}" fill="#fbfbfa"/><rect width="{WIDTH}" height="10" fill="{ACCENT}"/>"##
    );
    mark(&mut drawing);
    text(&mut drawing, (108.0, 82.0), BRAND, "Clusterwright", "start");
    let age = match shared.kind {
        LinkKind::Frozen => format!("Frozen on {}", format::date(&clock::iso(shared.as_of))),
        LinkKind::Live | LinkKind::Feed => format!("Live, {}", format::date(&clock::iso(shared.as_of))),
    };
    text(&mut drawing, (WIDTH as f32 - EDGE, 82.0), AGE, &age, "end");
    let room = WIDTH as f32 - 2.0 * EDGE;
    let name = drawable(&shared.name);
    let headline = drawable(&shared.plan.headline);
    let mut baseline = 172.0;
    let (set, lines) = if name.is_empty() { (HEADLINE_ALONE, 4) } else { (HEADLINE, 3) };
    if !name.is_empty() {
        let set = if width(&name, NAME) <= room { NAME } else { LONG_NAME };
        for line in wrap(&name, set, room, 1) {
            text(&mut drawing, (EDGE, baseline), set, &line, "start");
        }
        baseline += 64.0;
    }
    for line in wrap(&headline, set, room, lines) {
        text(&mut drawing, (EDGE, baseline), set, &line, "start");
        baseline += set.size * 1.36;
    }
    let gap = 24.0;
    let width = (room - 2.0 * gap) / 3.0;
    for (index, tier) in shared.plan.tiers.iter().take(3).enumerate() {
        let left = EDGE + index as f32 * (width + gap);
        tier_box(&mut drawing, tier, left, width, tier.tier == shared.plan.shown_tier);
    }
    drawing.push_str("</svg>");
    drawing
}

/// The mark of the site: a cluster, half of it busy.
fn mark(drawing: &mut String) {
    let squares =
        [(0.0, 0.0, 1.0), (6.5, 0.0, 1.0), (13.0, 0.0, 0.35), (0.0, 6.5, 1.0), (6.5, 6.5, 0.35), (0.0, 13.0, 1.0)];
    for (x, y, opacity) in squares {
        let (x, y) = (EDGE + x * 1.7, 56.0 + y * 1.7);
        let _ = write!(
            drawing,
            r#"<rect x="{x}" y="{y}" width="8.5" height="8.5" rx="1.7" fill="{ACCENT}" opacity="{opacity}"/>"#
        );
    }
}

fn tier_box(drawing: &mut String, tier: &TierPlan, left: f32, width: f32, shown: bool) {
    let (line, weight) = if shown { (ACCENT, 4) } else { ("#cfd2cd", 2) };
    let _ = write!(
        drawing,
        r##"<rect x="{left}" y="376" width="{width}" height="190" rx="12" fill="#ffffff" stroke="{line}" stroke-width="{weight}"/>"##
    );
    let (inner, room) = (left + 26.0, width - 52.0);
    let cluster = tier.cluster.as_ref();
    let devices = cluster.map(|c| format!("{} × {}", format::count(f64::from(c.gpus)), c.accelerator_short));
    let cost = tier.cost.as_ref().map_or_else(|| "no price".to_owned(), |c| format::money(c.total_usd.typical));
    let days = tier.days.as_ref().map_or_else(|| "does not fit".to_owned(), |days| format::days(days.typical));
    let figure = if cluster.is_some() && tier.days.is_some() { cost } else { "no run".to_owned() };
    let detail = devices.map_or_else(|| "nothing in this size".to_owned(), |devices| format!("{devices} · {days}"));
    for (baseline, set, words) in
        [(422.0, SIZE, tier_name(tier.tier)), (488.0, FIGURE, &figure), (540.0, DETAIL, &detail)]
    {
        let words = drawable(words);
        text(drawing, (inner, baseline), fitted(&words, set, room), &words, "start");
    }
}

fn text(drawing: &mut String, (x, y): (f32, f32), set: Style, words: &str, anchor: &str) {
    let _ = write!(
        drawing,
        r#"<text x="{x}" y="{y}" font-family="Inter" font-size="{}" font-weight="{}" fill="{}" text-anchor="{anchor}" xml:space="preserve">{}</text>"#,
        set.size,
        set.weight,
        set.color,
        escaped(words)
    );
}

fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&apos;")
}

/// What can be drawn of a text, in one line.
fn drawable(words: &str) -> String {
    let kept: String = words
        .chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(|c| DRAWN.iter().any(|r| r.contains(c)))
        .collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Width of a line as it will be drawn.
fn width(words: &str, set: Style) -> f32 {
    let mut one = String::from(r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">"#);
    text(&mut one, (0.0, 0.0), set, words, "start");
    one.push_str("</svg>");
    Tree::from_str(&one, &OPTIONS).map_or(0.0, |tree| tree.root().abs_bounding_box().width())
}

/// The style, smaller if a text does not fit into its room.
fn fitted(words: &str, set: Style, room: f32) -> Style {
    let needed = width(words, set);
    if needed <= room { set } else { Style { size: set.size * room / needed, ..set } }
}

/// A text in at most so many lines; what does not fit is cut with an ellipsis.
fn wrap(words: &str, set: Style, room: f32, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in words.split(' ') {
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if line.is_empty() || width(&longer, set) <= room {
            line = longer;
            continue;
        }
        lines.push(std::mem::replace(&mut line, word.to_owned()));
    }
    lines.push(line);
    let cut = lines.len() > most;
    lines.truncate(most);
    let last = lines.len();
    lines.into_iter().enumerate().map(|(index, line)| shortened(line, set, room, cut && index + 1 == last)).collect()
}

/// A line that fits: without its end where it is too long or more would follow.
fn shortened(line: String, set: Style, room: f32, more_follows: bool) -> String {
    if !more_follows && width(&line, set) <= room {
        return line;
    }
    let mut kept: Vec<char> = line.chars().collect();
    // no line of this many letters fits, so that a name of one long word is not measured letter by letter
    kept.truncate(200);
    loop {
        let shown = kept.iter().collect::<String>().trim_end_matches([' ', ',', ';', '.']).to_owned() + "…";
        if kept.is_empty() || width(&shown, set) <= room {
            return shown;
        }
        kept.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::request::Form;
    use serde_json::json;

    fn shared(name: &str) -> Shared {
        let body = json!({ "model": { "preset": "llama-3.2-1b" }, "max_gpus": 8, "accelerators": ["h100-sxm"] });
        let request = engine::PlanRequest::parse(&body, Form::Json).expect("a request");
        let plan = engine::plan(&request);
        Shared {
            kind: LinkKind::Frozen,
            name: name.into(),
            as_of: 1_796_032_800_000,
            card: "x".into(),
            version: 1,
            plan,
        }
    }

    fn pixels(shared: &Shared) -> Pixmap {
        Pixmap::decode_png(&png(shared).expect("draws")).expect("a PNG")
    }

    #[test]
    fn it_has_the_size_that_previews_ask_for_and_shows_its_plan() {
        let first = pixels(&shared("Board plan"));
        assert_eq!((first.width(), first.height()), (WIDTH, HEIGHT));
        assert!(first.data() == pixels(&shared("Board plan")).data(), "the same plan is the same picture");
        assert!(first.data() != pixels(&shared("Other plan")).data(), "another name is another picture");
        let mut dearer = shared("Board plan");
        for cost in dearer.plan.tiers.iter_mut().filter_map(|tier| tier.cost.as_mut()) {
            cost.total_usd.typical *= 3.0;
        }
        assert!(first.data() != pixels(&dearer).data(), "another figure is another picture");
    }

    #[test]
    fn no_name_breaks_it() {
        let long = "Wide ".repeat(24);
        let plain = pixels(&shared(""));
        for name in [
            "<script>alert(1)</script>",
            "\"/></text><image href=\"file:///etc/passwd\"/>",
            "&lt;&amp;]]><![CDATA[",
            "a\u{0}b\u{1}\u{b}\u{fffe}\u{feff}",
            "W".repeat(120).as_str(),
            long.as_str(),
            "Zürich, Köln, Łódź, Αθήνα, Київ",
        ] {
            assert!(pixels(&shared(name)).data() != plain.data(), "{name:?} is drawn");
        }
        for name in ["東京のクラスタ", "\u{202e}\u{2066}", "🚀🚀", "خطة", "योजना"] {
            assert!(pixels(&shared(name)).data() == plain.data(), "{name:?}: the headline stands alone");
        }
    }

    #[test]
    fn what_is_said_to_be_drawn_is_in_the_fonts() {
        for c in DRAWN.iter().flat_map(|range| range.clone()).filter(|c| c.is_alphanumeric()) {
            let drawn = width(&c.to_string(), NAME);
            assert!(drawn > 0.0, "{c:?}");
        }
        assert_eq!(drawable("  a\n\t東 b\u{0} "), "a b");
        let lines = wrap(&"word ".repeat(100), HEADLINE, 400.0, 3);
        assert!(lines.len() == 3 && lines[2].ends_with('…'), "{lines:?}");
        assert!(lines.iter().all(|line| width(line, HEADLINE) <= 400.0), "{lines:?}");
    }
}
