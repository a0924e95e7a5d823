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

#[test]
fn every_rental_is_drawn_or_named_as_left_out_and_in_the_table() {
    let plan = fixture::plan();
    let comparison = &plan.cloud_vs_on_prem;
    let by_month = comparison.curves.iter().filter(|curve| !curve.cumulative_usd.is_empty()).count();
    let by_use = comparison.by_utilization.first().map_or(0, |point| point.usd_per_useful_gpu_hour.len());
    let figures = [(build::cost_by_month(&plan), by_month), (build::useful_hour(&plan), by_use)];
    for (figure, curves) in figures.into_iter().filter_map(|(figure, curves)| figure.map(|figure| (figure, curves))) {
        assert!(figure.series.len() <= 8, "{}", figure.id);
        assert_eq!(figure.series.len() + figure.undrawn.len(), curves, "{}", figure.id);
        assert_eq!(table(&figure).head.len(), curves + 1, "{}", figure.id);
        for left_out in &figure.undrawn {
            assert!(figure.left_out().contains(&left_out.label), "{}", figure.id);
            assert!(figure.description().contains(&left_out.label), "{}", figure.id);
        }
        // what is left out costs more in the end than every rental that is drawn
        let end = |series: &Series| series.points.last().map_or(0.0, |point| point.1);
        let dearest =
            figure.series.iter().skip(1).filter(|s| !s.label.starts_with("Own base")).map(end).fold(0.0, f64::max);
        assert!(figure.id != "cost-by-month" || figure.undrawn.iter().all(|series| end(series) >= dearest));
    }
}

#[test]
fn text_stays_inside_the_drawing() {
    let mut all = figures();
    for figure in &mut all {
        for series in &mut figure.series {
            series.label.push_str(", reserved for 36 months and a very long name");
        }
    }
    for (figure, (drawn, width)) in
        all.iter().flat_map(|f| [(Size::Wide, 800.0), (Size::Narrow, 340.0)].map(|s| (f, s)))
    {
        let drawing = svg(figure, drawn);
        for part in
            drawing.split("<text class=\"").skip(1).filter(|part| part.starts_with("name") || part.starts_with("tick"))
        {
            let (tag, rest) = part.split_once('>').expect("a tag ends");
            let x: f64 =
                tag.split(" x=\"").nth(1).and_then(|x| x.split('"').next()).and_then(|x| x.parse().ok()).expect("x");
            let words = rest.split('<').next().unwrap_or_default().replace("&amp;", "&");
            let size = if tag.contains("tick") { 11.5 } else { 12.0 * text::BOLD };
            let wide = text::width(&words, size);
            let right = match () {
                () if tag.contains("\"end\"") => x,
                () if tag.contains("\"middle\"") => x + wide / 2.0,
                () => x + wide,
            };
            assert!(right <= width + 0.5, "{} {drawn:?}: {words} ends at {right}", figure.id);
        }
    }
}

#[test]
fn charts_that_are_read_together_know_each_month() {
    let plan = fixture::plan();
    let json = |figure: Option<Figure>| -> serde_json::Value {
        serde_json::from_str(&figure_json(&figure.expect("a figure"))).expect("JSON")
    };
    let (cost, use_) = (json(build::cost_by_month(&plan)), json(build::by_month(&plan)));
    let months = |figure: &serde_json::Value| -> Vec<u64> {
        figure["months"].as_array().expect("a list").iter().filter_map(|pair| pair[0].as_u64()).collect()
    };
    assert!(cost["leads"] == true && use_["leads"] == true);
    let horizon = u64::from(plan.request.horizon_months);
    assert!(months(&cost).contains(&horizon) && months(&use_).contains(&horizon));
    // a place along utilization is no month: it is marked, and marks nothing
    let hour = json(build::useful_hour(&plan));
    assert!(hour["leads"] == false && months(&hour) == months(&use_));
    assert!(
        hour["months"]
            .as_array()
            .is_some_and(|all| all.iter().all(|pair| pair[1].as_f64().is_some_and(|u| (0.0..=1.0).contains(&u))))
    );
    assert!(json(build::step(&plan))["months"].as_array().is_some_and(Vec::is_empty));
}

#[test]
fn a_point_of_the_frontier_leads_to_its_plan() {
    let plan = fixture::plan();
    let json: serde_json::Value = serde_json::from_str(&figure_json(
        &build::frontier(&plan, |found| format!("/?max_gpus={}", found.gpus)).expect("a figure"),
    ))
    .expect("JSON");
    let trace = &json["data"][0];
    assert_eq!(trace["customdata"].as_array().map(Vec::len), trace["x"].as_array().map(Vec::len));
    assert!(trace["customdata"][0].as_str().is_some_and(|link| link.starts_with("/?max_gpus=")));
    assert!(trace["hovertemplate"].as_str().is_some_and(|text| text.contains("Click")));
}
