//! Decoding: ISA reference manual, chapter 7, "Opcode encodings".

use crate::core::Options;
use crate::op::{Code, Op, Reg};
use crate::special;

/// Constants of compare-with-immediate branches (table "Branch immediate (b4const)").
pub const B4CONST: [u32; 16] = [u32::MAX, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 32, 64, 128, 256];
/// The same of unsigned comparisons (b4constu).
pub const B4CONSTU: [u32; 16] = [32768, 65536, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 32, 64, 128, 256];

/// Bytes of an instruction that begins with this byte.
#[must_use]
pub fn length(first: u8) -> u32 {
    if first & 8 != 0 {
        2
    } else {
        3
    }
}

/// The fields of an encoding.
struct Word(u32);

impl Word {
    fn at(&self, bit: u32) -> u32 {
        self.0 >> bit & 15
    }
    fn reg(&self, bit: u32) -> Reg {
        Reg(self.at(bit) as u8)
    }
    fn imm8(&self) -> u32 {
        self.0 >> 16 & 0xff
    }
    /// `bits` bits from `bit` on, with sign.
    fn signed(&self, bit: u32, bits: u32) -> u32 {
        ((self.0 << (32 - bit - bits)) as i32 >> (32 - bits)) as u32
    }
}

/// Decodes the instruction at `address` and turns what writes the stack pointer into operations
/// that the stack watch sees. `word` has 24 bits, or 16 if it is narrow.
#[must_use]
pub fn decode(word: u32, address: u32, options: Options) -> Op {
    let op = plain(word, address, options);
    if !writes(op.code) || op.d != Reg::SP {
        return op;
    }
    match op.code {
        Code::Addi => Op { code: Code::AddiSp, ..op },
        Code::Move => Op { code: Code::AddiSp, imm: 0, ..op },
        Code::L32r => Op { code: Code::L32rSp, ..op },
        // No compiler makes it.
        Code::RsrCcount => Op::new(Code::Undefined, word),
        _ => Op { code: Code::OtherSp, imm: word, ..op },
    }
}

/// Is `d` a destination?
#[must_use]
pub fn writes(code: Code) -> bool {
    use Code::{
        Ball, Bany, Bbc, Bbci, Bbs, Bbsi, Beq, Beqi, Beqz, Bge, Bgei, Bgeu, Bgeui, Bgez, Blt, Blti, Bltu,
        Bltui, Bltz, Bnall, Bne, Bnei, Bnez, Bnone, Call0, Callx0, GoOn, Jx, Leave, Loop, LoopEnd, Loopgtz,
        Loopnez, Nop, S16i, S32i, S8i, Special, Ssa8b, Ssa8l, Ssai, Ssl, Ssr, Trap, Undefined, Waiti, WsrSar,
        J,
    };
    !matches!(
        code,
        Beqz | Bnez
            | Bltz
            | Bgez
            | Beqi
            | Bnei
            | Blti
            | Bgei
            | Bltui
            | Bgeui
            | Beq
            | Bne
            | Blt
            | Bge
            | Bltu
            | Bgeu
            | Bany
            | Bnone
            | Ball
            | Bnall
            | Bbc
            | Bbs
            | Bbci
            | Bbsi
            | J
            | Jx
            | Call0
            | Callx0
            | S8i
            | S16i
            | S32i
            | Ssr
            | Ssl
            | Ssa8l
            | Ssa8b
            | Ssai
            | WsrSar
            | Loop
            | Loopnez
            | Loopgtz
            | LoopEnd
            | Special
            | Nop
            | Trap
            | Waiti
            | Undefined
            | GoOn
            | Leave
    )
}

/// Decodes without regard to the stack pointer.
#[must_use]
pub fn plain(word: u32, address: u32, options: Options) -> Op {
    let op = decode_common(word, address, options);
    if op.code != Code::Undefined {
        return op;
    }
    match special::decode(word, options) {
        Some(special) => {
            let (d, s, t) = special.registers();
            Op { code: Code::Special, d, s, t, imm: word }
        }
        None => op,
    }
}

