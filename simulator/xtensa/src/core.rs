//! Cores: which options they have, and their timing.
//!
//! One instruction a cycle, in order. GCC's description of the pipeline (`config/xtensa/xtensa.md`,
//! "The Xtensa basically has simple 5-stage RISC pipeline") gives latencies of 2 for loads,
//! multiplications and reads of special registers, 1 for all else: an instruction that uses such
//! a result at once waits a cycle. A jump or taken branch takes 3 cycles, as there are two stages
//! in front of the one that decides. Neither is validated against a part. A division takes 13 cycles at most
//! (Xtensa LX6 Data Book, "32-bit Integer Divide Option": 2 to 13), always taken.
//!
//! Windowed calls and returns are jumps and cost as such, ENTRY and MOVSP 1. The ISA reference manual
//! gives no cost of an exception: taken as a jump, the instruction that is killed included; what the
//! handler does costs what its instructions cost. Going back in a zero-overhead loop is free (ISA
//! reference manual, 4.3.2), LOOP itself takes 1, and one that is skipped as much as a taken branch.

use pennyweight_machine::{BoardError, CoreFile};

/// The timing model's name in core files.
const MODEL: &str = "xtensa";

/// Names in core files: those of the options, and windows of half the physical registers.
pub const NAMES: [&str; 10] = [
    "miscellaneous",
    "multiply-high",
    "divide",
    "loops",
    "windows",
    "windows-32",
    "mac16",
    "booleans",
    "conditional-store",
    "thread-pointer",
];

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

    /// These and the one of that name, one of [`NAMES`].
    #[must_use]
    pub fn with(mut self, name: &str) -> Options {
        match name {
            "miscellaneous" => self.miscellaneous = true,
            "multiply-high" => self.multiply_high = true,
            "divide" => self.divide = true,
            "loops" => self.loops = true,
            "windows" | "windows-32" => self.windows = true,
            "mac16" => self.mac16 = true,
            "booleans" => self.booleans = true,
            "conditional-store" => self.conditional_store = true,
            "thread-pointer" => self.thread_pointer = true,
            _ => {}
        }
        self
    }
}

/// A core.
#[derive(Clone, Copy, Debug)]
pub struct Core {
    /// What it has.
    pub options: Options,
    /// Physical address registers, if it has windows: 32 or 64.
    pub registers: u32,
    /// Cycles that a jump or a taken branch takes more than one that is not taken.
    pub taken: u32,
    /// Cycles of a division.
    pub division: u32,
}

impl Core {
    /// The core of a file, on a part with these extensions.
    ///
    /// # Errors
    /// There is no such model, or one of its numbers is out of its range.
    pub fn of_file(file: &CoreFile, extensions: &[String]) -> Result<Core, BoardError> {
        file.one_of("[timing]: model", &file.timing, &[MODEL])?;
        let mut given = file.parameters();
        let taken = given.number("taken", 2, (0, 16), "the cycles that a taken branch takes more")?;
        let division = given.number("division", 13, (1, 64), "the cycles of a division")?;
        given.finish()?;
        let has = |name: &str| extensions.iter().any(|each| each == name);
        Ok(Core {
            options: extensions.iter().fold(Options::NONE, |options, name| options.with(name)),
            registers: match (has("windows"), has("windows-32")) {
                (true, _) => 64,
                (false, true) => 32,
                (false, false) => 0,
            },
            taken,
            division,
        })
    }
}
