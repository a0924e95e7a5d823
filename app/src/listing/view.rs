//! What an address says of a list.
//!
//! Each key stands alone where a page has one list, and after the list's name and a dot where it has several:
//!
//! | key | meaning |
//! | --- | --- |
//! | `clouds.accelerator` and other choices | rows of this kind |
//! | `clouds.q` | rows in which each of these words is somewhere |
//! | `clouds.sort` | the column that the rows are ordered by, `-` before it the other way round; unknown values come last both ways |
//! | `clouds.columns` | the columns shown, with commas between them or one each time; the first is always shown |
//!
//! A kind that is not known stays in the form and finds nothing; columns and keys that are not known are passed over.
//! What the address says of the other lists of the page is kept.

use super::{Column, Listing};

/// Longest value that is read; no id is longer, and no search need be.
const VALUE_MAX: usize = 60;
/// The same for lists of ids.
const LONG_MAX: usize = 2_000;
/// Most that is kept of what an address says of other lists.
const OTHERS_MAX: usize = 60;

/// Which way rows are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Least first.
    Up,
    /// Most first.
    Down,
}

/// Where a list stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Path of the page.
    pub path: &'static str,
    /// Id of the section.
    pub anchor: &'static str,
    /// Names of all lists of the page; none where there is one, whose keys stand alone.
    pub lists: &'static [&'static str],
    /// Keys of the address that are about the page and not about a list.
    pub kept: &'static [&'static str],
}

