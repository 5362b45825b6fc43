//! Cortex-M33 r1p0: a three-stage pipeline that issues some pairs of 16-bit instructions together.
//!
//! What was measured on an RP2350 (jnk0le/random, "pipeline cycle test", doc/cortex_m33.md), here called
//! \[j\], is the source of every rule that does not name another one. Behind them is this structure
//! (elektroniknet.de, "Cortex-M23 und -M33 sind erste ARMv8-M-CPUs", on Arm's presentation of the core):
//! the second stage decodes, shifts, calculates, forms addresses and resolves all branches; the third
//! loads, and does what needs more than that: multiplications, SIMD, and sums with a shifted operand. So
//! the results of the third stage are ready a cycle later than others, and only its own operands, such as
//! the sum of a multiply-accumulate or what a store writes, can take them at once.
//!
//! Some numbers are in none of these sources. These follow from the structure: a load of PC takes the two
//! cycles until its result can be used and the refill of a branch, TBB and TBH a cycle more for their
//! addition. A division takes the 2 to 11 cycles that Arm states for the core, four bits of the quotient a
//! cycle, as assumed for the Cortex-M4; an unaligned access takes a cycle for each transfer, as there.

use pennyweight_machine::{BoardError, Parameters};

use super::operands::{bit, operands, Operands};
use super::Core;
use crate::op::{InstructionSet as _, Op, Work};
use crate::place::Place;
use crate::registers::Reg;
use crate::v6m::Code as V6;
use crate::v7m::{Code, Kind, V8m};

/// The core of the RP2350. Its floating-point unit and Security Extension are not modelled.
#[derive(Clone, Copy, Debug)]
pub struct CortexM33;

impl Core for CortexM33 {
    type Set = V8m;

    const MODEL: &'static str = "cortex-m33";
    const TAKEN: u32 = 1;
    const CONTEXT: bool = true;

    #[inline(always)]
    fn taken(op: &Op<Code>) -> u32 {
        op.code.s.into()
    }

    fn new(_: &mut Parameters<'_>) -> Result<Self, BoardError> {
        Ok(CortexM33)
    }

    fn cycles(&self, op: &Op<Code>) -> u32 {
        cycles(op)
    }

    fn overlap(op: &Op<Code>, place: &Place<'_>) -> i32 {
        i32::from(waits_through(op, place))
            + place.next::<Self>(op).map_or(0, |(next, at)| {
                if pairs(op, place, &next) {
                    // An instruction in the second slot takes no time; the one behind a NOP there
                    // waits as if it followed directly.
                    let behind = is_nop(&next).then(|| at.next::<Self>(&next)).flatten();
                    i32::from(behind.is_some_and(|(behind, _)| depends(op, &behind))) - 1
                } else {
                    let both =
                        !place.it.active() || !at.it.active() || place.it.condition() == at.it.condition();
                    i32::from(both && depends(op, &next))
                }
            })
    }

    /// A conditional branch with what it takes more when it is taken.
    ///
    /// Taken, it takes 2 cycles, or 1 in the second slot, and even there 2 if it waits for flags, or for
    /// the register of CBZ, from the first slot.
    fn settled(op: Op<Code>, place: &Place<'_>) -> Op<Code> {
        if !is_conditional(&op) {
            return op;
        }
        let first = place.previous::<Self>().filter(|(first, at)| pairs(first, at, &op));
        let hides = first.is_some_and(|(first, _)| !decides(&first, &op));
        let taken = if hides { 1 } else { 2 };
        let more = taken + u8::from(first.is_some()) - 1 - u8::from(waits_through(&op, place));
        Op { code: Code { s: more, ..op.code }, ..op }
    }

    /// The core fetches a word a cycle (Technical Reference Manual, Arm 100230, "Code AHB interface"). The
    /// second half of a 32-bit target that is not aligned to a word is therefore a cycle late. So is an
    /// instruction for the second slot, which must have been fetched.
    fn refill(target: &Op<Code>, place: &Place<'_>) -> u32 {
        let next = || place.next::<Self>(target).is_some_and(|(next, _)| pairs(target, place, &next));
        u32::from(place.address & 2 != 0 && (target.code.width == 2 || next()))
    }

    fn busy(_: &Op<Code>, work: Work) -> u32 {
        match work {
            Work::LongMultiply(..) => 0,
            Work::Divide(n, m) => division(n, m),
            Work::Unaligned(transfers) => transfers,
        }
    }
}

