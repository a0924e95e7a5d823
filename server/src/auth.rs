//! Who is calling, and the secrets that prove it.

pub mod owner;
pub mod secret;
