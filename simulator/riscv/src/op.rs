//! A decoded instruction, small enough that a cache line holds eight.

use crate::registers::Reg;

/// The operations. Registers are `d`, `n` (rs1), `m` (rs2); `#` is `imm`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Code {
    /// d = #: LUI, AUIPC, LI
    Constant,
    /// d = n
    Move,
    /// d = n + #
    Addi,
    /// d = n < #, signed
    Slti,
    /// d = n < #, unsigned
    Sltiu,
    /// d = n ^ #
    Xori,
    /// d = n | #
    Ori,
    /// d = n & #
    Andi,
    /// d = n << #
    Slli,
    /// d = n >> #, zeros shifted in
    Srli,
    /// d = n >> #, signs shifted in
    Srai,
    /// d = n + m
    Add,
    /// d = n - m
    Sub,
    /// d = n << m
    Sll,
    /// d = n < m, signed
    Slt,
    /// d = n < m, unsigned
    Sltu,
    /// d = n ^ m
    Xor,
    /// d = n >> m, zeros shifted in
    Srl,
    /// d = n >> m, signs shifted in
    Sra,
    /// d = n | m
    Or,
    /// d = n & m
    And,
    /// sp = n + #
    AddiSp,
    /// sp = n + m
    AddSp,
    /// Any other instruction that writes sp; # is its encoding, expanded if it was compressed
    OtherSp,
    /// Low half of n * m
    Mul,
    /// High half of n * m, signed by signed
    Mulh,
    /// High half of n * m, signed by unsigned
    Mulhsu,
    /// High half of n * m, unsigned
    Mulhu,
    /// Quotient, signed
    Div,
    /// Quotient, unsigned
    Divu,
    /// Remainder, signed
    Rem,
    /// Remainder, unsigned
    Remu,
    /// d = sign-extended byte at n + #
    Lb,
    /// d = sign-extended halfword at n + #
    Lh,
    /// d = word at n + #
    Lw,
    /// d = byte at n + #
    Lbu,
    /// d = halfword at n + #
    Lhu,
    /// byte at n + # = m
    Sb,
    /// halfword at n + # = m
    Sh,
    /// word at n + # = m
    Sw,
    /// To # if n == m
    Beq,
    /// To # if n != m
    Bne,
    /// To # if n < m, signed
    Blt,
    /// To # if n >= m, signed
    Bge,
    /// To # if n < m, unsigned
    Bltu,
    /// To # if n >= m, unsigned
    Bgeu,
    /// JAL that links in neither x1 nor x5
    Jump,
    /// JAL that links in x1 or x5
    Call,
    /// JALR d, #(n): neither d nor n is x1 or x5
    JumpReg,
    /// JALR d, #(n): a call, d is x1 or x5
    CallReg,
    /// JALR d, #(n): a return, n is x1 or x5
    Return,
    /// LR.W d, (n)
    LoadReserved,
    /// SC.W d, m, (n)
    StoreConditional,
    /// AMOSWAP.W d, m, (n)
    AmoSwap,
    /// AMOADD.W d, m, (n)
    AmoAdd,
    /// AMOXOR.W d, m, (n)
    AmoXor,
    /// AMOAND.W d, m, (n)
    AmoAnd,
    /// AMOOR.W d, m, (n)
    AmoOr,
    /// AMOMIN.W d, m, (n)
    AmoMin,
    /// AMOMAX.W d, m, (n)
    AmoMax,
    /// AMOMINU.W d, m, (n)
    AmoMinu,
    /// AMOMAXU.W d, m, (n)
    AmoMaxu,
    /// FENCE and hints: nothing to do with one core and memory in order
    Nop,
    /// FENCE.I
    FenceI,
    /// CSRRW, CSRRS, CSRRC and their immediate forms; # is the encoding
    Csr,
    /// ECALL, EBREAK, MRET; # is the encoding
    Trap,
    /// WFI
    Wfi,
    /// Anything else; # is the encoding
    Undefined,

    /// Zba: d = (n << 1) + m
    Sh1add,
    /// Zba: d = (n << 2) + m
    Sh2add,
    /// Zba: d = (n << 3) + m
    Sh3add,
    /// Zbb, Zbkb: d = n & ~m
    Andn,
    /// Zbb, Zbkb: d = n | ~m
    Orn,
    /// Zbb, Zbkb: d = ~(n ^ m)
    Xnor,
    /// Zbb, Zbkb: d = n rotated left by m
    Rol,
    /// Zbb, Zbkb: d = n rotated right by m
    Ror,
    /// Zbb, Zbkb: d = n rotated right by #
    Rori,
    /// Zbb, Zbkb: bytes reversed
    Rev8,
    /// Zbb: leading zeros
    Clz,
    /// Zbb: trailing zeros
    Ctz,
    /// Zbb: ones
    Cpop,
    /// Zbb: the larger, signed
    Max,
    /// Zbb: the larger, unsigned
    Maxu,
    /// Zbb: the smaller, signed
    Min,
    /// Zbb: the smaller, unsigned
    Minu,
    /// Zbb: sign-extended byte
    SextB,
    /// Zbb: sign-extended halfword
    SextH,
    /// Zbb: zero-extended halfword
    ZextH,
    /// Zbb: each byte that is not zero becomes 0xff
    OrcB,
    /// Zbkb: bits of each byte reversed
    Brev8,
    /// Zbkb: low halves of n and m, m on top
    Pack,
    /// Zbkb: low bytes of n and m, m on top
    Packh,
    /// Zbkb: bits of both halves interleaved
    Zip,
    /// Zbkb: the inverse of ZIP
    Unzip,

    /// Zbs: d = n with bit m cleared
    Bclr,
    /// Zbs: d = n with bit # cleared
    Bclri,
    /// Zbs: d = bit m of n
    Bext,
    /// Zbs: d = bit # of n
    Bexti,
    /// Zbs: d = n with bit m inverted
    Binv,
    /// Zbs: d = n with bit # inverted
    Binvi,
    /// Zbs: d = n with bit m set
    Bset,
    /// Zbs: d = n with bit # set
    Bseti,
    /// Zcmp: CM.PUSH; n is sp, # as [`Frame`]
    Push,
    /// Zcmp: CM.POP; n is sp, # as [`Frame`]
    Pop,
    /// Zcmp: CM.POPRET; n is sp, # as [`Frame`]
    PopReturn,
    /// Zcmp: CM.POPRETZ; n is sp, # as [`Frame`]
    PopReturnZero,
    /// Zcmp: CM.MVA01S: a0 = n, a1 = m
    MoveToArguments,
    /// Zcmp: CM.MVSA01: d = a0, m = a1
    MoveFromArguments,

    // Not instructions: they cost nothing and are in the table of decoded code only.
    /// Code continues at address # elsewhere in the table
    GoOn,
    /// The instruction cache's line number # begins
    Line,
    /// Where decoded code ends, or a run is to stop
    Leave,
}

