//! What chat programs and search pages show of a shared plan.

use crate::backend::links::SharedPlan;
use crate::pages::Description;
use leptos::prelude::*;
use leptos_meta::Meta;

/// Width and height of the picture, as the networks ask for it.
const SIZE: (&str, &str) = ("1200", "630");

/// Puts the tags into the head. They are rendered here and now: what is awaited is put into the page later, when its
/// tags would find no head any more.
pub(super) fn tags(shared: &SharedPlan) {
    let plan = &shared.plan;
    let (title, text) = (format!("{} · Clusterwright", shared.name), plan.headline.clone());
    let alt = format!("{}: {}", shared.name, plan.headline);
    let tags = view! {
        <Description text=text.clone() />
        <Meta property="og:type" content="website" />
        <Meta property="og:site_name" content="Clusterwright" />
        <Meta property="og:title" content=title />
        <Meta property="og:description" content=text />
        <Meta property="og:image" content=shared.picture.clone() />
        <Meta property="og:image:type" content="image/png" />
        <Meta property="og:image:width" content=SIZE.0 />
        <Meta property="og:image:height" content=SIZE.1 />
        <Meta property="og:image:alt" content=alt />
        <Meta name="twitter:card" content="summary_large_image" />
    };
    let _ = tags.to_html();
}
