//! Each instruction: registers, memory, flags, program counter and cycles.

#[path = "../common/mod.rs"]
mod common;

mod arithmetic;
mod faults;
mod flow;
mod general;
mod modes;
mod single;
mod special;
