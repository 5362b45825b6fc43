//! What the check commands share.

pub mod avr;
pub mod mips;
pub mod msp430;
pub mod riscv;
pub mod robust;
pub mod thumb;
pub mod xtensa;