/// All but special instructions.
fn decode_common(word: u32, address: u32, options: Options) -> Op {
    let w = Word(word);
    let undefined = Op::new(Code::Undefined, word);
    let (r, s, t) = (w.reg(12), w.reg(8), w.reg(4));
    let next4 = address.wrapping_add(4);
    // Loads and stores name the other register t.
    let memory = |code, imm| Op { code, d: t, s, t, imm };
    match word & 15 {
        0 => qrst(&w, options).unwrap_or(undefined),
        1 => {
            let base = address.wrapping_add(3) & !3;
            let target = base.wrapping_add((word >> 8 | 0xffff_0000) << 2);
            Op { d: t, ..Op::new(Code::L32r, target) }
        }
        2 => match w.at(12) {
            0 => memory(Code::L8ui, w.imm8()),
            1 => memory(Code::L16ui, w.imm8() * 2),
            2 => memory(Code::L32i, w.imm8() * 4),
            4 => memory(Code::S8i, w.imm8()),
            5 => memory(Code::S16i, w.imm8() * 2),
            6 => memory(Code::S32i, w.imm8() * 4),
            // L32AI and S32RI: nothing else accesses memory, so that no order shows.
            11 if options.conditional_store => memory(Code::L32i, w.imm8() * 4),
            15 if options.conditional_store => memory(Code::S32i, w.imm8() * 4),
            9 => memory(Code::L16si, w.imm8() * 2),
            10 => {
                let imm = (w.at(8) << 8 | w.imm8()) << 20;
                Op { d: t, ..Op::new(Code::Constant, (imm as i32 >> 20) as u32) }
            }
            12 => memory(Code::Addi, w.signed(16, 8)),
            13 => memory(Code::Addi, w.signed(16, 8) << 8),
            _ => undefined,
        },
        5 => match word >> 4 & 3 {
            0 => Op::new(Code::Call0, (address & !3).wrapping_add(w.signed(6, 18) << 2).wrapping_add(4)),
            _ => undefined,
        },
        6 => {
            let near = next4.wrapping_add(w.signed(16, 8));
            let branch = |code, imm| Op { code, d: r, s, t: s, imm };
            match (word >> 4 & 3, word >> 6 & 3) {
                (0, _) => Op::new(Code::J, next4.wrapping_add(w.signed(6, 18))),
                (1, m) => {
                    let code = [Code::Beqz, Code::Bnez, Code::Bltz, Code::Bgez][m as usize];
                    Op { d: Reg(0), ..branch(code, next4.wrapping_add(w.signed(12, 12))) }
                }
                (2, m) => branch([Code::Beqi, Code::Bnei, Code::Blti, Code::Bgei][m as usize], near),
                (3, 1) if options.loops && (8..11).contains(&r.0) => {
                    let code = [Code::Loop, Code::Loopnez, Code::Loopgtz][usize::from(r.0 - 8)];
                    // The end is always ahead: the distance has no sign.
                    Op { d: Reg(0), ..branch(code, next4.wrapping_add(w.imm8())) }
                }
                (_, 2) => branch(Code::Bltui, near),
                (_, 3) => branch(Code::Bgeui, near),
                _ => undefined,
            }
        }
        7 => {
            let bit = Reg((w.at(4) | (w.at(12) & 1) << 4) as u8);
            let target = next4.wrapping_add(w.signed(16, 8));
            let two = |code| Op { code, d: Reg(0), s, t, imm: target };
            let by_number = |code| Op { code, d: bit, s, t: s, imm: target };
            match w.at(12) {
                0 => two(Code::Bnone),
                1 => two(Code::Beq),
                2 => two(Code::Blt),
                3 => two(Code::Bltu),
                4 => two(Code::Ball),
                5 => two(Code::Bbc),
                6 | 7 => by_number(Code::Bbci),
                8 => two(Code::Bany),
                9 => two(Code::Bne),
                10 => two(Code::Bge),
                11 => two(Code::Bgeu),
                12 => two(Code::Bnall),
                13 => two(Code::Bbs),
                _ => by_number(Code::Bbsi),
            }
        }
        8 => memory(Code::L32i, w.at(12) * 4),
        9 => memory(Code::S32i, w.at(12) * 4),
        10 => Op { code: Code::Add, d: r, s, t, imm: 0 },
        11 => {
            let imm = if w.at(4) == 0 { u32::MAX } else { w.at(4) };
            Op { code: Code::Addi, d: r, s, t: s, imm }
        }
        12 if word >> 7 & 1 == 0 => {
            let imm = (word >> 4 & 7) << 4 | w.at(12);
            let imm = if imm >= 96 { imm.wrapping_sub(128) } else { imm };
            Op { d: s, ..Op::new(Code::Constant, imm) }
        }
        12 => {
            let code = if word >> 6 & 1 == 0 { Code::Beqz } else { Code::Bnez };
            let target = next4.wrapping_add((word >> 4 & 3) << 4 | w.at(12));
            Op { code, d: Reg(0), s, t: s, imm: target }
        }
        13 => match (w.at(12), w.at(4)) {
            (0, _) => Op { code: Code::Move, d: t, s, t: s, imm: 0 },
            (15, 0) if w.at(8) == 0 => Op { s: Reg::A0, ..Op::new(Code::Jx, 0) },
            (15, 2) => Op::new(Code::Trap, word),
            (15, 3) if w.at(8) == 0 => Op::new(Code::Nop, 0),
            _ => undefined,
        },
        _ => undefined,
    }
}

