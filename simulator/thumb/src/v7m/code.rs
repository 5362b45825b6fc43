//! The operations.

use crate::op::Op;
use crate::registers::Reg;
use crate::v6m;

/// An operation with what an [`Op`] has no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// What to do.
    pub kind: Kind,
    /// Halfwords of the instruction.
    pub width: u8,
    /// A fourth register.
    pub a: Reg,
    /// A small number: a shift's type (0 to 3: LSL, LSR, ASR, ROR; 4: RRX), a variant.
    pub s: u8,
}

impl Code {
    /// An operation of ARMv6-M, from an instruction of `width` halfwords.
    pub(super) const fn base(op: Op<v6m::Code>, width: u8) -> Op<Code> {
        let code = Code { kind: Kind::Base(op.code), width, a: Reg::R0, s: 0 };
        Op { code, d: op.d, n: op.n, m: op.m, imm: op.imm }
    }
}

/// What operations do. Registers are `d`, `n`, `m`, `a`; `#` is `imm`; `sh(m)` is `m` shifted by
/// `#` in the way that `s` selects. A base or addend that is PC is 0, because decoding has it in `#`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The names are the manual's; comments are for what is not obvious.
pub enum Kind {
    /// As in ARMv6-M.
    Base(v6m::Code),

    // d = n op #. BIC, ORN and SBC have # inverted.
    AndImm,
    OrrImm,
    EorImm,
    AdcImm,
    RsbImm,
    // The same with flags; `m` selects the carry: R0 unchanged, R1 clear, R2 set.
    AndsImm,
    OrrsImm,
    EorsImm,
    MovsImm,
    TstImm,
    TeqImm,
    AdcsImm,
    RsbsImm,
    CmnImm,

    // d = n op m
    And3,
    Bic3,
    Orr3,
    Orn3,
    Eor3,
    Adc3,
    Sbc3,
    // d = n op sh(m)
    AndSh,
    BicSh,
    OrrSh,
    OrnSh,
    EorSh,
    MvnSh,
    AddSh,
    SubSh,
    AdcSh,
    SbcSh,
    RsbSh,
    /// SP = SP + sh(m)
    AddSpSh,
    /// SP = SP - sh(m)
    SubSpSh,
    // The same, and with an immediate, with flags.
    AddsSpSh,
    SubsSpSh,
    AddsSpImm,
    SubsSpImm,
    // The commonest shifts on their own.
    EorRor,
    AddRor,
    // With flags.
    AndsSh,
    BicsSh,
    OrrsSh,
    OrnsSh,
    EorsSh,
    MvnsSh,
    TstSh,
    TeqSh,
    AddsSh,
    SubsSh,
    AdcsSh,
    SbcsSh,
    RsbsSh,
    CmpSh,
    CmnSh,

    // d = m shifted by # or by n's low byte
    RorImm,
    RorsImm,
    Rrx,
    Rrxs,
    Lsl3,
    Lsr3,
    Asr3,
    Ror3,
    Lsls3,
    Lsrs3,
    Asrs3,
    Rors3,

    /// d's upper half = #
    Movt,
    // # = lowest bit | (bits - 1) << 8
    Sbfx,
    Ubfx,
    /// n is PC for BFC.
    Bfi,
    // # = bits to saturate to | shift's amount << 8; s = shift's type
    Ssat,
    Usat,
    // # = bits to saturate to
    Ssat16,
    Usat16,
    Clz,
    Rbit,
    // d = n + extension of m rotated right by #
    ExtendSb,
    ExtendSh,
    ExtendUb,
    ExtendUh,
    ExtendSb16,
    ExtendUb16,
    /// s = 0: PKHBT, LSL #; 1: PKHTB, ASR #
    Pkh,
    Sel,
    /// QADD, QSUB, QDADD, QDSUB: s = 0 to 3; d = m op n
    Saturating,
    /// s = operation << 3 | prefix: see `simd`
    Parallel,

    // d = n * m, a + n * m, a - n * m
    Mul3,
    Mla,
    Mls,
    // a:d = n * m, a:d + n * m
    Umull,
    Smull,
    Umlal,
    Smlal,
    Umaal,
    Sdiv,
    Udiv,
    // The addend is a, which is PC where there is none. s & 1: m's upper half, exchange or round;
    // s & 2: n's upper half.
    SmlaXy,
    SmlaW,
    Smlad,
    Smlsd,
    Smmla,
    Smmls,
    Usada8,
    // a:d is the sum.
    SmlalXy,
    Smlald,
    Smlsld,

    // [n, #]
    LdrshImm,
    LdrsbImm,
    // [n, m, LSL s]
    LdrSh,
    LdrhSh,
    LdrbSh,
    LdrshSh,
    LdrsbSh,
    StrSh,
    StrhSh,
    StrbSh,
    // [n, #]!
    LdrPre,
    LdrhPre,
    LdrbPre,
    LdrshPre,
    LdrsbPre,
    StrPre,
    StrhPre,
    StrbPre,
    // [n], #
    LdrPost,
    LdrhPost,
    LdrbPost,
    LdrshPost,
    LdrsbPost,
    StrPost,
    StrhPost,
    StrbPost,
    // LDR of SP or PC.
    LdrToImm,
    LdrToSh,
    LdrToPre,
    LdrToPost,
    // d and a
    Ldrd,
    LdrdPre,
    LdrdPost,
    Strd,
    StrdPre,
    StrdPost,
    // The list is #; s: write back.
    LdmIa,
    LdmDb,
    StmIa,
    StmDb,
    Ldrex,
    Ldrexh,
    Ldrexb,
    // d = 0 on success; a is stored.
    Strex,
    Strexh,
    Strexb,
    Clrex,
    // Of Armv8-M, and aligned.
    Lda,
    Ldah,
    Stl,
    Stlh,
    /// # = 1: TTT, as if unprivileged.
    Tt,

    Cbz,
    Cbnz,
    /// # is the PC as the instruction reads it; n is PC if the table follows.
    Tbb,
    Tbh,
    /// # is the ITSTATE, or the number of the block.
    It,
    Mrs,
    /// s: the mask of the APSR's parts.
    Msr,
    /// # = 1 to disable; s: FAULTMASK 1, PRIMASK 2.
    Cps,
    /// A hint without effect.
    Hint,
    Barrier,
}

#[cfg(test)]
mod tests {
    use super::{Code, Kind};
    use crate::op::Op;

    #[test]
    fn operations_are_small() {
        assert_eq!(std::mem::size_of::<Kind>(), 2);
        assert_eq!(std::mem::size_of::<Op<Code>>(), 12);
    }
}
