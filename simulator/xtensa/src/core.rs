//! Cores: which options they have, and their timing.
//!
//! One instruction a cycle, in order. GCC's description of the pipeline (`config/xtensa/xtensa.md`,
//! "The Xtensa basically has simple 5-stage RISC pipeline") gives latencies of 2 for loads,
//! multiplications and reads of special registers, 1 for all else: an instruction that uses such
//! a result at once waits a cycle. A jump or taken branch takes 3 cycles, as there are two stages
//! in front of the one that decides. Neither is validated against a part.

/// Options of the instruction set beyond the base, density, multiply and NSA.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// MIN, MAX, MINU, MAXU, SEXT, CLAMPS.
    pub miscellaneous: bool,
    /// MULUH, MULSH.
    pub multiply_high: bool,
    /// QUOU, QUOS, REMU, REMS.
    pub divide: bool,
}

/// A core.
#[derive(Clone, Copy, Debug)]
pub struct Core {
    /// The name that a board file's `core.name` uses.
    pub name: &'static str,
    /// What it has.
    pub options: Options,
    /// Cycles that a jump or a taken branch takes more than one that is not taken.
    pub taken: u32,
    /// Cycles of a division.
    pub division: u32,
}

/// Tensilica LX106, of the ESP8266.
pub const LX106: Core = Core {
    name: "lx106",
    options: Options { miscellaneous: false, multiply_high: false, divide: false },
    taken: 2,
    division: 1,
};

/// Tensilica LX6, of the ESP32, without its windowed registers and loops. Division: 13 cycles at
/// most (Xtensa LX6 Data Book, "32-bit Integer Divide Option": 2 to 13), always taken.
pub const LX6: Core = Core {
    name: "lx6",
    options: Options { miscellaneous: true, multiply_high: true, divide: true },
    taken: 2,
    division: 13,
};

/// Every core that a board file may name.
pub const CORES: &[&Core] = &[&LX106, &LX6];

impl Core {
    /// The core of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Core> {
        CORES.iter().copied().find(|core| core.name == name)
    }
}
