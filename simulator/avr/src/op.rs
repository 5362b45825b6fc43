//! The compact form of an instruction: what the decoder makes once and the executor runs.

use crate::sequences::instructions;

/// Defines [`Code`]: the instructions given, and the sequences of the list.
macro_rules! codes {
    ({ $($base:tt)* } methods { $($_methods:tt)* } sequences { $($name:ident = $($_parts:ident)+;)* }) => {
        /// What an instruction does; its operands are in the [`Op`].
        ///
        /// Names are the manual's mnemonics; aliases (LSL, ROL, TST, CLR, SER, ...) are the instruction that
        /// they abbreviate. Loads and stores through X, Y and Z are one code each: the pointer is an operand.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        #[allow(missing_docs, reason = "the names are the manual's mnemonics")]
        pub enum Code {
            $($base)*
            // Operands are those of the first instruction; the operands of the others are in their own ops.
            $($name,)*
        }
    };
}

instructions!(codes {
    /// Not in flash: executing it is a jump outside the program.
    Outside,
    /// Not an instruction of this core; `imm` is the encoding.
    Undefined,
    /// Put at the symbol where the start-up code hands over: the run ends here.
    Stop,
    Nop,
    Wdr,
    Sleep,
    Break,

    // `a` = Rd, `b` = Rr.
    Add,
    Adc,
    Sub,
    Sbc,
    And,
    Or,
    Eor,
    Cp,
    Cpc,
    Mov,
    Movw,
    Mul,
    Muls,
    Mulsu,
    Fmul,
    Fmuls,
    Fmulsu,

    // `a` = Rd, `b` = K.
    Cpi,
    Subi,
    Sbci,
    Ori,
    Andi,
    Ldi,
    Adiw,
    Sbiw,

    // `a` = Rd.
    Com,
    Neg,
    Swap,
    Inc,
    Dec,
    Asr,
    Lsr,
    Ror,

    // `a` = Rd or Rr, `b` = the pointer's low register, `c` = displacement.
    Ld,
    LdInc,
    LdDec,
    St,
    StInc,
    StDec,
    // `a` = Rd or Rr, `imm` = address in data space.
    Lds,
    Sts,
    In,
    Out,
    /// `b` = mask, `imm` = address in data space.
    Sbi,
    /// `b` = mask, `imm` = address in data space.
    Cbi,
    // `a` = Rd.
    Lpm,
    LpmInc,
    Elpm,
    ElpmInc,
    Spm,
    // `a` = Rd or Rr.
    Push,
    Pop,

    // `imm` = target.
    Rjmp,
    Jmp,
    Rcall,
    Call,
    Ijmp,
    Icall,
    Ret,
    Reti,
    // `imm` = target. One code per flag: "branch if set" and "branch if cleared".
    Brcs,
    Brcc,
    Breq,
    Brne,
    Brmi,
    Brpl,
    Brvs,
    Brvc,
    Brlt,
    Brge,
    Brhs,
    Brhc,
    Brts,
    Brtc,
    Brie,
    Brid,
    /// `a` = Rd, `b` = Rr, `imm` = where a skip leads.
    Cpse,
    /// `a` = Rr, `b` = mask, `imm` = where a skip leads.
    Sbrc,
    /// `a` = Rr, `b` = mask, `imm` = where a skip leads.
    Sbrs,
    /// `a` = address in data space, `b` = mask, `imm` = where a skip leads.
    Sbic,
    /// `a` = address in data space, `b` = mask, `imm` = where a skip leads.
    Sbis,

    /// `b` = mask of the SREG bit.
    Bset,
    /// `b` = mask of the SREG bit.
    Bclr,
    /// `a` = Rd, `b` = mask.
    Bst,
    /// `a` = Rd, `b` = mask.
    Bld,
});

