//! Passwords: Argon2id, off the threads that answer callers, and so many at once as memory and cores allow.

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Fewest characters. Length is what makes a password hard to guess (NIST SP 800-63B-4, 3.1.1.2).
pub const LEAST: usize = 10;
/// Most characters: what is hashed is bounded.
pub const MOST: usize = 128;
/// How long one waits for a turn.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a password costs to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Memory, KiB.
    pub memory_kib: u32,
    /// Passes over it.
    pub passes: u32,
    /// Lanes.
    pub lanes: u32,
}

/// OWASP Password Storage Cheat Sheet, Argon2id: 19 MiB, two passes, one lane.
pub const OWASP: Cost = Cost { memory_kib: 19_456, passes: 2, lanes: 1 };

/// A password that somebody typed. Printing it shows nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl std::fmt::Debug for Password {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Password(redacted)")
    }
}

impl Password {
    /// As typed, to be compared: no rule but that one beyond the longest is no password of ours.
    pub fn typed(text: &str) -> Self {
        Self(text.chars().take(MOST + 1).collect())
    }

    /// To be kept: it must be hard to guess.
    ///
    /// # Errors
    /// What to do about it.
    pub fn chosen(text: &str, email: &str) -> Result<Self, String> {
        match text.chars().count() {
            0 => return Err(format!("Choose a password of at least {LEAST} characters.")),
            length if length < LEAST => {
                return Err(format!(
                    "The password has {length} characters; use at least {LEAST}. A sentence is easy to remember."
                ));
            }
            length if length > MOST => {
                return Err(format!("The password has {length} characters; use at most {MOST}."));
            }
            _ => {}
        }
        let lower = text.to_lowercase();
        let name = email.split('@').next().unwrap_or_default();
        if lower == email.to_lowercase() || (name.len() >= LEAST && lower == name.to_lowercase()) {
            return Err("The password is the email address; choose one that nobody can guess from it.".into());
        }
        let mut characters = lower.chars();
        let first = characters.next();
        let monotone = characters.all(|c| Some(c) == first);
        if monotone || COMMON.lines().any(|common| common == lower) {
            return Err("This password is one of those that are tried first; choose another.".into());
        }
        Ok(Self(text.to_owned()))
    }
}

/// Those of at least ten characters that lists of leaked passwords begin with; which to name is judgement.
const COMMON: &str = include_str!("common_passwords.txt");

/// What comparing a password said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is another.
    Wrong,
    /// It is the one.
    Right,
    /// It is the one, and was hashed at another cost: hash it anew.
    Outdated,
}

/// Why no password was hashed or compared.
#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    /// Too many at once; it is worth trying again.
    #[error("too many passwords at once")]
    Busy,
    /// A fault of ours.
    #[error("a password can't be hashed: {0}")]
    Failed(String),
}

/// Hashes and compares. Clones share their turns.
#[derive(Clone, Debug)]
pub struct Passwords {
    cost: Cost,
    turns: Arc<Semaphore>,
}

impl Passwords {
    /// At a cost, as many at once as there are cores.
    pub fn new(cost: Cost) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { cost, turns: Arc::new(Semaphore::new(cores)) }
    }

    /// What to keep of a password, in PHC form.
    ///
    /// # Errors
    /// Too many at once, or a fault of ours.
    pub async fn hash(&self, password: Password) -> Result<String, PasswordError> {
        let (cost, turn) = (self.cost, self.turn().await?);
        run(turn, move || hash(cost, &password)).await
    }

    /// Compares a password with what is kept of one; with nothing kept, it takes as long and is wrong.
    ///
    /// # Errors
    /// Too many at once, or a fault of ours.
    pub async fn compare(&self, password: Password, kept: Option<&str>) -> Result<Verdict, PasswordError> {
        let (cost, turn, kept) = (self.cost, self.turn().await?, kept.map(str::to_owned));
        run(turn, move || match kept {
            Some(kept) => compare(cost, &password, &kept),
            None => hash(cost, &password).map(|_| Verdict::Wrong),
        })
        .await
    }

    async fn turn(&self) -> Result<OwnedSemaphorePermit, PasswordError> {
        match tokio::time::timeout(PATIENCE, Arc::clone(&self.turns).acquire_owned()).await {
            Ok(Ok(turn)) => Ok(turn),
            Ok(Err(_)) | Err(_) => Err(PasswordError::Busy),
        }
    }
}

/// The turn goes with the work: a caller who leaves does not let another one in before it is done.
async fn run<T: Send + 'static>(
    turn: OwnedSemaphorePermit,
    work: impl FnOnce() -> Result<T, PasswordError> + Send + 'static,
) -> Result<T, PasswordError> {
    let joined = tokio::task::spawn_blocking(move || {
        let done = work();
        drop(turn);
        done
    });
    joined.await.map_err(|error| PasswordError::Failed(error.to_string()))?
}

