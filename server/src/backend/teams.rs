//! Teams, as pages and forms need them.

use super::RequestBackend;
use crate::service::clock;
use app::backend::UiError;
use app::backend::teams::{
    InvitationSummary, Log, LogLine, MemberSummary, Offer, TeamBackend, TeamDetail, TeamSummary,
};

#[async_trait::async_trait]
impl TeamBackend for RequestBackend {
    async fn team(&self, log_from: Option<String>) -> Result<TeamDetail, UiError> {
        let found = self.state.teams.team(self.actor().await?, log_from.as_deref()).await;
        let found = found.map_err(|error| self.failed(error))?;
        let me = found.member;
        let members = found.people.into_iter().map(|person| MemberSummary {
            me: person.id == me.account,
            id: person.public_id,
            email: person.email,
            role: person.role.name().to_owned(),
            joined_at: clock::iso(person.joined_at),
        });
        let invitations = found.invitations.into_iter().map(|invitation| InvitationSummary {
            id: invitation.public_id,
            role: invitation.role.name().to_owned(),
            made_by: invitation.made_by,
            expires_at: clock::iso(invitation.expires_at),
        });
        let next = found.log.next;
        let lines = found.log.lines.into_iter().map(|line| LogLine {
            at: clock::iso(line.at),
            who: line.who,
            action: line.action,
            object: line.object,
            about: line.about,
        });
        let teams = found.teams.into_iter().map(|team| TeamSummary {
            current: team.public_id == me.team_public_id,
            id: team.public_id,
            name: team.name,
            role: team.role.name().to_owned(),
        });
        Ok(TeamDetail {
            name: me.team_name.clone(),
            role: me.role.name().to_owned(),
            members: members.collect(),
            invitations: invitations.collect(),
            log: Log { lines: lines.collect(), next, is_later_page: log_from.is_some() },
            teams: teams.collect(),
        })
    }

    async fn create_team(&self, name: String) -> Result<(), UiError> {
        self.state.teams.create(self.actor().await?, &name).await.map_err(|error| self.failed(error))
    }

    async fn switch_team(&self, team: String) -> Result<(), UiError> {
        self.state.teams.switch(self.actor().await?, &team).await.map_err(|error| self.failed(error))
    }

    async fn rename_team(&self, name: String) -> Result<(), UiError> {
        self.state.teams.rename(self.actor().await?, &name).await.map_err(|error| self.failed(error))
    }

    async fn create_invitation(&self, role: String) -> Result<String, UiError> {
        let token = self.state.teams.invite(self.actor().await?, &role).await;
        Ok(token.map_err(|error| self.failed(error))?.expose().to_owned())
    }

    async fn withdraw_invitation(&self, invitation: String) -> Result<(), UiError> {
        self.state.teams.withdraw(self.actor().await?, &invitation).await.map_err(|error| self.failed(error))
    }

    async fn offer(&self, token: String) -> Result<Offer, UiError> {
        let offer = self.state.teams.offer(&token).await.map_err(|error| self.failed(error))?;
        Ok(Offer { team: offer.team, role: offer.role.name().to_owned(), made_by: offer.made_by })
    }

    async fn accept_invitation(&self, token: String) -> Result<(), UiError> {
        self.state.teams.accept(self.actor().await?, &token).await.map_err(|error| self.failed(error))
    }

    async fn change_role(&self, member: String, role: String) -> Result<(), UiError> {
        self.state.teams.set_role(self.actor().await?, &member, &role).await.map_err(|error| self.failed(error))
    }

    async fn remove_member(&self, member: String) -> Result<(), UiError> {
        self.state.teams.remove(self.actor().await?, &member).await.map_err(|error| self.failed(error))
    }

    async fn leave_team(&self) -> Result<(), UiError> {
        self.state.teams.leave(self.actor().await?).await.map_err(|error| self.failed(error))
    }
}
