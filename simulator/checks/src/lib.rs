//! What the check commands share.

pub mod thumb;
