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

use super::{Core, PredictorSize};

/// The core of the FE310-G002.
pub const E31: Core = Core {
    load_word: 2,
    load_part: 3,
    multiply: 5,
    csr: 3,
    atomic: 2,
    division: (2, 33),
    mispredicted: 3,
    predictor: PredictorSize { targets: 28, histories: 512, returns: 6 },
};
