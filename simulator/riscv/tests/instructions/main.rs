//! Every instruction: registers, memory, program counter and cycles; the official tests' values.

#[path = "../common/assembler.rs"]
mod assembler;
mod atomics;
mod compressed;
mod control;
mod faults;
mod harness;
mod memory;
mod official;
mod system;
mod upper;
mod xw;
mod zbs;
mod zc;
