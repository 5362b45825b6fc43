//! Core timing: the cycles of instructions, the latencies of their results, and what jumps cost.

mod esp32_c3;
mod fetch;
mod hazard3;
mod jumps;
mod looped;
mod predictor;
mod qingke_v2a;
mod sifive_e31;

use pennyweight_machine::{BoardError, CoreFile};
use pennyweight_memory::timing::Models;

use crate::op::Divided;

pub use esp32_c3::ESP32_C3;
pub use fetch::{Queue, Remembered};
pub use hazard3::HAZARD3;
pub use jumps::{JumpCosts, Jumps, Refill};
#[cfg(feature = "translator")]
pub use looped::LoopState;
pub use looped::{Around, Looped, Starved};
#[cfg(feature = "translator")]
pub use predictor::Tables;
pub use predictor::{Jump, Predictor, PredictorSize};
pub use qingke_v2a::QINGKE_V2A;
pub use sifive_e31::E31;

const SIFIVE_E31: &str = "sifive-e31";
/// The timing models' names in core files.
const QINGKE: &str = "qingke-v2a";
const ESP: &str = "esp32-c3";
const MODELS: [&str; 4] = [SIFIVE_E31, QINGKE, ESP, "hazard3"];

/// What an instruction waits for in addition to the registers that it computes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interlocks {
    /// A result for the register that it writes.
    pub destination: bool,
    /// The value that it stores, not only its address.
    pub stored: bool,
    /// Registers whose numbers are in its encoding, although it does not use them.
    pub unused: bool,
    /// As LR, SC or AMO: the end of a LR or SC.
    pub exclusive: bool,
    /// So many cycles more: a jump, for the register with its target.
    pub target: u32,
}

impl Interlocks {
    /// Of a core that waits for registers only.
    pub const REGISTERS: Interlocks =
        Interlocks { destination: true, stored: true, unused: false, exclusive: false, target: 0 };
}

/// The cycles of a division.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// One for each bit of the quotient and one more, but at least and at most so many.
    ByQuotient(u32, u32),
    /// So many; with a negative dividend one more.
    Fixed(u32),
    /// So many, and one for each leading zero of the divisor; if that is negative, one for each leading one
    /// behind its sign.
    ByDivisor(u32),
}

/// A core that issues one instruction at a time, in order.
///
/// A latency is the number of cycles from the issue of an instruction to that of the first that
/// can use its result: 1 for all others.
#[derive(Clone, Copy, Debug)]
pub struct Core {
    /// Cycles of a load or store, whether its result is used or not.
    pub access: u32,
    /// Latency of LW.
    pub load_word: u32,
    /// Latency of LB, LBU, LH and LHU.
    pub load_part: u32,
    /// Latency of a multiplication; the next one waits as long.
    pub multiply: u32,
    /// Cycles of a multiplication's upper half, whether its result is used or not.
    pub multiply_high: u32,
    /// Latency of a read of a CSR.
    pub csr: u32,
    /// Latency of LR, SC and AMO.
    pub atomic: u32,
    /// Cycles of an AMO, whether its result is used or not.
    pub modification: u32,
    /// Divisions.
    pub division: Division,
    /// What instructions wait for.
    pub interlocks: Interlocks,
    /// Costs of jumps.
    pub jumps: JumpCosts,
}

/// Refuses a core file with an extension that its timing model lacks.
fn refuse_extension(file: &CoreFile, has: impl Fn(&str) -> bool) -> Result<(), BoardError> {
    for (field, names) in [("extensions", &file.extensions), ("optional", &file.optional)] {
        if let Some(name) = names.iter().find(|name| !has(name)) {
            let what =
                format!("has {name:?}, which the timing model {:?} does not support; remove it", file.timing);
            return Err(file.error(field, &what));
        }
    }
    Ok(())
}

impl Core {
    /// The core with the numbers of a core's file.
    ///
    /// # Errors
    /// There is no such model, or one of its numbers is out of its range.
    pub fn of_file(file: &CoreFile) -> Result<Core, BoardError> {
        match file.one_of("[timing]: model", &file.timing, &MODELS)? {
            SIFIVE_E31 => sifive_e31::of_file(file),
            QINGKE => qingke_v2a::of_file(file),
            ESP => esp32_c3::of_file(file),
            _ => hazard3::of_file(file),
        }
    }

    /// The models of flash timing that a core with this timing model can have.
    #[must_use]
    pub fn flash_models(timing: &str) -> Models {
        match timing {
            SIFIVE_E31 | ESP => Models::ZERO_WAIT.union(Models::INSTRUCTION_CACHE),
            QINGKE => Models::ZERO_WAIT.union(Models::FETCH_BUFFER),
            _ => Models::ZERO_WAIT,
        }
    }

    /// Cycles of a division. Nothing else is issued meanwhile: instructions that do not need the quotient wait
    /// too.
    #[must_use]
    pub fn divide(&self, divided: Divided) -> u32 {
        match self.division {
            Division::ByQuotient(least, most) => (u32::from(divided.bits) + 1).clamp(least, most),
            Division::Fixed(cycles) => cycles + u32::from(divided.negative),
            Division::ByDivisor(least) => least + u32::from(divided.leading),
        }
    }

    /// The longest latency.
    #[must_use]
    pub fn longest(&self) -> u32 {
        let latency = self.load_word.max(self.load_part).max(self.multiply).max(self.csr).max(self.atomic);
        latency + self.interlocks.target
    }
}
