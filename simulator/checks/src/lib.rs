//! What the check commands share.

pub mod avr;
pub mod lockstep;
pub mod mips;
pub mod msp430;
pub mod qemu;
pub mod random;
pub mod riscv;
pub mod robust;
pub mod thumb;
#[cfg(feature = "translator")]
pub mod translate;
pub mod xtensa;
