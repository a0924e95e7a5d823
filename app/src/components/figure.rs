//! A chart in the page: finding, drawing, legend, table, and the data for the richer drawing.

use super::data_table::{Cell, DataTable};
use crate::charts::{Figure, Kind, Size, figure_json, legend_key, svg, table};
use leptos::prelude::*;

/// A figure. The drawing and the table are complete; the island may replace the drawing.
#[component]
pub fn FigureView(
    /// Its data.
    figure: Figure,
    /// Takes the whole width of its section.
    #[prop(optional)]
    full: bool,
    /// Where its table stands, if the page has a fuller one than the figure's own.
    #[prop(optional)]
    table_at: Option<&'static str>,
) -> impl IntoView {
    let id = format!("fig-{}", figure.id);
    let drawing = format!("{}{}", svg(&figure, Size::Wide), svg(&figure, Size::Narrow));
    // in the wide drawing of lines and stacks the names stand beside the data
    let named_directly = matches!(figure.kind, Kind::Lines | Kind::Stacks);
    let keys: Vec<_> = figure
        .series
        .iter()
        .map(|s| view! { <li><span inner_html=legend_key(figure.kind, s.color)></span>{s.label.clone()}{row_value(&figure, s)}</li> })
        .collect();
    let legend = (figure.kind != Kind::Frontier).then(|| {
        let class = if named_directly { "legend legend-narrow" } else { "legend" };
        view! { <ul class=class>{keys}</ul> }
    });
    let details = match table_at {
        Some(place) => view! { <p class="quiet"><a href=place>"Table of these figures"</a></p> }.into_any(),
        None => own_table(&figure, &id),
    };
    // names of rows would leave a narrow chart no room; the narrow drawing has them above its bars
    let narrow = (!figure.y.categories.is_empty()).then_some("drawing");
    let class = if full { "figure figure-full" } else { "figure" };
    view! {
        <figure class=class id=id data-figure=figure.id data-narrow=narrow>
            <figcaption>
                <h3>{figure.title.clone()}</h3>
                <p>{subtitle(&figure)}</p>
            </figcaption>
            <div class="figure-plot">
                <div class="figure-svg" inner_html=drawing></div>
                <div class="figure-plotly" role="group" aria-label=figure.title.clone() hidden></div>
            </div>
            {legend}
            {details}
            <script type="application/json" class="figure-data" inner_html=figure_json(&figure)></script>
        </figure>
    }
}

/// What is shown, and what of it only the table has.
fn subtitle(figure: &Figure) -> String {
    let left_out = figure.left_out();
    if left_out.is_empty() { figure.subtitle.clone() } else { format!("{}. {left_out}", figure.subtitle) }
}

/// The table of a figure, folded.
fn own_table(figure: &Figure, id: &str) -> AnyView {
    let data = table(figure);
    let head = data
        .head
        .iter()
        .enumerate()
        .map(|(i, h)| if data.is_numeric(i, figure) && i > 0 { format!("#{h}") } else { h.clone() })
        .collect();
    let rows = data.rows.into_iter().map(|row| row.into_iter().map(Cell::from).collect()).collect();
    let caption = format!("{}: figures", figure.title);
    view! {
        <details class="figure-table" id=format!("{id}-table")>
            <summary>"Table"</summary>
            <DataTable caption=caption head=head rows=rows />
        </details>
    }
    .into_any()
}

/// Beside the name of a part of a single lying stack: its value.
fn row_value(figure: &Figure, series: &crate::charts::Series) -> Option<impl IntoView + use<>> {
    let single = figure.kind == Kind::Rows && figure.y.categories.len() == 1;
    let value = series.points.first().filter(|_| single).map(|p| figure.x.format.value(p.1));
    value.map(|value| view! { <b>{value}</b> })
}
