//! AVRe and AVRe+.
//!
//! Measured on an ATmega163: K. Papagiannopoulos, N. Veshchikov, "Mind the Gap: Towards Secure 1st-order
//! Masking in Software", COSADE 2017. Registers and memory show the distance of the old and the new value,
//! accesses to memory that of the values that follow each other, and an access to a register depends on its
//! neighbour too. Which registers are neighbours: the authors' tool, nikita-veshchikov/ascold,
//! device/device.py at commit 1df3d0b.
//!
//! Assumed: that other parts with this core do the same; that all instructions access registers as moves,
//! loads and stores do, for which alone the tool lists them; that loads and stores have one bus, on which
//! also I/O and flash are read; that the arithmetic unit's operands follow each other in latches, as on the
//! Cortex-M3 (MAPS).

use super::Model;

pub const NAME: &str = "avre";

pub const MODEL: Model = Model {
    neighbours: neighbours(),
    source: "K. Papagiannopoulos, N. Veshchikov, COSADE 2017 (registers, memory, neighbours, measured on an \
             ATmega163); operand latches assumed",
};

/// Pairs, and all registers for R0 and R1.
const fn neighbours() -> [u32; 32] {
    let mut found = [0; 32];
    let mut register = 0;
    while register < 32 {
        found[register] = if register < 2 { !(1 << register) } else { 1 << (register ^ 1) };
        register += 1;
    }
    found
}