/// Cycles of an instruction alone.
fn cycles(op: &Op<Code>) -> u32 {
    use Kind as K;
    match op.code.kind {
        K::Base(V6::Ldm | V6::Stm | V6::Push | V6::Pop) | K::StmIa | K::StmDb => op.imm.count_ones(),
        K::LdmIa | K::LdmDb if op.imm & 0x8000 == 0 => op.imm.count_ones(),
        K::Base(V6::PopPc) | K::LdmIa | K::LdmDb => op.imm.count_ones() + 2,
        K::LdrToImm | K::LdrToSh | K::LdrToPre | K::LdrToPost if op.d == Reg::Pc => 3,
        K::Ldrd | K::LdrdPre | K::LdrdPost | K::Strd | K::StrdPre | K::StrdPost => 2,
        K::Base(V6::B | V6::Bl | V6::Bx | V6::Blx | V6::MovPc | V6::AddPc) => 2,
        K::Tbb | K::Tbh => 4,
        // What sets flags in the third stage occupies both; Arm's KA001260 states it of MULS.
        K::Base(V6::Muls) => 2,
        _ if has_shifted_constant(op) && V8m::flags(op).writes != 0 => 2,
        // Never executed to the end.
        K::Base(V6::Wfi | V6::Trap | V6::Undefined | V6::Leave) => 0,
        _ => 1,
    }
}

/// Cycles of a division beyond the first.
fn division(dividend: u32, divisor: u32) -> u32 {
    if divisor == 0 || dividend < divisor {
        return 1;
    }
    let bits = divisor.leading_zeros() - dividend.leading_zeros() + 1;
    2 + bits.div_ceil(4)
}

/// What gives a result in the third stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    /// A load.
    Load,
    /// Multiplications, sums with an extended or a shifted operand: what a following
    /// multiply-accumulate or extend-and-add can add to.
    Sum,
    /// Everything else of the DSP extension, and saturation.
    Simd,
}

/// The registers that `op` writes in the third stage.
fn late(op: &Op<Code>) -> Option<(Unit, u16)> {
    use Kind as K;
    let of = |unit, registers| Some((unit, registers));
    let d = bit(op.d);
    match op.code.kind {
        K::Base(V6::LdrConstant | V6::LdrLiteral | V6::LdrImm | V6::LdrhImm | V6::LdrbImm) => {
            of(Unit::Load, d)
        }
        K::Base(V6::LdrReg | V6::LdrhReg | V6::LdrbReg | V6::LdrshReg | V6::LdrsbReg) => of(Unit::Load, d),
        K::LdrshImm | K::LdrsbImm | K::LdrToImm | K::LdrToSh | K::LdrToPre | K::LdrToPost => {
            of(Unit::Load, d)
        }
        K::LdrSh | K::LdrhSh | K::LdrbSh | K::LdrshSh | K::LdrsbSh => of(Unit::Load, d),
        K::LdrPre | K::LdrhPre | K::LdrbPre | K::LdrshPre | K::LdrsbPre => of(Unit::Load, d),
        K::LdrPost | K::LdrhPost | K::LdrbPost | K::LdrshPost | K::LdrsbPost => of(Unit::Load, d),
        K::Ldrex | K::Ldrexh | K::Ldrexb | K::Lda | K::Ldah => of(Unit::Load, d),
        // Of several registers, a cycle each, the last.
        K::Ldrd | K::LdrdPre | K::LdrdPost => of(Unit::Load, bit(op.code.a)),
        K::Base(V6::Ldm | V6::Pop) | K::LdmIa | K::LdmDb => {
            let list = op.imm as u16 & 0x7fff;
            of(Unit::Load, list.checked_ilog2().map_or(0, |last| 1 << last))
        }
        K::Base(V6::Mul) | K::Mul3 | K::Mla | K::Mls => of(Unit::Sum, d),
        K::SmlaXy | K::SmlaW | K::Smlad | K::Smlsd | K::Smmla | K::Smmls => of(Unit::Sum, d),
        K::Umull | K::Smull | K::Umlal | K::Smlal | K::Umaal => of(Unit::Sum, d | bit(op.code.a)),
        K::SmlalXy | K::Smlald | K::Smlsld => of(Unit::Sum, d | bit(op.code.a)),
        K::Ssat | K::Usat | K::Ssat16 | K::Usat16 | K::Saturating => of(Unit::Simd, d),
        K::Parallel | K::Sel | K::Pkh | K::Usada8 => of(Unit::Simd, d),
        // Without an addend, an extension is a shift.
        _ if is_extension(op) && op.n != Reg::Pc => of(Unit::Sum, d),
        _ if has_shifted_register(op) || has_shifted_constant(op) => {
            let compares = matches!(
                op.code.kind,
                K::TstSh | K::TeqSh | K::CmpSh | K::CmnSh | K::TstImm | K::TeqImm | K::CmnImm
            ) || op.code.kind == K::Base(V6::CmpImm);
            of(Unit::Sum, if compares { 0 } else { d })
        }
        _ => None,
    }
}

