//! What the check commands share.

pub mod avr;
pub mod command;
pub mod mips;
pub mod msp430;
pub mod qemu;
pub mod riscv;
pub mod robust;
pub mod thumb;
pub mod whole;
pub mod xtensa;