impl Code {
    /// The manual's mnemonic; LDD and STD count as LD and ST, aliases as the instruction that they
    /// abbreviate.
    #[must_use]
    pub fn mnemonic(self) -> &'static str {
        match self {
            Code::Nop => "nop",
            Code::Wdr => "wdr",
            Code::Sleep => "sleep",
            Code::Break => "break",
            Code::Add => "add",
            Code::Adc => "adc",
            Code::Sub => "sub",
            Code::Sbc => "sbc",
            Code::And => "and",
            Code::Or => "or",
            Code::Eor => "eor",
            Code::Cp => "cp",
            Code::Cpc => "cpc",
            Code::Mov => "mov",
            Code::Movw => "movw",
            Code::Mul => "mul",
            Code::Muls => "muls",
            Code::Mulsu => "mulsu",
            Code::Fmul => "fmul",
            Code::Fmuls => "fmuls",
            Code::Fmulsu => "fmulsu",
            Code::Cpi => "cpi",
            Code::Subi => "subi",
            Code::Sbci => "sbci",
            Code::Ori => "ori",
            Code::Andi => "andi",
            Code::Ldi => "ldi",
            Code::Adiw => "adiw",
            Code::Sbiw => "sbiw",
            Code::Com => "com",
            Code::Neg => "neg",
            Code::Swap => "swap",
            Code::Inc => "inc",
            Code::Dec => "dec",
            Code::Asr => "asr",
            Code::Lsr => "lsr",
            Code::Ror => "ror",
            Code::Ld | Code::LdInc | Code::LdDec => "ld",
            Code::St | Code::StInc | Code::StDec => "st",
            Code::Lds => "lds",
            Code::Sts => "sts",
            Code::In => "in",
            Code::Out => "out",
            Code::Sbi => "sbi",
            Code::Cbi => "cbi",
            Code::Lpm | Code::LpmInc => "lpm",
            Code::Elpm | Code::ElpmInc => "elpm",
            Code::Spm => "spm",
            Code::Push => "push",
            Code::Pop => "pop",
            Code::Rjmp => "rjmp",
            Code::Jmp => "jmp",
            Code::Rcall => "rcall",
            Code::Call => "call",
            Code::Ijmp => "ijmp",
            Code::Icall => "icall",
            Code::Ret => "ret",
            Code::Reti => "reti",
            Code::Brcs => "brcs",
            Code::Brcc => "brcc",
            Code::Breq => "breq",
            Code::Brne => "brne",
            Code::Brmi => "brmi",
            Code::Brpl => "brpl",
            Code::Brvs => "brvs",
            Code::Brvc => "brvc",
            Code::Brlt => "brlt",
            Code::Brge => "brge",
            Code::Brhs => "brhs",
            Code::Brhc => "brhc",
            Code::Brts => "brts",
            Code::Brtc => "brtc",
            Code::Brie => "brie",
            Code::Brid => "brid",
            Code::Cpse => "cpse",
            Code::Sbrc => "sbrc",
            Code::Sbrs => "sbrs",
            Code::Sbic => "sbic",
            Code::Sbis => "sbis",
            Code::Bset => "bset",
            Code::Bclr => "bclr",
            Code::Bst => "bst",
            Code::Bld => "bld",
            _ => "none",
        }
    }

    /// A conditional branch (BRBS, BRBC)?
    #[must_use]
    pub fn is_branch(self) -> bool {
        (Code::Brcs as u8..=Code::Brid as u8).contains(&(self as u8))
    }
}

/// One decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(8))]
pub struct Op {
    /// What it does.
    pub code: Code,
    /// First operand.
    pub a: u8,
    /// Second operand.
    pub b: u8,
    /// Third operand.
    pub c: u8,
    /// Address, target or encoding.
    pub imm: u32,
}

impl Op {
    /// The op of every word that is not flash.
    pub const OUTSIDE: Op = Op { code: Code::Outside, a: 0, b: 0, c: 0, imm: 0 };

    /// Length in flash words.
    #[must_use]
    pub fn words(&self) -> u32 {
        match self.code {
            Code::Lds | Code::Sts | Code::Jmp | Code::Call => 2,
            _ => 1,
        }
    }
}
