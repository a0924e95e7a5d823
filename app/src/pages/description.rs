//! What search pages and chat programs say of a page below its title.

use leptos::prelude::*;
use leptos_meta::Meta;

/// The description of a page, for its head. It is rendered here and now: what is awaited is put into the page later, when
/// its tags would find no head any more.
#[component]
pub(super) fn Description(
    /// One or two sentences.
    #[prop(into)]
    text: String,
) -> impl IntoView {
    let _ = view! { <Meta name="description" content=text /> }.to_html();
}