/// Does `next` wait a cycle for `op`, which is the instruction before it?
fn depends(op: &Op<Code>, next: &Op<Code>) -> bool {
    if has_shifted_register(op) && V8m::flags(op).writes != 0 && reads_flags(next) {
        return true;
    }
    // An instruction that takes its second cycle for flags has its result by then.
    let Some((unit, registers)) = late(op).filter(|_| !has_shifted_constant(op) || cycles(op) == 1) else {
        return false;
    };
    let Operands { early, sum, .. } = operands(next);
    let to_sum = match unit {
        Unit::Load => is_extension(next),
        Unit::Sum => false,
        Unit::Simd => true,
    };
    registers & early != 0 || to_sum && registers & sum != 0
}

/// Does an instruction wait for one that is two places before it, because the one between them is in the
/// second slot and takes no time? If that is an IT, `op` is the instruction that waits; if it is a
/// conditional branch, that is `op`, and the instruction that waits follows when it is not taken.
fn waits_through(op: &Op<Code>, place: &Place<'_>) -> bool {
    let first_before = |at: &Place<'_>, second: &Op<Code>| {
        at.previous::<CortexM33>().filter(|(first, at)| pairs(first, at, second)).map(|(first, _)| first)
    };
    if is_conditional(op) {
        let next = place.next::<CortexM33>(op);
        first_before(place, op).zip(next).is_some_and(|(first, (next, _))| depends(&first, &next))
    } else if place.it.active() {
        // A skipped one waits for nothing; this function is for executed ones.
        let it = place.previous::<CortexM33>().filter(|(it, _)| it.code.kind == Kind::It);
        it.and_then(|(it, at)| first_before(&at, &it)).is_some_and(|first| depends(&first, op))
    } else {
        false
    }
}

/// Does `op`, at `place`, issue together with `next`?
fn pairs(op: &Op<Code>, place: &Place<'_>, next: &Op<Code>) -> bool {
    if op.code.width != 1 || next.code.width != 1 || place.it.active() || !may_be_first(op) {
        return false;
    }
    let matches = if is_nop(next) {
        !is_nop(op)
    } else if next.code.kind == Kind::It {
        true
    } else if is_conditional(next) {
        // CBZ does not issue before its register is ready.
        !depends(op, next)
    } else {
        // Other branches: not behind what sets flags or writes the target's address.
        matches!(next.code.kind, Kind::Base(V6::B | V6::Bx | V6::Blx))
            && V8m::flags(op).writes == 0
            && !decides(op, next)
    };
    // A NOP that is in the second slot is not in the first of the next pair.
    matches
        && !(is_nop(op) && place.previous::<CortexM33>().is_some_and(|(first, at)| pairs(&first, &at, op)))
}

/// May `op` be in the first slot? Loads, stores, arithmetic and NOP.
fn may_be_first(op: &Op<Code>) -> bool {
    let Kind::Base(code) = op.code.kind else { return false };
    !is_conditional(op)
        && !matches!(
            code,
            V6::B | V6::Bx | V6::Blx | V6::MovPc | V6::AddPc | V6::PopPc | V6::Sev | V6::Wfe | V6::Wfi
        )
        && !matches!(code, V6::Cps | V6::Trap | V6::Undefined | V6::Leave)
}

/// Does `first` set what the branch `next` depends on: flags, or its register?
fn decides(first: &Op<Code>, next: &Op<Code>) -> bool {
    match next.code.kind {
        Kind::Cbz | Kind::Cbnz => written(first) & bit(next.n) != 0,
        Kind::Base(V6::Bx | V6::Blx) => written(first) & bit(next.m) != 0,
        _ => V8m::flags(first).writes != 0,
    }
}

