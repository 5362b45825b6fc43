//! The compact form of an instruction: what lowering makes once and the loop runs.

use crate::instruction::Alu;

/// Calls `$run!` with all two-operand operations on general registers and memory: for each, the
/// codes on words and on bytes, by the modes of source and target.
///
/// Sources: `R` register, `I` a value known when decoding, `X` memory at a register plus a distance,
/// `P` memory at a register, which is then incremented. Targets: `R` and `X`.
macro_rules! with_pairs {
    ($run:ident) => {
        $run! {
            Mov: MovRR MovIR MovXR MovPR MovRX MovIX MovXX MovPX
                 MovbRR MovbIR MovbXR MovbPR MovbRX MovbIX MovbXX MovbPX,
            Add: AddRR AddIR AddXR AddPR AddRX AddIX AddXX AddPX
                 AddbRR AddbIR AddbXR AddbPR AddbRX AddbIX AddbXX AddbPX,
            Addc: AddcRR AddcIR AddcXR AddcPR AddcRX AddcIX AddcXX AddcPX
                 AddcbRR AddcbIR AddcbXR AddcbPR AddcbRX AddcbIX AddcbXX AddcbPX,
            Subc: SubcRR SubcIR SubcXR SubcPR SubcRX SubcIX SubcXX SubcPX
                 SubcbRR SubcbIR SubcbXR SubcbPR SubcbRX SubcbIX SubcbXX SubcbPX,
            Sub: SubRR SubIR SubXR SubPR SubRX SubIX SubXX SubPX
                 SubbRR SubbIR SubbXR SubbPR SubbRX SubbIX SubbXX SubbPX,
            Cmp: CmpRR CmpIR CmpXR CmpPR CmpRX CmpIX CmpXX CmpPX
                 CmpbRR CmpbIR CmpbXR CmpbPR CmpbRX CmpbIX CmpbXX CmpbPX,
            Bit: BitRR BitIR BitXR BitPR BitRX BitIX BitXX BitPX
                 BitbRR BitbIR BitbXR BitbPR BitbRX BitbIX BitbXX BitbPX,
            Bic: BicRR BicIR BicXR BicPR BicRX BicIX BicXX BicPX
                 BicbRR BicbIR BicbXR BicbPR BicbRX BicbIX BicbXX BicbPX,
            Bis: BisRR BisIR BisXR BisPR BisRX BisIX BisXX BisPX
                 BisbRR BisbIR BisbXR BisbPR BisbRX BisbIX BisbXX BisbPX,
            Xor: XorRR XorIR XorXR XorPR XorRX XorIX XorXX XorPX
                 XorbRR XorbIR XorbXR XorbPR XorbRX XorbIX XorbXX XorbPX,
            And: AndRR AndIR AndXR AndPR AndRX AndIX AndXX AndPX
                 AndbRR AndbIR AndbXR AndbPR AndbRX AndbIX AndbXX AndbPX,
        }
    };
}
pub(crate) use with_pairs;

macro_rules! codes {
    ($($alu:ident: $($code:ident)+,)+) => {
        /// What an op does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Code {
            /// Not in flash: code in RAM, or nothing at all.
            Undecoded,
            /// Put at the symbol where the start-up code hands over: the run ends here.
            Stop,
            /// Any instruction, by its number among those that have no other code: `x`.
            General,
            /// ADD #x, SP
            AddSp,
            /// SUB #x, SP
            SubSp,
            /// BIC #1, SR
            ClearCarry,
            /// BIS #1, SR
            SetCarry,
            /// BIC #8, SR, which is DINT
            ClearInterrupts,
            /// MOV #0, R3, which is NOP
            Nop,
            /// RRC b
            RrcR,
            /// RRC.B b
            RrcbR,
            /// RRA b
            RraR,
            /// RRA.B b
            RrabR,
            /// SWPB b
            SwpbR,
            /// SXT b
            SxtR,
            /// PUSH a
            PushR,
            /// PUSH #x
            PushI,
            /// PUSH SR
            PushStatus,
            /// CALL #x
            CallI,
            /// CALL a
            CallR,
            /// MOV @SP+, PC
            Ret,
            /// RETI
            Reti,
            /// MOV #y, PC and JMP y
            Jump,
            /// JNE y
            Jne,
            /// JEQ y
            Jeq,
            /// JNC y
            Jnc,
            /// JC y
            Jc,
            /// JN y
            Jn,
            /// JGE y
            Jge,
            /// JL y
            Jl,
            $($(#[allow(missing_docs, reason = "see `with_pairs`")] $code,)+)+
        }

        /// The codes of a two-operand operation, in the order of `with_pairs`; DADD has none.
        pub fn pairs(alu: Alu) -> Option<&'static [Code]> {
            match alu {
                $(Alu::$alu => Some(&[$(Code::$code,)+]),)+
                Alu::Dadd => None,
            }
        }
    };
}
with_pairs!(codes);

/// One lowered instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(8))]
pub struct Op {
    /// What it does.
    pub code: Code,
    /// The source's register.
    pub a: u8,
    /// The target's register.
    pub b: u8,
    /// Its length in words.
    pub words: u8,
    /// The source's value or distance, or by how much it increments.
    pub x: u16,
    /// The target's distance, or the word address of a jump's target.
    pub y: u16,
}

impl Op {
    /// The op of every word that is not flash.
    pub const UNDECODED: Op = Op { code: Code::Undecoded, a: 0, b: 0, words: 0, x: 0, y: 0 };
}
