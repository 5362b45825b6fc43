//! Cores: which options they have, and their timing.
//!
//! One instruction a cycle, in order. GCC's description of the pipeline (`config/xtensa/xtensa.md`,
//! "The Xtensa basically has simple 5-stage RISC pipeline") gives latencies of 2 for loads,
//! multiplications and reads of special registers, 1 for all else: an instruction that uses such
//! a result at once waits a cycle. A jump or taken branch takes 3 cycles, as there are two stages
//! in front of the one that decides. Neither is validated against a part.
//!
//! Windowed calls and returns are jumps and cost as such, ENTRY and MOVSP 1. The ISA reference manual
//! gives no cost of an exception: taken as a jump, the instruction that is killed included; what the
//! handler does costs what its instructions cost. Going back in a zero-overhead loop is free (ISA
//! reference manual, 4.3.2), LOOP itself takes 1, and one that is skipped as much as a taken branch.

/// Options of the instruction set beyond the base, density, multiply and NSA.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// MIN, MAX, MINU, MAXU, SEXT, CLAMPS.
    pub miscellaneous: bool,
    /// MULUH, MULSH.
    pub multiply_high: bool,
    /// QUOU, QUOS, REMU, REMS.
    pub divide: bool,
    /// LOOP, LOOPNEZ, LOOPGTZ.
    pub loops: bool,
    /// Windowed registers.
    pub windows: bool,
    /// Multiply-accumulate of 16-bit numbers.
    pub mac16: bool,
    /// Boolean registers.
    pub booleans: bool,
    /// S32C1I.
    pub conditional_store: bool,
    /// THREADPTR.
    pub thread_pointer: bool,
}

impl Options {
    /// None.
    pub const NONE: Options = Options {
        miscellaneous: false,
        multiply_high: false,
        divide: false,
        loops: false,
        windows: false,
        mac16: false,
        booleans: false,
        conditional_store: false,
        thread_pointer: false,
    };
    /// All.
    pub const ALL: Options = Options {
        miscellaneous: true,
        multiply_high: true,
        divide: true,
        loops: true,
        windows: true,
        mac16: true,
        booleans: true,
        conditional_store: true,
        thread_pointer: true,
    };
}

/// A core.
#[derive(Clone, Copy, Debug)]
pub struct Core {
    /// The name that a board file's `core.name` uses.
    pub name: &'static str,
    /// What it has.
    pub options: Options,
    /// Physical address registers, if it has windows: 32 or 64.
    pub registers: u32,
    /// Cycles that a jump or a taken branch takes more than one that is not taken.
    pub taken: u32,
    /// Cycles of a division.
    pub division: u32,
}

/// Tensilica LX106, of the ESP8266.
pub const LX106: Core = Core { name: "lx106", options: Options::NONE, registers: 0, taken: 2, division: 1 };

/// Tensilica LX6, of the ESP32 (its options: `core-isa.h` of ESP-IDF); the floating-point unit is
/// left out. Division: 13 cycles at most (Xtensa LX6 Data Book, "32-bit Integer Divide Option": 2
/// to 13), always taken.
pub const LX6: Core = Core { name: "lx6", options: Options::ALL, registers: 64, taken: 2, division: 13 };

/// Diamond 233L with the timing of the LX6: the core that QEMU has of this kind, for lock step. It
/// has 32 physical registers and no high halves of products.
pub const DE233: Core =
    Core { name: "de233", options: Options { multiply_high: false, ..Options::ALL }, registers: 32, ..LX6 };

/// Every core that a board file may name.
pub const CORES: &[&Core] = &[&LX106, &LX6, &DE233];

impl Core {
    /// The core of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Core> {
        CORES.iter().copied().find(|core| core.name == name)
    }
}
