use super::*;
use crate::components::fixture;

fn figures() -> Vec<Figure> {
    build::all(&fixture::plan())
}

#[test]
fn every_figure_has_its_three_renderings() {
    let figures = figures();
    assert_eq!(figures.len(), 8);
    for figure in &figures {
        let table = table(figure);
        assert!(!table.rows.is_empty(), "{}", figure.id);
        assert!(table.rows.iter().all(|row| row.len() == table.head.len()), "{}", figure.id);
        let json: serde_json::Value = serde_json::from_str(&figure_json(figure)).expect("JSON");
        assert!(json["data"].as_array().is_some_and(|data| data.len() >= figure.series.len()), "{}", figure.id);
        for size in [Size::Wide, Size::Narrow] {
            well_formed(&svg(figure, size));
        }
    }
}

#[test]
fn predictions_are_drawn_over_equal_axes() {
    let rows: Vec<&engine::validation::Row> = engine::validation::report().rows.iter().collect();
    let figure = build::predicted_against_measured(&rows, "all").expect("rows");
    assert_eq!(figure.x_range(), figure.y_range());
    let table = table(&figure);
    assert_eq!(table.rows.len(), figure.series.iter().map(|s| s.points.len()).sum::<usize>());
    assert!(table.rows.iter().all(|row| row.len() == table.head.len() && !row.contains(&"—".to_owned())));
    let json: serde_json::Value = serde_json::from_str(&figure_json(&figure)).expect("JSON");
    assert_eq!(json["data"].as_array().map(Vec::len), Some(figure.series.len() + 3));
    assert_eq!(json["layout"]["xaxis"]["range"], json["layout"]["yaxis"]["range"]);
    for size in [Size::Wide, Size::Narrow] {
        well_formed(&svg(&figure, size));
    }
    assert!(build::predicted_against_measured(&[], "none").is_none());
}

/// Tags nest, attributes are quoted, nothing is inline style or not a number.
fn well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    for part in svg.split('<').skip(1) {
        let (tag, _) = part.split_once('>').expect("a tag ends");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{svg}");
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().unwrap_or(""));
        }
    }
    assert!(open.is_empty(), "{open:?}");
    for bad in ["NaN", "inf", " style=", "--"] {
        assert!(!svg.contains(bad), "{bad} in {svg}");
    }
    assert!(svg.contains("role=\"img\"") && svg.contains("<title") && svg.contains("<desc"));
}

#[test]
fn titles_are_findings() {
    for figure in figures() {
        assert!(figure.title.split_whitespace().count() >= 5, "{}", figure.title);
        assert!(!figure.title.ends_with('.'), "{}", figure.title);
    }
}

#[test]
fn ids_are_unique() {
    let mut ids: Vec<&str> = figures().iter().map(|f| f.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 8);
}

#[test]
fn text_is_escaped() {
    let mut figure = figures().remove(0);
    figure.title = "<b>&\"".into();
    figure.series[0].label = "</script><b>".into();
    well_formed(&svg(&figure, Size::Wide));
    assert!(!figure_json(&figure).contains('<'));
}
