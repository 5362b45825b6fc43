//! Every instruction of ARMv6-M: registers, flags, program counter and cycles of a Cortex-M0.
//! Semantics after DDI 0419, A6.7; cycles after DDI 0432, table 3-1.

mod arithmetic;
mod branches;
mod cortex_m0plus;
mod decoding;
mod faults;
mod harness;
mod logic;
mod memory;
mod shifts;
mod stack;
mod system;