fn qrst(w: &Word, options: Options) -> Option<Op> {
    let (r, s, t) = (w.reg(12), w.reg(8), w.reg(4));
    let (op1, op2) = (w.at(16), w.at(20));
    let three = |code| Some(Op { code, d: r, s, t, imm: 0 });
    let with = |code, imm| Some(Op { code, d: r, s, t, imm });
    match (op1, op2) {
        (0, 0) => st0(w),
        (0, 1) => three(Code::And),
        (0, 2) => three(Code::Or),
        (0, 3) => three(Code::Xor),
        (0, 4) => st1(w),
        (0, 6) => match w.at(8) {
            0 => Some(Op { code: Code::Neg, d: r, s: t, t, imm: 0 }),
            1 => Some(Op { code: Code::Abs, d: r, s: t, t, imm: 0 }),
            _ => None,
        },
        (0, 8) => three(Code::Add),
        (0, 9) => three(Code::Addx2),
        (0, 10) => three(Code::Addx4),
        (0, 11) => three(Code::Addx8),
        (0, 12) => three(Code::Sub),
        (0, 13) => three(Code::Subx2),
        (0, 14) => three(Code::Subx4),
        (0, 15) => three(Code::Subx8),
        // The amount is 1 to 31, kept as 32 less it; 32 is reserved.
        (1, 0 | 1) => match 32 - (w.at(4) | (op2 & 1) << 4) {
            32 => None,
            amount => Some(Op { code: Code::Slli, d: r, s, t: s, imm: amount }),
        },
        (1, 2 | 3) => Some(Op { code: Code::Srai, d: r, s: t, t, imm: w.at(8) | (op2 & 1) << 4 }),
        (1, 4) => Some(Op { code: Code::Srli, d: r, s: t, t, imm: w.at(8) }),
        (1, 6) if special(w) == 3 => Some(Op { code: Code::XsrSar, d: t, s: t, t, imm: 0 }),
        (1, 8) => three(Code::Src),
        (1, 9) if w.at(8) == 0 => Some(Op { code: Code::Srl, d: r, s: t, t, imm: 0 }),
        (1, 10) if w.at(4) == 0 => Some(Op { code: Code::Sll, d: r, s, t: s, imm: 0 }),
        (1, 11) if w.at(8) == 0 => Some(Op { code: Code::Sra, d: r, s: t, t, imm: 0 }),
        (1, 12) => three(Code::Mul16u),
        (1, 13) => three(Code::Mul16s),
        (2, 8) => three(Code::Mull),
        (2, 10) if options.multiply_high => three(Code::Muluh),
        (2, 11) if options.multiply_high => three(Code::Mulsh),
        (2, 12) if options.divide => three(Code::Quou),
        (2, 13) if options.divide => three(Code::Quos),
        (2, 14) if options.divide => three(Code::Remu),
        (2, 15) if options.divide => three(Code::Rems),
        (3, 0) => match special(w) {
            3 => Some(Op { code: Code::RsrSar, d: t, s: Reg(0), t: Reg(0), imm: 0 }),
            234 => Some(Op { code: Code::RsrCcount, d: t, s: Reg(0), t: Reg(0), imm: 0 }),
            _ => None,
        },
        (3, 1) if special(w) == 3 => Some(Op { code: Code::WsrSar, d: t, s: t, t, imm: 0 }),
        (3, 2) if options.miscellaneous => with(Code::Sext, w.at(4) + 7),
        (3, 3) if options.miscellaneous => with(Code::Clamps, w.at(4) + 7),
        (3, 4) if options.miscellaneous => three(Code::Min),
        (3, 5) if options.miscellaneous => three(Code::Max),
        (3, 6) if options.miscellaneous => three(Code::Minu),
        (3, 7) if options.miscellaneous => three(Code::Maxu),
        (3, 8) => three(Code::Moveqz),
        (3, 9) => three(Code::Movnez),
        (3, 10) => three(Code::Movltz),
        (3, 11) => three(Code::Movgez),
        (4 | 5, _) => {
            let shift = w.at(8) | (op1 & 1) << 4;
            Some(Op { code: Code::Extui, d: r, s: t, t, imm: shift | (op2 + 1) << 5 })
        }
        _ => None,
    }
}

