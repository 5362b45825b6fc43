//! What the check commands share.

pub mod avr;
pub mod thumb;
