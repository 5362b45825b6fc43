//! Lock step of the AVR simulator with simavr and yasimavr.
//!
//! A random program ([`stream`]) runs on Pennyweight, one instruction at a time, with registers put right
//! where the next instruction would leave what the peer models ([`guide`]); the peer ([`peer`]) then
//! does the same, and [`lockstep`] holds the states against each other.
//!
//! The random functions of [`function`] are for comparing translated code with the interpreter.

pub mod chip;
#[cfg(feature = "translator")]
pub mod function;
pub mod guide;
pub mod lockstep;
pub mod peer;
pub mod stream;