/// What CM.PUSH and its like store or load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The number of registers: ra, and so many of s0 to s11 less one.
    pub registers: u32,
    /// The change of the stack pointer in bytes.
    pub bytes: u32,
}

impl Frame {
    /// From an operation's immediate.
    #[must_use]
    pub fn of(imm: u32) -> Frame {
        Frame { registers: imm & 0xff, bytes: imm >> 8 }
    }

    /// As an operation's immediate.
    #[must_use]
    pub fn imm(self) -> u32 {
        self.registers | self.bytes << 8
    }
}

/// One decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    /// What to do.
    pub code: Code,
    /// Destination.
    pub d: Reg,
    /// First operand, base address.
    pub n: Reg,
    /// Second operand, stored value.
    pub m: Reg,
    /// Immediate, target address, encoding: by `code`.
    pub imm: u32,
}

impl Op {
    /// An operation on no register.
    #[must_use]
    pub const fn new(code: Code, imm: u32) -> Self {
        Op { code, d: Reg::Sink, n: Reg::X0, m: Reg::X0, imm }
    }

    /// Does it, or can it, go elsewhere than to the next instruction?
    #[must_use]
    pub fn is_jump(&self) -> bool {
        matches!(
            self.code,
            Code::Beq
                | Code::Bne
                | Code::Blt
                | Code::Bge
                | Code::Bltu
                | Code::Bgeu
                | Code::Jump
                | Code::Call
                | Code::JumpReg
                | Code::CallReg
                | Code::Return
                | Code::PopReturn
                | Code::PopReturnZero
        )
    }

    /// Does code in a straight line end here?
    #[must_use]
    pub fn ends_line(&self) -> bool {
        match self.code {
            Code::Jump | Code::JumpReg | Code::Return => self.d == Reg::Sink,
            Code::Undefined | Code::PopReturn | Code::PopReturnZero => true,
            _ => false,
        }
    }
}

/// What the cycles of a division depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divided {
    /// The quotient has at most so many bits.
    pub bits: u8,
    /// The dividend is negative.
    pub negative: bool,
    /// Leading zeros of the divisor, or ones behind its sign if it is negative.
    pub leading: u8,
}

/// What an instruction does to the flow of control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// On to the next instruction.
    Next,
    /// A conditional branch that is not taken.
    NotTaken,
    /// A conditional branch to `imm` that is taken.
    Taken,
    /// A jump to `imm`; the run loop writes the return address.
    Jump,
    /// A jump to this even address; the run loop writes the return address.
    JumpTo(u32),
    /// A division.
    Divided(Divided),
    /// A CSR access, which the run loop does: it knows cycles and instructions.
    Csr,
    /// FENCE.I: the run loop has the instruction cache.
    FenceI,
    /// Code continues at `imm`: no instruction.
    GoOn,
    /// Line `imm` begins: no instruction.
    Line,
    /// The decoded code ends, or the run is to stop here: no instruction.
    Leave,
    /// The core stops; the reason is stored separately, so that
    /// this fits into two of the host's registers.
    Fault,
}
