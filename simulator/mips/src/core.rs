//! Core timing: latencies.
//!
//! M4K: five stages, one instruction a cycle, in order, fully bypassed (PIC32MX3XX/4XX data sheet
//! DS61143H, 3.2.1). A branch is decided while its delay slot is fetched, and costs nothing more. A load
//! is followed by one cycle in which its result cannot be used; the core waits (documented for the same
//! family's 4Kc, IDT 79RC32438 manual, chapter 2; the M4K's own, MD00249, was not available).
//! Multiplication and division: DS61143H, table 3-1. A result fetched by MFHI or MFLO can be used as late
//! as a load's (4Kc, table 2.1). The 4Kc's manual also has each MUL hold up the pipeline by one cycle or
//! two; the table of DS61143H does not, and is followed.
//!
//! Of 16-bit code neither DS61143H nor any other available manual gives this core's times. What is done here
//! follows from the pipeline, and no board has confirmed it: an instruction takes one cycle as its MIPS32
//! counterpart does, EXTEND none of its own (a fetch brings two halfwords); a branch that is taken, JRC
//! and JALRC discard the instruction fetched behind them, which costs its cycle (so the VR4120A, NEC
//! S14767EJ, 2.3.7.3); SAVE and RESTORE take a cycle for each register and one for the stack pointer,
//! because there is one way to memory, one adder and one way into the registers.

use pennyweight_machine::{BoardError, CoreFile};

/// Cycles from the issue of an instruction to that of the first that can use its result, and to that
/// of the next one that needs the same unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latency {
    /// To the result.
    pub result: u32,
    /// To the next one.
    pub repeat: u32,
}

/// A core that issues one instruction a cycle, in order.
#[derive(Clone, Copy, Debug)]
pub struct Core {
    /// Cycles from a load to the first instruction that can use its result.
    pub load: u32,
    /// The same of MFHI and MFLO.
    pub from_high_low: u32,
    /// MULT, MADD, MSUB: to MFHI, MFLO; by a factor `rt` of 16 bits, or more.
    pub multiply: [Latency; 2],
    /// MUL: to the register; the same as above.
    pub multiply_to_register: [Latency; 2],
    /// DIV, DIVU: by a dividend `rs` of 8, 16, 24 or 32 bits.
    pub divide: [Latency; 4],
}

/// MIPS M4K with the fast multiplier, as in PIC32MX parts.
pub const M4K: Core = Core {
    load: 2,
    from_high_low: 2,
    multiply: [Latency { result: 1, repeat: 1 }, Latency { result: 2, repeat: 2 }],
    multiply_to_register: [Latency { result: 2, repeat: 1 }, Latency { result: 3, repeat: 2 }],
    divide: [
        Latency { result: 12, repeat: 11 },
        Latency { result: 19, repeat: 18 },
        Latency { result: 26, repeat: 25 },
        Latency { result: 33, repeat: 32 },
    ],
};

/// The timing model's name in core files.
const MODEL: &str = "m4k";

impl Core {
    /// The core with the numbers of a core's file.
    ///
    /// # Errors
    /// There is no such model, or one of its numbers is out of its range.
    pub fn of_file(file: &CoreFile) -> Result<Core, BoardError> {
        file.one_of("[timing]: model", &file.timing, &[MODEL])?;
        let mut given = file.parameters();
        let load = given.number("load", M4K.load, (1, 64), "the latency of a load")?;
        let meaning = "the latency of MFHI and MFLO";
        let from_high_low = given.number("from_high_low", M4K.from_high_low, (1, 64), meaning)?;
        given.finish()?;
        Ok(Core { load, from_high_low, ..M4K })
    }
}

/// Which multiplication: 0 if the factor is a 16-bit number with sign, else 1. No manual
/// describes how the unit distinguishes the sizes of unsigned factors; the same rule is assumed.
#[must_use]
pub fn factor_size(rt: u32) -> usize {
    usize::from(rt as i32 != i32::from(rt as i16))
}

/// Which division: by the bytes that the dividend needs, less one. Leading zeros, or of a signed
/// dividend copies of its sign, are skipped.
#[must_use]
pub fn dividend_size(rs: u32, signed: bool) -> usize {
    let bits = if signed {
        33 - (if (rs as i32) < 0 { !rs } else { rs }).leading_zeros()
    } else {
        32 - rs.leading_zeros()
    };
    (bits.clamp(1, 32) as usize - 1) / 8
}
