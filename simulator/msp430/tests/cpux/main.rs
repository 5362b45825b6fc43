//! CPUX, instruction by instruction: registers, flags, program counter, memory, and cycles by the tables of
//! SLAU367, sections 4.5.1.5 and 4.5.2.7.

#[path = "../common/mod.rs"]
mod common;

mod address;
mod cache;
mod extended;
mod faults;
mod formats;
mod general;
mod many;
mod parts;
mod registers;
mod repeated;
mod single;
