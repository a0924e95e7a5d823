//! A new migration changes no Rust file: tell Cargo to look.

fn main() {
    println!("cargo:rerun-if-changed=../migrations");
    println!("cargo:rerun-if-env-changed=LEPTOS_OUTPUT_NAME");
}