/// The number of a special register.
fn special(w: &Word) -> u32 {
    w.0 >> 8 & 0xff
}

fn st0(w: &Word) -> Option<Op> {
    let s = w.reg(8);
    let jump = |code, s| Some(Op { code, d: Reg(0), s, t: s, imm: 0 });
    match (w.at(12), w.at(4)) {
        // RET has no register field but zeros.
        (0, 0b1000) if w.at(8) == 0 => jump(Code::Jx, Reg::A0),
        (0, 0b1010) => jump(Code::Jx, s),
        (0, 0b1100) => jump(Code::Callx0, s),
        // ISYNC, RSYNC, ESYNC, DSYNC, EXCW, MEMW, EXTW, NOP
        (2, 0 | 1 | 2 | 3 | 8 | 12 | 13 | 15) if w.at(8) == 0 => Some(Op::new(Code::Nop, 0)),
        (4, _) => Some(Op::new(Code::Trap, w.0)),
        (5, 0) if w.at(8) < 2 => Some(Op::new(Code::Trap, w.0)),
        (7, 0) => Some(Op::new(Code::Waiti, w.0)),
        _ => None,
    }
}

fn st1(w: &Word) -> Option<Op> {
    let (s, t) = (w.reg(8), w.reg(4));
    let shift = |code| Some(Op { code, d: Reg(0), s, t: s, imm: 0 });
    match w.at(12) {
        0 if w.at(4) == 0 => shift(Code::Ssr),
        1 if w.at(4) == 0 => shift(Code::Ssl),
        2 if w.at(4) == 0 => shift(Code::Ssa8l),
        3 if w.at(4) == 0 => shift(Code::Ssa8b),
        4 if w.at(4) < 2 => Some(Op::new(Code::Ssai, w.at(8) | w.at(4) << 4)),
        14 => Some(Op { code: Code::Nsa, d: t, s, t: s, imm: 0 }),
        15 => Some(Op { code: Code::Nsau, d: t, s, t: s, imm: 0 }),
        _ => None,
    }
}