/// What of a list is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    place: Place,
    prefix: String,
    /// Words that each row has.
    pub words: String,
    /// The kind chosen for each choice of the list; empty is all.
    pub chosen: Vec<(&'static str, String)>,
    /// The column that rows are ordered by, if any.
    pub sort: Option<(&'static str, Order)>,
    /// The columns asked for, in the order of the list; none are the usual ones.
    pub columns: Vec<&'static str>,
    others: Vec<(String, String)>,
}

/// The pairs of a query.
pub fn query(text: &str) -> Vec<(String, String)> {
    form_urlencoded::parse(text.as_bytes()).into_owned().collect()
}

/// The pairs come from a form with empty fields or check boxes: the same can be said in fewer words.
pub fn is_wordy(pairs: &[(String, String)]) -> bool {
    let is_repeated = |key: &str| pairs.iter().filter(|(other, _)| other == key).count() > 1;
    pairs.iter().any(|(key, value)| value.trim().is_empty() || is_repeated(key))
}

impl View {
    /// Reads what the pairs of an address say of a list.
    pub fn read(listing: &Listing, place: Place, pairs: &[(String, String)]) -> Self {
        let prefix = if place.lists.is_empty() { String::new() } else { format!("{}.", listing.name) };
        let chosen = listing.choices.iter().map(|choice| (choice.id, String::new())).collect();
        let mut view = Self { place, prefix, chosen, ..Self::default() };
        let mut columns: Vec<String> = Vec::new();
        for (key, value) in pairs {
            let is_long = key.ends_with("columns") || place.kept.contains(&key.as_str());
            let value: String = value.trim().chars().take(if is_long { LONG_MAX } else { VALUE_MAX }).collect();
            let Some(key) = key.strip_prefix(&view.prefix) else {
                let of_another = key.split_once('.').is_some_and(|(list, _)| place.lists.contains(&list));
                if of_another && !value.is_empty() && view.others.len() < OTHERS_MAX {
                    view.others.push((key.clone(), value));
                }
                continue;
            };
            match key {
                "q" => view.words = value,
                "sort" => view.sort = sort(listing, &value),
                "columns" => columns.extend(value.split(',').map(|id| id.trim().to_owned())),
                key if place.kept.contains(&key) => {
                    if !value.is_empty() && view.others.len() < OTHERS_MAX {
                        view.others.push((key.to_owned(), value));
                    }
                }
                key => {
                    if let Some((_, kind)) = view.chosen.iter_mut().find(|(id, _)| *id == key) {
                        *kind = value;
                    }
                }
            }
        }
        view.columns = asked(&listing.columns, &columns);
        view
    }

    /// The key of something of this list in the address.
    pub(super) fn key(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// An id in the page of something of this list.
    pub(super) fn id(&self, name: &str) -> String {
        format!("{}-{name}", self.place.anchor)
    }

    /// Rows are left out.
    pub fn is_narrowed(&self) -> bool {
        !self.words.is_empty() || self.chosen.iter().any(|(_, kind)| !kind.is_empty())
    }

    /// The kind that is chosen; empty is all.
    pub fn kind(&self, choice: &str) -> &str {
        self.chosen.iter().find(|(id, _)| *id == choice).map_or("", |(_, kind)| kind)
    }

    /// What it says beyond the usual, without the prefix of the list.
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        let mut pairs = self.chosen.clone();
        pairs.push(("q", self.words.clone()));
        pairs.push(("sort", self.sort.map(written).unwrap_or_default()));
        pairs.push(("columns", self.columns.join(",")));
        pairs.retain(|(_, value)| !value.is_empty());
        pairs
    }

    /// The address of what it shows, at the section of the list.
    pub fn address(&self) -> String {
        format!("{}#{}", self.page(), self.place.anchor)
    }

    /// The address of the page of what it shows.
    pub fn page(&self) -> String {
        let own = self.pairs().into_iter().map(|(key, value)| (self.key(key), value));
        with_query(self.place.path, own.chain(self.others.clone()))
    }

    /// Where its form leads.
    pub(super) fn action(&self) -> String {
        format!("{}#{}", self.place.path, self.place.anchor)
    }

    /// What the address says of other lists.
    pub(super) fn others(&self) -> &[(String, String)] {
        &self.others
    }

    /// The same rows in another order: by this column, or the other way round if they are.
    pub fn sorted_by(&self, column: &'static str) -> Self {
        let order = if self.sort == Some((column, Order::Up)) { Order::Down } else { Order::Up };
        Self { sort: Some((column, order)), ..self.clone() }
    }

    /// The same at another section of the page.
    pub fn at(&self, anchor: &'static str) -> Self {
        Self { place: Place { anchor, ..self.place }, ..self.clone() }
    }

    /// The same with another kind chosen.
    pub fn of_kind(&self, choice: &str, kind: &str) -> Self {
        let chosen = self.chosen.iter().map(|(id, before)| (*id, if *id == choice { kind } else { before }.to_owned()));
        Self { chosen: chosen.collect(), ..self.clone() }
    }

    /// All rows in the same order and columns.
    pub fn widened(&self) -> Self {
        let chosen = self.chosen.iter().map(|(id, _)| (*id, String::new())).collect();
        Self { words: String::new(), chosen, ..self.clone() }
    }

    /// The address of a file of what it shows.
    pub fn file(&self, listing: &Listing, ending: &str) -> String {
        let of_page = self.others.iter().filter(|(key, _)| self.place.kept.contains(&key.as_str())).cloned();
        let pairs = self.pairs().into_iter().map(|(key, value)| (key.to_owned(), value)).chain(of_page);
        with_query(&format!("{}/{}.{ending}", listing.files, listing.name), pairs)
    }

    /// What is chosen, in words: `H100 SXM, on demand, with “Lambda”`.
    pub fn described(&self, listing: &Listing) -> String {
        let chosen = self.chosen.iter().filter(|(_, kind)| !kind.is_empty()).map(|(id, kind)| {
            let choice = listing.choices.iter().find(|choice| choice.id == *id);
            let named = choice.and_then(|choice| choice.kinds.iter().find(|(known, _)| known == kind));
            named.map_or_else(|| kind.clone(), |(_, name)| name.clone())
        });
        let words = (!self.words.is_empty()).then(|| format!("with “{}”", self.words));
        chosen.chain(words).collect::<Vec<_>>().join(", ")
    }
}

/// A column and a direction as an address has them.
fn written((column, order): (&'static str, Order)) -> String {
    match order {
        Order::Up => column.to_owned(),
        Order::Down => format!("-{column}"),
    }
}

/// The value of the key of the order for a column.
pub(super) fn sort_value(column: &'static str, order: Order) -> String {
    written((column, order))
}

fn sort(listing: &Listing, value: &str) -> Option<(&'static str, Order)> {
    let (id, order) = match value.strip_prefix('-') {
        Some(id) => (id, Order::Down),
        None => (value, Order::Up),
    };
    listing.columns.iter().find(|column| column.id == id).map(|column| (column.id, order))
}

/// The columns of these ids in the order of the list; none if these are the usual ones or none is known.
fn asked(columns: &[Column], ids: &[String]) -> Vec<&'static str> {
    let is_known = |column: &Column| ids.iter().any(|id| id == column.id);
    if !columns.iter().any(is_known) {
        return Vec::new();
    }
    let wanted: Vec<bool> = columns.iter().enumerate().map(|(place, column)| place == 0 || is_known(column)).collect();
    if columns.iter().zip(&wanted).all(|(column, wanted)| column.usual == *wanted) {
        return Vec::new();
    }
    columns.iter().zip(wanted).filter(|(_, wanted)| *wanted).map(|(column, _)| column.id).collect()
}

/// A path with a query of these pairs; without one where there are none.
pub fn with_query(path: &str, pairs: impl Iterator<Item = (String, String)>) -> String {
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
    // commas between columns can stay as they are
    let query = query.replace("%2C", ",");
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}
