//! The account that a log-in is for, as rates count it: guesses at one account come from many addresses.

use super::rate::Key;
use sha2::{Digest, Sha256};

/// An address of an account, known or not, as a hash: the table of counts holds no addresses of people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AccountKey {
    digest: [u8; 16],
    wide: bool,
}

impl AccountKey {
    /// The key of an address as it was typed.
    pub fn of(email: &str) -> Self {
        let mut digest = [0; 16];
        digest.copy_from_slice(&Sha256::digest(email.trim().to_lowercase().as_bytes())[..16]);
        Self { digest, wide: false }
    }
}

impl Key for AccountKey {
    /// One of 256 groups.
    fn wider(self) -> Self {
        let mut digest = [0; 16];
        digest[0] = self.digest[0];
        Self { digest, wide: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn however_an_address_is_typed_it_is_one() {
        assert_eq!(AccountKey::of(" Ada@Example.com "), AccountKey::of("ada@example.com"));
        assert_ne!(AccountKey::of("ada@example.com"), AccountKey::of("eva@example.com"));
        assert_ne!(AccountKey::of("ada@example.com"), AccountKey::of("ada@example.com").wider());
    }
}
