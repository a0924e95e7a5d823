//! Addresses of accounts: checked for form, not for existence, and always lower case.

/// Longest address (RFC 5321, 4.5.3.1.3, without its brackets).
const MOST: usize = 254;

/// An address as it is kept.
///
/// # Errors
/// What to do about it.
pub fn tidy(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("Type your email address.".into());
    }
    if text.len() > MOST {
        return Err(format!("The email address is too long; use at most {MOST} characters."));
    }
    let wrong = || "This is no email address; it should look like name@example.com.".to_owned();
    let (name, domain) = text.split_once('@').ok_or_else(wrong)?;
    // visible ASCII: what looks alike is alike, and nothing breaks the line that it stands in
    let plain = text.bytes().all(|b| b.is_ascii_graphic() && !b"<>()[],;:\\\"".contains(&b));
    let hosted = domain.split('.').all(|label| {
        !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') && !label.starts_with('-')
    });
    if name.is_empty() || !plain || !hosted {
        return Err(wrong());
    }
    Ok(text.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_tidy() {
        for (given, kept) in [
            (" Ada@Example.com ", "ada@example.com"),
            ("a+b.c@x.y.z", "a+b.c@x.y.z"),
            ("root@localhost", "root@localhost"),
        ] {
            assert_eq!(tidy(given).as_deref(), Ok(kept));
        }
        for bad in [
            "", "ada", "@x.y", "a@", "a@b@c", "a b@c.d", "a@b..c", "a@.b", "a@b.", "a\n@b.c", "<a@b.c>", "ä@b.c",
            "a@-b",
        ] {
            assert!(tidy(bad).is_err(), "{bad:?}");
        }
        assert!(tidy(&format!("{}@b.c", "a".repeat(260))).is_err());
    }
}
