//! What runs of a program have shown that its translation uses.

use std::collections::BTreeSet;

use crate::unusual::Unusual;

/// What runs have shown.
#[derive(Clone, Debug, Default)]
pub struct Learned {
    /// Where code was entered.
    pub roots: BTreeSet<u32>,
    /// Instructions whose usual cases do not suffice.
    pub unusual: Unusual,
    /// Instructions that have accessed registers of a device. They are left to the interpreter.
    pub devices: BTreeSet<u32>,
}
