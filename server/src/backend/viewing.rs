//! Who opens a share link: readers are counted, programs that make previews of it are not.

use crate::service::scenarios::links::Viewing;
use axum::http::header::USER_AGENT;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};

/// Parts of the names by which previews, crawlers and monitors call themselves, in lower case. Chat programs fetch a link
/// as soon as someone types it, which is no view (<https://api.slack.com/robots>,
/// <https://developers.facebook.com/docs/sharing/webmasters/web-crawlers>).
const PROGRAMS: [&str; 22] = [
    "bot",
    "crawler",
    "spider",
    "preview",
    "unfurl",
    "slurp",
    "facebookexternalhit",
    "facebookcatalog",
    "meta-externalagent",
    "slack-imgproxy",
    "whatsapp",
    "skypeuripreview",
    "microsoft office",
    "ms-office",
    "embedly",
    "iframely",
    "mastodon",
    "pleroma",
    "nextcloud",
    "matrix",
    "google-pagerenderer",
    "uptime",
];

/// How an opening counts. The explanation of a figure is the next look of the same reader.
pub(super) fn of(parts: &Parts) -> Viewing {
    let query = parts.uri.query().unwrap_or_default();
    let explains = form_urlencoded::parse(query.as_bytes()).any(|(key, _)| key == app::EXPLAINED_FIGURE);
    if parts.method == Method::HEAD || explains || is_program(&parts.headers) {
        Viewing::Uncounted
    } else {
        Viewing::Reader
    }
}

fn is_program(headers: &HeaderMap) -> bool {
    let name = headers.get(USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default().to_ascii_lowercase();
    PROGRAMS.iter().any(|program| name.contains(program))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Request;

    #[test]
    fn previews_are_told_from_readers() {
        for (agent, expected) in [
            ("Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", Viewing::Uncounted),
            ("facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", Viewing::Uncounted),
            ("Twitterbot/1.0", Viewing::Uncounted),
            ("TelegramBot (like TwitterBot)", Viewing::Uncounted),
            ("WhatsApp/2.23.20.0", Viewing::Uncounted),
            ("Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)", Viewing::Uncounted),
            (
                "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
                Viewing::Uncounted,
            ),
            ("Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5", Viewing::Uncounted),
            ("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", Viewing::Uncounted),
            ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36", Viewing::Reader),
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/604.1", Viewing::Reader),
            ("", Viewing::Reader),
        ] {
            let request = Request::builder().uri("/s/x").header(USER_AGENT, agent).body(()).expect("a request");
            assert_eq!(of(&request.into_parts().0), expected, "{agent}");
        }
    }

    #[test]
    fn asking_without_reading_and_reading_on_are_no_views() {
        for (method, uri, expected) in [
            ("HEAD", "/s/x", Viewing::Uncounted),
            ("GET", "/s/x?_figure=ownership.capital_usd", Viewing::Uncounted),
            ("GET", "/s/x?_=1", Viewing::Reader),
        ] {
            let request = Request::builder().method(method).uri(uri).body(()).expect("a request");
            assert_eq!(of(&request.into_parts().0), expected, "{method} {uri}");
        }
    }
}
