//! Who asks: an account in one of its teams, or a browser without one.

use super::ServiceError;
use crate::auth::secret::OwnerToken;
use crate::store::accounts::AccountId;
use crate::store::sessions::Member;
use crate::store::teams::Role;

/// Who asks.
#[derive(Clone, Debug)]
pub enum Actor {
    /// A browser where nobody is logged in, with its owner token if it has saved something.
    Browser(Option<OwnerToken>),
    /// Someone who is logged in.
    Member(Box<Member>),
}

impl Actor {
    /// The account, if someone is logged in.
    pub fn account(&self) -> Option<AccountId> {
        self.member().ok().map(|member| member.account)
    }

    /// Who is logged in.
    ///
    /// # Errors
    /// Nobody is.
    pub fn member(&self) -> Result<&Member, ServiceError> {
        match self {
            Self::Member(member) => Ok(member),
            Self::Browser(_) => Err(ServiceError::NotLoggedIn),
        }
    }
}

/// A role allows what at least another one may do.
///
/// # Errors
/// It does not; what to do about it.
pub fn allow(role: Role, least: Role) -> Result<(), ServiceError> {
    if role >= least {
        return Ok(());
    }
    Err(ServiceError::Forbidden(match least {
        Role::Owner => "Only an owner of the team can do this. Ask one of them, or to become one.",
        Role::Editor | Role::Viewer => {
            "Viewers of a team can look, and not change. Ask an owner of the team to become an editor."
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_role_may_what_those_below_it_may() {
        let roles = [Role::Viewer, Role::Editor, Role::Owner];
        for (i, role) in roles.into_iter().enumerate() {
            for (j, least) in roles.into_iter().enumerate() {
                assert_eq!(allow(role, least).is_ok(), i >= j, "{role:?} {least:?}");
            }
            assert_eq!(Role::parse(role.name()), Some(role));
        }
        assert_eq!(Role::parse("admin"), None);
    }
}
