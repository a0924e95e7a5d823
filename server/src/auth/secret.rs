//! Secrets: random, shown to their holder only, stored as their SHA-256 only, and redacted when printed.
//!
//! They hold 160 bits and more, so a fast hash is enough: nobody can guess one to compare.

use crate::id::RandomError;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// SHA-256 of a secret, as it is stored and looked up.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// Of a secret as its holder sends it.
    pub(super) fn of(secret: &str) -> Self {
        Self(Sha256::digest(secret.as_bytes()).into())
    }

    /// The bytes for the store.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl std::fmt::Debug for TokenHash {
    /// The first bytes: enough to follow one token through a log, too little to look it up.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TokenHash({:02x}{:02x}{:02x}…)", self.0[0], self.0[1], self.0[2])
    }
}

macro_rules! secret {
    ($(#[$doc:meta])* $name:ident, $bytes:literal) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq)]
        pub struct $name(String);

        impl $name {
            /// Length of the text form.
            const LENGTH: usize = ($bytes * 4usize).div_ceil(3);

            /// A new one.
            ///
            /// # Errors
            /// The operating system gives no randomness.
            pub fn random() -> Result<Self, RandomError> {
                let mut bytes = [0u8; $bytes];
                crate::id::fill(&mut bytes)?;
                Ok(Self(URL_SAFE_NO_PAD.encode(bytes)))
            }

            /// Reads one that a caller sent; anything of another form is none.
            pub fn parse(text: &str) -> Option<Self> {
                let plausible = text.len() == Self::LENGTH && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
                plausible.then(|| Self(text.to_owned()))
            }

            /// What is stored of it.
            pub fn hash(&self) -> TokenHash {
                TokenHash::of(&self.0)
            }

            /// The secret itself: only for handing it to its holder.
            pub fn expose(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(concat!(stringify!($name), "(redacted)"))
            }
        }
    };
}

secret! {
    /// Marks a browser as the owner of its scenarios: 256 bits.
    OwnerToken, 32
}

secret! {
    /// Opens a share link: 160 bits.
    ShareToken, 20
}

secret! {
    /// Logs a browser in: 256 bits.
    SessionToken, 32
}

secret! {
    /// Sets the password of an account, once: 256 bits.
    ResetToken, 32
}

secret! {
    /// Lets an account into a team, once: 160 bits.
    InvitationToken, 20
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_different_and_read_back() {
        let (a, b) = (OwnerToken::random().expect("random"), OwnerToken::random().expect("random"));
        assert_eq!(a.expose().len(), 43);
        assert_ne!(a, b);
        assert_ne!(a.hash(), b.hash());
        assert_eq!(OwnerToken::parse(a.expose()), Some(a));
        assert_eq!(ShareToken::random().expect("random").expose().len(), 27);
    }

    #[test]
    fn other_text_is_no_token() {
        for text in ["", "abc", &"a".repeat(44), &"ü".repeat(21), &format!("{}=", "a".repeat(42))] {
            assert_eq!(OwnerToken::parse(text), None, "{text}");
        }
    }

    #[test]
    fn printing_one_shows_nothing() {
        let token = OwnerToken::random().expect("random");
        assert_eq!(format!("{token:?}"), "OwnerToken(redacted)");
        assert!(!format!("{:?}", token.hash()).contains(token.expose()));
    }
}
