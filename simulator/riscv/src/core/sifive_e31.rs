//! SiFive E31, as in the FE310-G002; the FE310-G000 has other tables, which its core's file gives.
//!
//! References: SiFive E31 Core Complex Manual v2p0 and FE310-G000 Manual v3p1, sections 3.2
//! "Instruction Fetch Unit" and 3.3 "Execution Pipeline": five stages, single issue, in order, fully
//! bypassed; result latencies LW 2, LH/LHU/LB/LBU 3, CSR reads 3, MUL 5, DIV/REM 2 to 33 by
//! operands; interlocks on read-after-write and write-after-write hazards only; a correctly
//! predicted jump costs nothing, a mispredicted one three cycles; branch target buffer, branch
//! history table and return-address stack of 28, 512 and 6 entries;
//! 8 bits a cycle of multiplication, one bit a cycle of division, one at a time.
//!
//! # What the manuals leave open, and what is taken instead
//!
//! * Division: one cycle for each bit of the quotient (by the places of the operands' highest
//!   ones) and one more, which gives the 2 to 33 of the manual. Instructions behind a division wait
//!   for it even if they do not use its result.
//! * LR, SC and AMO: the latency of LW. FENCE: 1 cycle.
//! * Replacement and hashing in the predictor: see `predictor.rs`.
//! * A branch to a 32-bit instruction that is not aligned to four bytes costs nothing.

use pennyweight_machine::{BoardError, CoreFile};

use super::{refuse_extension, Core, Division, Interlocks, JumpCosts, PredictorSize};
use crate::extensions::ZCMP;

/// Cycles that a wrongly predicted jump loses.
const MISPREDICTED: u32 = 3;
/// The shortest and the longest division.
const DIVISION: (u32, u32) = (2, 33);
/// The tables for prediction.
const PREDICTOR: PredictorSize = PredictorSize { targets: 28, histories: 512, returns: 6 };

/// The core of the FE310-G002.
pub const E31: Core = Core {
    access: 1,
    load_word: 2,
    load_part: 3,
    multiply: 5,
    multiply_high: 1,
    csr: 3,
    atomic: 2,
    modification: 1,
    division: Division::ByQuotient(DIVISION.0, DIVISION.1),
    interlocks: Interlocks::REGISTERS,
    jumps: JumpCosts::Predicted { predictor: PREDICTOR, mispredicted: MISPREDICTED },
};

/// The core with the numbers of a core's file.
pub fn of_file(file: &CoreFile) -> Result<Core, BoardError> {
    refuse_extension(file, |name| name != ZCMP)?;
    let mut given = file.parameters();
    let mut latency = |name, default, meaning| given.number(name, default, (1, 64), meaning);
    let load_word = latency("load_word", E31.load_word, "the latency of LW")?;
    let load_part = latency("load_part", E31.load_part, "the latency of LB, LBU, LH and LHU")?;
    let multiply = latency("multiply", E31.multiply, "the latency of a multiplication")?;
    let csr = latency("csr", E31.csr, "the latency of a read of a CSR")?;
    let atomic = latency("atomic", E31.atomic, "the latency of LR, SC and AMO")?;
    let least = latency("division_least", DIVISION.0, "the cycles of the shortest division")?;
    let most = given.number(
        "division_most",
        DIVISION.1.max(least),
        (least, 64),
        "the cycles of the longest division",
    )?;
    let mispredicted = "the cycles that a wrongly predicted jump loses";
    let mispredicted = given.number("mispredicted", MISPREDICTED, (0, 64), mispredicted)?;
    let PredictorSize { targets, histories, returns } = PREDICTOR;
    let targets = given.number("branch_targets", targets, (1, 255), "the entries of the target buffer")?;
    let powers = [8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096];
    let histories =
        given.choice("branch_histories", histories, &powers, "the entries of the history table")?;
    let returns = given.number("return_addresses", returns, (1, 64), "the entries of the return stack")?;
    given.finish()?;
    let predictor = PredictorSize { targets, histories, returns };
    Ok(Core {
        load_word,
        load_part,
        multiply,
        csr,
        atomic,
        division: Division::ByQuotient(least, most),
        jumps: JumpCosts::Predicted { predictor, mispredicted },
        ..E31
    })
}
