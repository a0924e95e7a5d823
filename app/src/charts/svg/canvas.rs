//! Writes SVG elements.

use super::super::Figure;
use std::fmt::Write;

/// Where text is anchored.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A drawing being written.
pub(super) struct Canvas {
    out: String,
    width: f64,
}

/// A coordinate: one digit after the point is less than a pixel.
fn n(value: f64) -> String {
    let text = format!("{:.1}", if value.is_finite() { value } else { 0.0 });
    match text.strip_suffix(".0") {
        Some(whole) => {
            if whole == "-0" {
                "0".into()
            } else {
                whole.to_owned()
            }
        }
        None => text,
    }
}

/// Adds a rectangle to an outline.
pub(super) fn add_rect(outline: &mut String, x: f64, y: f64, width: f64, height: f64) {
    let (width, height) = (n(width.max(0.0)), n(height.max(0.0)));
    let _ = write!(outline, "M{} {}h{width}v{height}h-{width}z", n(x), n(y));
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

impl Canvas {
    /// The drawing of a figure, with its name and its description.
    pub(super) fn figure(figure: &Figure, size: super::Size, width: f64, height: f64) -> Self {
        let (class, part) = match size {
            super::Size::Wide => ("chart chart-wide", "w"),
            super::Size::Narrow => ("chart chart-narrow", "n"),
        };
        let (id, title, description) = (figure.id, escape(&figure.title), escape(&figure.description()));
        let mut out = String::with_capacity(8_192);
        let _ = write!(
            out,
            "<svg class=\"{class}\" viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"{id}-{part}t {id}-{part}d\" xmlns=\"http://www.w3.org/2000/svg\">\
             <title id=\"{id}-{part}t\">{title}</title><desc id=\"{id}-{part}d\">{description}</desc>",
            n(width),
            n(height)
        );
        Self { out, width }
    }

    /// Right end of the drawing.
    pub(super) fn width(&self) -> f64 {
        self.width
    }

    /// The key of a legend.
    pub(super) fn key() -> Self {
        let out = "<svg class=\"key\" viewBox=\"0 0 24 12\" width=\"24\" height=\"12\" aria-hidden=\"true\">".into();
        Self { out, width: 24.0 }
    }

    pub(super) fn finish(mut self) -> String {
        self.out.push_str("</svg>");
        self.out
    }

    pub(super) fn line(&mut self, x1: f64, y1: f64, x2: f64, y2: f64, class: &str) {
        let _ = write!(
            self.out,
            "<line class=\"{class}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>",
            n(x1),
            n(y1),
            n(x2),
            n(y2)
        );
    }

    pub(super) fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, class: &str) {
        let _ = write!(
            self.out,
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            n(x),
            n(y),
            n(width.max(0.0)),
            n(height.max(0.0))
        );
    }

    /// A shape by its outline.
    pub(super) fn path(&mut self, outline: &str, class: &str) {
        let _ = write!(self.out, "<path class=\"{class}\" d=\"{outline}\"/>");
    }

    /// A rectangle that tells its value where a pointer rests.
    pub(super) fn rect_with_title(&mut self, x: f64, y: f64, width: f64, height: f64, class: &str, title: &str) {
        let (width, height) = (n(width.max(0.0)), n(height.max(0.0)));
        let _ = write!(
            self.out,
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\"><title>{}</title></rect>",
            n(x),
            n(y),
            escape(title)
        );
    }

    pub(super) fn text(&mut self, x: f64, y: f64, anchor: Anchor, class: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let _ =
            write!(self.out, "<text class=\"{class}\" x=\"{}\" y=\"{}\"{anchor}>{}</text>", n(x), n(y), escape(text));
    }

    pub(super) fn polyline(&mut self, points: &[(f64, f64)], class: &str, dash: &str) {
        let dash = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
        let _ = write!(self.out, "<polyline class=\"{class}\"{dash} points=\"");
        self.points(points);
        self.out.push_str("\"/>");
    }

    pub(super) fn polygon(&mut self, points: &[(f64, f64)], class: &str) {
        let _ = write!(self.out, "<polygon class=\"{class}\" points=\"");
        self.points(points);
        self.out.push_str("\"/>");
    }

    fn points(&mut self, points: &[(f64, f64)]) {
        for (index, (x, y)) in points.iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            let _ = write!(self.out, "{space}{},{}", n(*x), n(*y));
        }
    }

    /// A clip region with the id, around a rectangle.
    pub(super) fn clip(&mut self, id: &str, x: f64, y: f64, width: f64, height: f64) {
        let _ = write!(
            self.out,
            "<clipPath id=\"{id}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath><g clip-path=\"url(#{id})\">",
            n(x),
            n(y),
            n(width),
            n(height)
        );
    }

    pub(super) fn end_group(&mut self) {
        self.out.push_str("</g>");
    }

    /// The marker of a series: a shape for each color.
    pub(super) fn marker(&mut self, x: f64, y: f64, color: usize, r: f64) {
        self.shape(x, y, color, r, &format!("mk c{color}"));
    }

    /// A point of a cloud: hollow, and full where the shapes come round again.
    pub(super) fn point(&mut self, x: f64, y: f64, color: usize, r: f64) {
        let full = if color > 4 { " mk-full" } else { "" };
        self.shape(x, y, color, r, &format!("mk pt{full} c{color}"));
    }

    fn shape(&mut self, x: f64, y: f64, color: usize, r: f64, class: &str) {
        match color % 4 {
            1 => {
                let _ = write!(self.out, "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>", n(x), n(y), n(r));
            }
            2 => self.rect(x - r * 0.9, y - r * 0.9, r * 1.8, r * 1.8, class),
            3 => self.polygon(&[(x, y - r * 1.15), (x + r * 1.1, y + r * 0.85), (x - r * 1.1, y + r * 0.85)], class),
            _ => self.polygon(&[(x, y - r * 1.25), (x + r * 1.25, y), (x, y + r * 1.25), (x - r * 1.25, y)], class),
        }
    }

    /// A ring around a point that a note speaks of.
    pub(super) fn ring(&mut self, x: f64, y: f64) {
        let _ = write!(self.out, "<circle class=\"ring\" cx=\"{}\" cy=\"{}\" r=\"4.5\"/>", n(x), n(y));
    }
}
