//! Hazard3, as in the RP2350.
//!
//! References: RP2350 datasheet (RP-008373-DS), section 3.8.7 "Instruction cycle counts", and section 3.8.8
//! "Configuration" for the parameters that the part is made with, among them MULDIV_UNROLL 2, MUL_FAST,
//! MUL_FASTER, MULH_FAST, FAST_BRANCHCMP and BRANCH_PREDICTOR 1, REDUCED_BYPASS 0; the core's source,
//! github.com/Wren6991/Hazard3, of which files below are named. `lockstep_hazard3` compares the cycles of
//! every instruction with those of that source in Verilator.
//!
//! * Three stages, single issue, in order; a result of the second stage is bypassed to the next instruction.
//!   Loads, LR and SC have their results in the third stage: an instruction that needs one right behind
//!   waits a cycle, except a store that only stores it (`hazard3_core.v`, `x_stall_on_raw`; footnote 2 of the
//!   datasheet's tables). The comparison is of register numbers in the encoding, so it includes hints and the
//!   immediate of CSRRWI, CSRRSI and CSRRCI (ibid., `d_rs1`). Nothing waits to overwrite a result.
//! * Multiplications of both halves: 1 cycle, from MUL_FASTER and MULH_FAST (3.8.7.2).
//! * Divisions: 2 bits a cycle, before which a cycle loads the operands and one makes the divisor negative, and
//!   one in which the result is ready: 19, and 20 with a negative dividend, whose sign is corrected twice
//!   while that of a divisor costs nothing (`hazard3_muldiv_seq.v`). The datasheet has 18 and 19, which do not
//!   include the cycle that loads the operands.
//! * AMO: 4 cycles (3.8.7.3); LR, SC and AMO wait a cycle right behind LR or SC (`x_stall_on_exclusive_overlap`).
//!   The part's memories grant each exclusive access, so there is one attempt.
//! * Jumps and taken branches: 2 cycles, and one more to a 32-bit instruction that is not aligned to a word
//!   (footnote 1); prediction of the last backward branch: see `looped.rs`. FENCE.I is a jump to the next
//!   instruction (`hazard3_decode.v`).
//! * Zcmp: each load, store and move a cycle, and one for the stack pointer; in CM.POPRET that one is hidden
//!   behind the jump, which waits if the return address was loaded last (3.8.7.8). The datasheet has 5 cycles for
//!   CM.POPRETZ with one register; in the source, clearing a0 is between load and jump, which makes 4.

use pennyweight_machine::{BoardError, CoreFile};

use super::{Core, Division, Interlocks, JumpCosts, Refill};

/// The core of the RP2350.
pub const HAZARD3: Core = Core {
    access: 1,
    load_word: 2,
    load_part: 2,
    multiply: 1,
    multiply_high: 1,
    csr: 1,
    atomic: 2,
    modification: 4,
    division: Division::Fixed(19),
    interlocks: Interlocks { destination: false, stored: false, unused: true, exclusive: true, target: 0 },
    jumps: JumpCosts::Looped(Refill { taken: 1, jump: 1, split: 1 }),
};

/// The core; its file has no numbers.
pub fn of_file(file: &CoreFile) -> Result<Core, BoardError> {
    file.parameters().finish()?;
    Ok(HAZARD3)
}
