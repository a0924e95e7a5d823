//! Tokens of the API, as pages and forms need them.

use super::RequestBackend;
use crate::service::clock;
use app::backend::UiError;
use app::backend::tokens::{TokenBackend, TokenSummary};

#[async_trait::async_trait]
impl TokenBackend for RequestBackend {
    async fn tokens(&self) -> Result<Vec<TokenSummary>, UiError> {
        let tokens = self.state.tokens.list(self.actor().await?).await.map_err(|error| self.failed(error))?;
        let now = clock::now();
        Ok(tokens
            .into_iter()
            .map(|token| TokenSummary {
                id: token.public_id,
                name: token.name,
                scope: token.scope.name().to_owned(),
                made_by: token.made_by,
                expires_at: clock::iso(token.expires_at),
                ended: token.expires_at <= now,
                last_used_at: token.last_used_at.map(clock::iso),
            })
            .collect())
    }

    async fn create_token(&self, name: String, scope: String, days: String) -> Result<String, UiError> {
        let token = self.state.tokens.make(self.actor().await?, &name, &scope, &days).await;
        Ok(token.map_err(|error| self.failed(error))?.expose().to_owned())
    }

    async fn revoke_token(&self, token: String) -> Result<(), UiError> {
        self.state.tokens.revoke(self.actor().await?, &token).await.map_err(|error| self.failed(error))
    }
}
