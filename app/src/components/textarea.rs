//! Text inside of a `textarea`.

/// Text as the content of a `textarea` has to be written. Leptos writes it as it is, and a `</textarea>` in it would end the
/// field. Browsers drop the first line break of the content, so there is one more.
pub fn textarea_text(text: &str) -> String {
    format!("\n{}", text.replace('&', "&amp;").replace('<', "&lt;"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use leptos::prelude::*;

    #[test]
    fn text_does_not_end_its_field() {
        let text = textarea_text("a&amp;\n</textarea><b>x</b>");
        let html = Owner::new().with(|| view! { <textarea>{text}</textarea> }.to_html());
        assert_eq!(html, "<textarea>\na&amp;amp;\n&lt;/textarea>&lt;b>x&lt;/b></textarea>");
    }
}