/// The registers that a 16-bit instruction of the first slot writes.
fn written(op: &Op<Code>) -> u16 {
    let Kind::Base(code) = op.code.kind else { return 0 };
    let Operands { data, .. } = operands(op);
    match code {
        V6::CmpImm | V6::CmpReg | V6::Cmn | V6::Tst | V6::Nop => 0,
        V6::Ldm | V6::Pop => op.imm as u16 | bit(op.n),
        V6::Stm | V6::Push => bit(op.n),
        _ if data != 0 => 0,
        _ => bit(op.d),
    }
}

fn is_nop(op: &Op<Code>) -> bool {
    op.code.kind == Kind::Base(V6::Nop) && op.code.width == 1
}

/// Is `op` a branch that may not be taken?
fn is_conditional(op: &Op<Code>) -> bool {
    use V6 as C;
    match op.code.kind {
        Kind::Cbz | Kind::Cbnz => true,
        Kind::Base(code) => matches!(
            code,
            C::Beq
                | C::Bne
                | C::Bcs
                | C::Bcc
                | C::Bmi
                | C::Bpl
                | C::Bvs
                | C::Bvc
                | C::Bhi
                | C::Bls
                | C::Bge
                | C::Blt
                | C::Bgt
                | C::Ble
        ),
        _ => false,
    }
}

/// Does `op` need flags when it is issued?
fn reads_flags(op: &Op<Code>) -> bool {
    !matches!(op.code.kind, Kind::It | Kind::Mrs | Kind::Msr | Kind::Cbz | Kind::Cbnz)
        && (is_conditional(op) || carries(op))
}

/// Does `op` add the carry, or shift it in?
fn carries(op: &Op<Code>) -> bool {
    use Kind as K;
    match op.code.kind {
        K::AdcImm | K::Adc3 | K::Sbc3 | K::AdcSh | K::SbcSh | K::Rrx | K::Rrxs => true,
        K::AdcsImm | K::AdcsSh | K::SbcsSh => true,
        K::Base(V6::Adcs | V6::Sbcs | V6::Adc | V6::Sbc) => true,
        _ => has_shifted_register(op) && op.code.s == 4,
    }
}

fn is_extension(op: &Op<Code>) -> bool {
    use Kind as K;
    matches!(
        op.code.kind,
        K::ExtendSb | K::ExtendSh | K::ExtendUb | K::ExtendUh | K::ExtendSb16 | K::ExtendUb16
    )
}

/// Is the second operand a register that is shifted on its way to the sum?
fn has_shifted_register(op: &Op<Code>) -> bool {
    use Kind as K;
    let shifted = op.code.s != 0 || op.imm != 0;
    match op.code.kind {
        K::EorRor | K::AddRor => true,
        K::AndSh | K::BicSh | K::OrrSh | K::OrnSh | K::EorSh | K::MvnSh => shifted,
        K::AddSh | K::SubSh | K::AdcSh | K::SbcSh | K::RsbSh | K::AddSpSh | K::SubSpSh => shifted,
        K::AndsSh | K::BicsSh | K::OrrsSh | K::OrnsSh | K::EorsSh | K::MvnsSh => shifted,
        K::TstSh | K::TeqSh | K::CmpSh | K::CmnSh => shifted,
        K::AddsSh | K::SubsSh | K::AdcsSh | K::SbcsSh | K::RsbsSh | K::AddsSpSh | K::SubsSpSh => shifted,
        _ => false,
    }
}

/// Is the second operand a byte that is shifted on its way to the sum? Such a constant alone, as of
/// MOV, is not.
fn has_shifted_constant(op: &Op<Code>) -> bool {
    use Kind as K;
    // Decoding has the constant's carry here, which only shifted ones have.
    let shifted = op.code.width == 2 && op.m != Reg::R0;
    match op.code.kind {
        K::AndImm | K::OrrImm | K::EorImm | K::AdcImm | K::RsbImm => shifted,
        K::AndsImm | K::OrrsImm | K::EorsImm | K::TstImm | K::TeqImm | K::AdcsImm => shifted,
        K::RsbsImm | K::CmnImm | K::AddsSpImm | K::SubsSpImm => shifted,
        K::Base(V6::AddImm | V6::AddsImm | V6::SubsImm | V6::CmpImm | V6::AddSpImm) => shifted,
        _ => false,
    }
}
