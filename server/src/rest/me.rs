//! `/me`: what a token is.

use super::bearer::Bearer;
use crate::service::clock;
use crate::store::tokens::Scope;
use axum::Json;
use serde::Serialize;

/// The answer.
#[derive(Debug, Serialize)]
pub struct Me {
    team: Team,
    role: &'static str,
    token: Token,
}

#[derive(Debug, Serialize)]
struct Team {
    id: String,
    name: String,
}

#[derive(Debug, Serialize)]
struct Token {
    name: String,
    scopes: Vec<&'static str>,
    expires_at: String,
}

/// What this token is for
///
/// The team that it works in, the role that it has there now, its scopes and when it ends.
#[utoipa::path(get, path = "/me", operation_id = "getMe", tag = "Tokens", security(("bearer" = [])),
    responses((status = 200, description = "The token", body = ref("#/components/schemas/Me"))))]
pub async fn get_me(Bearer(holder): Bearer) -> Json<Me> {
    let scopes = [Scope::Read, Scope::Write].into_iter().filter(|scope| *scope <= holder.scope).map(Scope::name);
    Json(Me {
        team: Team { id: holder.member.team_public_id.clone(), name: holder.member.team_name.clone() },
        role: holder.member.role.name(),
        token: Token { name: holder.name.clone(), scopes: scopes.collect(), expires_at: clock::iso(holder.expires_at) },
    })
}
