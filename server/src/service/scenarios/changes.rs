//! Changing a scenario: a new version, new texts, an earlier version restored, a copy.
//!
//! Each change may say what the caller has seen; when someone else has changed that since, nothing is done.

use super::{Asked, NAME_MAX, SCENARIOS_MAX, Scenarios, TOO_MANY, checked_name, content, is_text, tidy_name};
use crate::id::PublicId;
use crate::service::actor::Actor;
use crate::service::{ServiceError, clock};
use crate::store::scenarios::{Copy, Inserted, Tags};
use crate::store::teams::Role;
use crate::store::versions::{Change, Changed, Expected, Renewal, Stamp};
use engine::FieldProblem;

/// Longest notes, characters.
const NOTES_MAX: usize = 4_000;
/// Most tags of a scenario.
const TAGS_MAX: usize = 10;
/// Longest tag, characters.
const TAG_MAX: usize = 30;

/// Texts of a scenario to be changed; what is absent stays.
#[derive(Clone, Debug, Default)]
pub struct Edit {
    /// A new name.
    pub name: Option<String>,
    /// New notes.
    pub notes: Option<String>,
    /// New tags, as typed.
    pub tags: Option<Vec<String>>,
    /// Put away, or taken out again.
    pub archived: Option<bool>,
}

/// Texts as they are kept.
struct Texts {
    name: Option<String>,
    notes: Option<String>,
    tags: Option<Tags>,
}

impl Edit {
    fn checked(&self) -> Result<Texts, ServiceError> {
        Ok(Texts {
            name: self.name.as_deref().map(checked_name).transpose()?,
            notes: self.notes.as_deref().map(checked_notes).transpose()?,
            tags: self.tags.as_deref().map(checked_tags).transpose()?,
        })
    }
}

/// Why a version is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Someone changed the inputs.
    Saved,
    /// The same inputs with another catalog or engine.
    PlannedAgain,
}

impl Reason {
    /// As the store keeps it and people read it.
    pub fn text(self) -> &'static str {
        match self {
            Self::Saved => "saved",
            Self::PlannedAgain => "planned again",
        }
    }
}

impl Scenarios {
    /// Plans for a request and keeps that as the newest version of one of the caller's scenarios.
    ///
    /// # Errors
    /// It is not the caller's, someone has changed it since, or computing or storing failed.
    pub async fn save_version(
        &self,
        caller: &Actor,
        id: &str,
        asked: Asked,
        reason: Reason,
        expected: Expected,
    ) -> Result<Stamp, ServiceError> {
        let scenario = self.owned(caller, id, Role::Editor).await?;
        let query = asked.query();
        let plan = self.plan_for(caller, asked).await?;
        let content = content(&plan, query)?;
        let change = Change { renewal: Renewal::Plan(&content, reason.text()), ..Change::default() };
        done(self.store.change_scenario(scenario.id, &change, expected, caller.account(), clock::now()).await?)
    }

    /// Plans again for the inputs of the current version, with the catalog and the engine of today, and keeps that.
    ///
    /// # Errors
    /// As [`Self::save_version`], or the inputs can no longer be planned for.
    pub async fn keep_again(&self, caller: &Actor, id: &str, expected: Expected) -> Result<Stamp, ServiceError> {
        let scenario = self.owned(caller, id, Role::Editor).await?;
        self.save_version(caller, id, Asked::of_query(&scenario.query)?, Reason::PlannedAgain, expected).await
    }

    /// Makes what an earlier version holds, inputs and frozen plan, the newest version.
    ///
    /// # Errors
    /// It is not the caller's, there is no such version, it is the current one, or storing failed.
    pub async fn restore(
        &self,
        caller: &Actor,
        id: &str,
        number: i64,
        expected: Expected,
    ) -> Result<Stamp, ServiceError> {
        let scenario = self.owned(caller, id, Role::Editor).await?;
        if scenario.number == number {
            let message = format!("Version {number} is the current one; choose an earlier one to restore.");
            return Err(ServiceError::Invalid(vec![FieldProblem::new("/number", "current", message)]));
        }
        let change = Change { renewal: Renewal::Earlier(number), ..Change::default() };
        done(self.store.change_scenario(scenario.id, &change, expected, caller.account(), clock::now()).await?)
    }

    /// Changes the name, notes or tags of one of the caller's scenarios, or puts it away.
    ///
    /// # Errors
    /// A text can't be used, it is not the caller's, someone has changed it since, or storing failed.
    pub async fn edit(&self, caller: &Actor, id: &str, edit: Edit, expected: Expected) -> Result<Stamp, ServiceError> {
        self.change(caller, id, edit, None, expected).await
    }

    /// Changes texts and saves a version, all of it or nothing.
    ///
    /// # Errors
    /// As [`Self::edit`] and [`Self::save_version`].
    pub async fn change(
        &self,
        caller: &Actor,
        id: &str,
        edit: Edit,
        asked: Option<Asked>,
        expected: Expected,
    ) -> Result<Stamp, ServiceError> {
        let texts = edit.checked()?;
        let scenario = self.owned(caller, id, Role::Editor).await?;
        let content = match asked {
            Some(asked) => {
                let query = asked.query();
                Some(content(&*self.plan_for(caller, asked).await?, query)?)
            }
            None => None,
        };
        let change = Change {
            name: texts.name.as_deref(),
            notes: texts.notes.as_deref(),
            tags: texts.tags.as_ref(),
            archived: edit.archived,
            renewal: content.as_ref().map_or(Renewal::None, |content| Renewal::Plan(content, Reason::Saved.text())),
        };
        done(self.store.change_scenario(scenario.id, &change, expected, caller.account(), clock::now()).await?)
    }

