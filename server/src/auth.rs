//! Who is calling, and the secrets that prove it.

pub mod api_token;
pub mod cookie;
pub mod owner;
pub mod password;
pub mod secret;
pub mod session;
