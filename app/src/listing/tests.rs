use super::*;

const COLUMNS: [Column; 4] = [
    Column::new("name", "Name", Kind::Text),
    Column::new("usd", "Price", Kind::Usd),
    Column::more("made", "Made", Kind::Date),
    Column::new("rdma", "RDMA", Kind::Flag),
];

fn listing() -> Listing {
    let row = |name: &str, usd: Option<f64>, kind: &str| Row {
        entries: vec![
            Entry::text(name),
            Entry::number(usd, format::money),
            Entry::text("2026-09"),
            Entry::flag(kind == "a"),
        ],
        kinds: vec![kind.to_owned()],
        ..Row::default()
    };
    let rows = vec![
        row("Nine", Some(9.0), "a"),
        row("unknown", None, "b"),
        row("Hundred", Some(100.0), "a"),
        row("Ten", Some(10.0), "b"),
    ];
    let kinds = Listing::kinds(&rows, 0, |id| format!("Kind {id}"));
    Listing {
        name: "things",
        files: VIEWS,
        caption: "Things",
        noun: ("thing", "things"),
        columns: COLUMNS.to_vec(),
        choices: vec![Choice { id: "kind", label: "Kind", all: "All", kinds }],
        rows,
    }
}

const ALONE: Place = Place { path: "/things", anchor: "list", lists: &[], kept: &[] };
const AMONG: Place = Place { path: "/all", anchor: "things", lists: &["things", "others"], kept: &[] };

fn view(place: Place, text: &str) -> View {
    View::read(&listing(), place, &query(text))
}

fn names(text: &str) -> Vec<String> {
    let listing = listing();
    let shown = listing.shown(&view(ALONE, text));
    shown.into_iter().map(|place| listing.rows[place].entries[0].cell.text.clone()).collect()
}

#[test]
fn numbers_are_ordered_by_value_and_what_is_unknown_comes_last_both_ways() {
    assert_eq!(names(""), ["Nine", "unknown", "Hundred", "Ten"]);
    assert_eq!(names("sort=usd"), ["Nine", "Ten", "Hundred", "unknown"]);
    assert_eq!(names("sort=-usd"), ["Hundred", "Ten", "Nine", "unknown"]);
    assert_eq!(names("sort=name"), ["Hundred", "Nine", "Ten", "unknown"]);
    assert_eq!(names("sort=-rdma"), ["Nine", "Hundred", "unknown", "Ten"]);
    assert_eq!(names("sort=nonsense"), names(""));
}

#[test]
fn rows_are_of_the_kind_and_have_each_word() {
    assert_eq!(names("kind=b"), ["unknown", "Ten"]);
    assert_eq!(names("kind=b&q=%2410.00+TEN"), ["Ten"]);
    assert_eq!(names("kind=strange"), Vec::<String>::new());
    assert!(view(ALONE, "kind=strange").is_narrowed());
    assert!(!view(ALONE, "sort=usd&columns=usd&strange=1").is_narrowed());
}

#[test]
fn addresses_are_short_and_read_again() {
    let all = "kind=b&q=ten&sort=-usd&columns=name,made";
    assert_eq!(view(ALONE, all).address(), format!("/things?{all}#list"));
    assert_eq!(view(ALONE, "kind=&q=+&sort=&strange=1").page(), "/things");
    // the usual columns need not be named, and check boxes name each
    assert_eq!(view(ALONE, "columns=usd&columns=rdma").page(), "/things");
    assert_eq!(view(ALONE, "columns=made&columns=usd&columns=x").page(), "/things?columns=name,usd,made");
    assert!(is_wordy(&query("columns=a&columns=b")) && is_wordy(&query("q=")));
    assert!(!is_wordy(&query(all)));
    let page = view(ALONE, "columns=made&columns=usd&q=").page();
    assert!(!is_wordy(&query(page.split_once('?').expect("a query").1)), "a page never leads to itself");
}

#[test]
fn lists_of_one_page_leave_one_another_alone() {
    let among = view(AMONG, "things.sort=usd&others.q=x&sort=-usd&things.kind=a&evil.q=1");
    assert_eq!(among.sort, Some(("usd", Order::Up)));
    assert_eq!(among.page(), "/all?things.kind=a&things.sort=usd&others.q=x");
    assert_eq!(among.widened().page(), "/all?things.sort=usd&others.q=x");
    assert_eq!(among.file(&listing(), "csv"), "/api/v1/views/things.csv?kind=a&sort=usd");
}

#[test]
fn heads_order_and_turn_the_order_round() {
    let of = |text: &str| heads(&listing(), &view(ALONE, text));
    assert_eq!(of("").len(), 3);
    assert!(of("").iter().all(|head| head.order.is_none()));
    assert_eq!(of("")[1].href, "/things?sort=usd#list");
    assert_eq!(of("sort=usd")[1].href, "/things?sort=-usd#list");
    assert_eq!(of("sort=usd")[1].order, Some(Order::Up));
}

#[test]
fn a_section_says_what_it_shows_and_leads_back() {
    use leptos::prelude::*;
    let html = |text: &str| Owner::new().with(|| section(&listing(), &view(ALONE, text)).to_html());
    let sorted = html("sort=-usd&kind=a");
    assert!(sorted.contains("aria-sort=\"descending\"") && sorted.contains("2 of 4 things: Kind a"), "{sorted}");
    assert!(sorted.contains("/api/v1/views/things.xlsx?kind=a&amp;sort=-usd"), "{sorted}");
    let none = html("q=%3Cb%3E&kind=z&sort=usd");
    assert!(none.contains("z (not known)") && none.contains("No thing has all of that") && !none.contains("<b>"));
    assert!(none.contains("href=\"/things?sort=usd#list\"") && !none.contains("<table"), "{none}");
}