    /// Saves a scenario with its texts. What can't be used is said before anything is kept.
    ///
    /// # Errors
    /// As [`Self::save`] and [`Self::edit`].
    pub async fn save_described(&self, caller: &Actor, edit: Edit, asked: Asked) -> Result<PublicId, ServiceError> {
        edit.checked()?;
        let saved = self.save(caller, edit.name.as_deref().unwrap_or_default(), asked.request, asked.prices).await?;
        let rest = Edit { name: None, ..edit };
        if rest.notes.is_some() || rest.tags.is_some() || rest.archived == Some(true) {
            self.edit(caller, saved.id.as_str(), rest, Expected::default()).await?;
        }
        Ok(saved.id)
    }

    /// Copies one of the caller's scenarios beside it: inputs, plan, notes and tags, not its history and its links.
    ///
    /// # Errors
    /// It is not the caller's, there are too many, or storing failed.
    pub async fn duplicate(&self, caller: &Actor, id: &str) -> Result<PublicId, ServiceError> {
        let scenario = self.owned(caller, id, Role::Editor).await?;
        let public_id = PublicId::random()?;
        let name = copy_name(&scenario.name);
        let reason = format!("copied from “{}”, version {}", scenario.name, scenario.number);
        let copy = Copy { public_id: &public_id, name: &name, reason: &reason };
        match self.store.duplicate_scenario(&scenario, &copy, caller.account(), SCENARIOS_MAX, clock::now()).await? {
            Inserted::Done => Ok(public_id),
            Inserted::TooMany => Err(ServiceError::TooMany(TOO_MANY)),
            Inserted::Gone => Err(ServiceError::NotFound),
        }
    }
}

fn done(changed: Changed) -> Result<Stamp, ServiceError> {
    match changed {
        Changed::Done(stamp) => Ok(stamp),
        Changed::Conflict => Err(ServiceError::Conflict(
            "Someone has changed this since you opened it. Look at both, then save yours again.",
        )),
        Changed::Gone => Err(ServiceError::NotFound),
    }
}

/// `Plan (copy)`, within the longest name.
fn copy_name(name: &str) -> String {
    const MARK: &str = " (copy)";
    let kept: String = name.chars().take(NAME_MAX - MARK.len()).collect();
    format!("{}{MARK}", kept.trim_end())
}

/// Notes as they are kept: line breaks of one kind, no control characters, nothing at the end.
fn checked_notes(notes: &str) -> Result<String, ServiceError> {
    let lines = notes.replace("\r\n", "\n").replace('\r', "\n");
    let kept: String = lines.chars().filter(|c| matches!(c, '\n' | '\t') || is_text(*c)).collect();
    let kept = kept.trim_end();
    match kept.chars().count() {
        0..=NOTES_MAX => Ok(kept.to_owned()),
        length => {
            let message = format!("The notes have {length} characters; use at most 4,000.");
            Err(ServiceError::Invalid(vec![FieldProblem::new("/notes", "too_long", message)]))
        }
    }
}

/// Tags as they are kept: lower case, one space between words, without `#`, each once, sorted.
fn checked_tags(tags: &[String]) -> Result<Tags, ServiceError> {
    let mut kept: Vec<String> = tags.iter().map(|tag| normal_tag(tag)).filter(|tag| !tag.is_empty()).collect();
    kept.sort();
    kept.dedup();
    let refuse = |code, message| Err(ServiceError::Invalid(vec![FieldProblem::new("/tags", code, message)]));
    if let Some(long) = kept.iter().find(|tag| tag.chars().count() > TAG_MAX) {
        let message = format!("The tag “{long}” has {} characters; use at most {TAG_MAX}.", long.chars().count());
        return refuse("too_long", message);
    }
    match kept.len() {
        0..=TAGS_MAX => Ok(Tags(kept)),
        count => refuse("too_many", format!("There are {count} tags; use at most {TAGS_MAX}.")),
    }
}

/// One tag, as it is kept and as it is looked for.
pub(super) fn normal_tag(tag: &str) -> String {
    tidy_name(tag.trim().trim_start_matches('#')).replace(',', " ").to_lowercase().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(typed: &[&str]) -> Option<Vec<String>> {
        checked_tags(&typed.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>()).ok().map(|Tags(tags)| tags)
    }

    #[test]
    fn tags_are_normal_and_bounded() {
        assert_eq!(
            tags(&[" #Board  Plan ", "board plan", "Ärger", "", "中文", "خطة"]).as_deref(),
            Some(&["board plan".to_owned(), "ärger".into(), "خطة".into(), "中文".into()][..])
        );
        assert_eq!(tags(&["\u{202e}x\u{0}"]), Some(vec!["x".into()]));
        assert_eq!(tags(&["😀".repeat(30).as_str()]).map(|t| t.len()), Some(1));
        assert_eq!(tags(&["a".repeat(31).as_str()]), None);
        let many: Vec<String> = (0..11).map(|i| i.to_string()).collect();
        assert_eq!(tags(&many.iter().map(String::as_str).collect::<Vec<_>>()), None);
    }

    #[test]
    fn notes_are_plain_text_and_bounded() {
        assert_eq!(checked_notes("a\r\n\tb \u{0}<b>\u{202e}c\n\n").ok().as_deref(), Some("a\n\tb <b>c"));
        assert_eq!(checked_notes(&"ü".repeat(4_000)).ok().map(|n| n.chars().count()), Some(4_000));
        assert!(checked_notes(&"ü".repeat(4_001)).is_err());
    }

    #[test]
    fn a_copy_has_a_name_that_fits() {
        assert_eq!(copy_name("Plan"), "Plan (copy)");
        assert_eq!(copy_name(&"ü".repeat(120)).chars().count(), 120);
    }
}
