//! The machine as callers drive it: boot, calls, limits, refusals.

#[path = "../common/mod.rs"]
mod common;

mod boards;
mod calls;
mod limits;
mod random_images;