fn params(cost: Cost) -> Result<Params, PasswordError> {
    Params::new(cost.memory_kib, cost.passes, cost.lanes, None)
        .map_err(|error| PasswordError::Failed(error.to_string()))
}

fn hash(cost: Cost, password: &Password) -> Result<String, PasswordError> {
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params(cost)?);
    let hashed = argon2.hash_password(password.0.as_bytes());
    hashed.map(|hash| hash.to_string()).map_err(|error| PasswordError::Failed(error.to_string()))
}

fn compare(cost: Cost, password: &Password, kept: &str) -> Result<Verdict, PasswordError> {
    let kept = PasswordHash::new(kept).map_err(|error| PasswordError::Failed(error.to_string()))?;
    // at the cost of the kept one, whatever ours is
    if Argon2::default().verify_password(password.0.as_bytes(), &kept).is_err() {
        return Ok(Verdict::Wrong);
    }
    let same = Params::try_from(&kept).is_ok_and(|params| {
        (params.m_cost(), params.t_cost(), params.p_cost()) == (cost.memory_kib, cost.passes, cost.lanes)
    });
    Ok(if same { Verdict::Right } else { Verdict::Outdated })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHEAP: Cost = Cost { memory_kib: 64, passes: 1, lanes: 1 };
    const EMAIL: &str = "ada.lovelace@example.com";

    #[tokio::test]
    async fn a_hash_fits_its_password_only_and_says_its_cost() {
        let passwords = Passwords::new(OWASP);
        let hash = passwords.hash(Password::typed("correct horse")).await.expect("hashed");
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        let again = passwords.hash(Password::typed("correct horse")).await.expect("hashed");
        assert_ne!(hash, again, "each has a salt of its own");
        for (typed, kept, verdict) in [
            ("correct horse", Some(hash.as_str()), Verdict::Right),
            ("Correct horse", Some(hash.as_str()), Verdict::Wrong),
            ("", Some(hash.as_str()), Verdict::Wrong),
            ("correct horse", None, Verdict::Wrong),
            ("", None, Verdict::Wrong),
        ] {
            assert_eq!(passwords.compare(Password::typed(typed), kept).await.ok(), Some(verdict), "{typed:?}");
        }
    }

    #[tokio::test]
    async fn a_hash_of_another_cost_is_outdated() {
        let (before, now) = (Passwords::new(CHEAP), Passwords::new(Cost { passes: 2, ..CHEAP }));
        let hash = before.hash(Password::typed("correct horse")).await.expect("hashed");
        assert_eq!(now.compare(Password::typed("correct horse"), Some(&hash)).await.ok(), Some(Verdict::Outdated));
        assert_eq!(now.compare(Password::typed("wrong horse"), Some(&hash)).await.ok(), Some(Verdict::Wrong));
        let anew = now.hash(Password::typed("correct horse")).await.expect("hashed");
        assert_eq!(now.compare(Password::typed("correct horse"), Some(&anew)).await.ok(), Some(Verdict::Right));
    }

    #[tokio::test]
    async fn what_is_longer_than_any_password_is_cut_before_it_is_hashed() {
        let long = "a".repeat(1_000_000);
        assert_eq!(Password::typed(&long).0.len(), MOST + 1);
    }

    #[test]
    fn a_chosen_password_is_hard_to_guess() {
        for good in ["ten chars!", "ein Satz, den man sich merkt", "パスワードは十文字以上です", &"ab".repeat(64)]
        {
            assert!(Password::chosen(good, EMAIL).is_ok(), "{good}");
        }
        for (bad, why) in [
            ("", "Choose a password"),
            ("nine char", "has 9 characters"),
            (&"ab".repeat(65) as &str, "has 130 characters"),
            ("Ada.Lovelace@example.com", "is the email address"),
            ("ada.lovelace", "is the email address"),
            ("Password123", "tried first"),
            ("1234567890", "tried first"),
            ("zzzzzzzzzzzz", "tried first"),
        ] {
            let error = Password::chosen(bad, EMAIL).expect_err(bad);
            assert!(error.contains(why), "{bad}: {error}");
        }
    }

    #[test]
    fn common_passwords_are_those_that_the_other_rules_let_through() {
        for common in COMMON.lines() {
            assert!(common.chars().count() >= LEAST && common == common.to_lowercase(), "{common}");
        }
    }

    #[test]
    fn printing_one_shows_nothing() {
        assert_eq!(format!("{:?}", Password::typed("correct horse")), "Password(redacted)");
    }
}
