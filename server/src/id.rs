//! Public ids: random, so that they tell neither time nor number, and easy to read aloud and to double-click.

/// The operating system gives no randomness.
#[derive(Debug, thiserror::Error)]
#[error("the operating system gives no randomness: {0}")]
pub struct RandomError(String);

/// Fills bytes with randomness of the operating system.
///
/// # Errors
/// It gives none.
pub fn fill(bytes: &mut [u8]) -> Result<(), RandomError> {
    getrandom::fill(bytes).map_err(|error| RandomError(error.to_string()))
}

/// Name of an object in addresses: 96 random bits in base58.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicId(String);

impl PublicId {
    /// A new one.
    ///
    /// # Errors
    /// The operating system gives no randomness.
    pub fn random() -> Result<Self, RandomError> {
        let mut bytes = [0u8; 12];
        fill(&mut bytes)?;
        Ok(Self(bs58::encode(bytes).into_string()))
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// As text, taken.
    pub fn into_string(self) -> String {
        self.0
    }
}

/// The text could be a public id; others need no look into the database.
pub fn plausible(text: &str) -> bool {
    (12..=24).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_plausible_and_different() {
        let ids: Vec<_> = (0..200).map(|_| PublicId::random().expect("random")).collect();
        assert!(ids.iter().all(|id| plausible(id.as_str())), "{ids:?}");
        assert!(ids.iter().enumerate().all(|(i, id)| !ids[..i].contains(id)));
        assert!(!plausible("../../etc/passwd"));
    }
}
