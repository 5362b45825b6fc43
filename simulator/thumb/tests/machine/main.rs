//! The machine as callers see it: boot, calls, outcomes; and that no image makes it panic or hang.

#[path = "../common/assembler.rs"]
mod assembler;

mod associative_cache;
mod bus_matrix;
mod cache;
mod calls;
mod cortex_m33;
mod fetch_ahead;
mod it_blocks;
mod limits;
mod neighbours;
mod prefetch;
mod program;
mod ram_code;
mod random_device;
mod random_images;
mod refusals;
mod stream;
