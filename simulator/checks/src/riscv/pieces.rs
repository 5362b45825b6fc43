//! The pieces that a random program is made of: short sequences that are safe to run from any state.

use super::encode::{add, addi, branch, c_branch, c_imm6, c_jump, i, jal, lw, r, store, sw, upper};
use super::pieces_hazard3;
use super::stream::{Stream, LOOP, POINTER, STACK};

/// No piece is longer, in halfwords.
pub const LONGEST: usize = 256;

/// What computes from two registers: base set ([`BASE`] of them), M, Zba, Zbb, Zbkb.
const REGISTER: [u32; 39] = [
    0x0000_0033,
    0x4000_0033,
    0x0000_1033,
    0x0000_2033,
    0x0000_3033,
    0x0000_4033,
    0x0000_5033,
    0x4000_5033,
    0x0000_6033,
    0x0000_7033,
    0x0200_0033,
    0x0200_1033,
    0x0200_2033,
    0x0200_3033,
    0x0200_4033,
    0x0200_5033,
    0x0200_6033,
    0x0200_7033,
    0x2000_2033,
    0x2000_4033,
    0x2000_6033,
    0x4000_7033,
    0x4000_6033,
    0x4000_4033,
    0x6000_1033,
    0x6000_5033,
    0x0a00_4033,
    0x0a00_5033,
    0x0a00_6033,
    0x0a00_7033,
    0x0800_4033,
    0x0800_7033,
    0x0000_0033,
    0x4000_0033,
    0x0000_4033,
    0x0000_7033,
    0x0200_0033,
    0x0200_4033,
    0x0200_7033,
];

/// Those of the base set, which come first.
const BASE: usize = 10;
/// Those of the base set and M.
const WITH_M: usize = 18;

/// What computes from one register and nothing else: Zbb and Zbkb.
const UNARY: [u32; 11] = [
    0x6980_5013,
    0x6000_1013,
    0x6010_1013,
    0x6020_1013,
    0x6040_1013,
    0x6050_1013,
    0x0800_4033,
    0x2870_5013,
    0x6870_5013,
    0x08f0_1013,
    0x08f0_5013,
];

/// AMO operations on words.
const AMO: [u32; 9] = [
    0x0800_202f,
    0x0000_202f,
    0x2000_202f,
    0x6000_202f,
    0x4000_202f,
    0x8000_202f,
    0xa000_202f,
    0xc000_202f,
    0xe000_202f,
];

/// A random piece.
pub fn any(s: &mut Stream) {
    if s.set.is_hazard3() && s.random.once_in(3) {
        return pieces_hazard3::any(s);
    }
    match s.random.below(40) {
        0..=9 => plain(s),
        10..=14 => short(s),
        15..=21 => load_or_store(s),
        22 => load_and_use(s),
        23 => short_load_or_store(s),
        24 => by_stack_pointer(s),
        25 if s.set.is_large() => atomic(s),
        26 if s.set.is_large() => reserved(s),
        27..=29 => skip_if(s),
        30 => skip_padding(s),
        31 => inner_loop(s),
        32 => call_ahead(s),
        33 => call_back(s),
        34 => jump_by_register(s),
        35 => stack_pointer(s),
        36 if s.set.multiplies() => division(s),
        37 => scratch_register(s),
        38 => fence(s),
        _ => short_skip(s),
    }
}

/// A register that anything may be written to.
pub(super) fn free(s: &mut Stream) -> u32 {
    // Those with a purpose are below.
    match s.random.below(s.set.registers() - 4) {
        few @ 0..2 => few,
        few @ 2..5 => few + 3,
        more => more + 4,
    }
}

/// One of x9 to x15: what compressed instructions reach, without x8.
pub(super) fn near(s: &mut Stream) -> u32 {
    9 + s.random.below(7)
}

pub(super) fn source(s: &mut Stream) -> u32 {
    s.random.below(s.set.registers())
}

fn imm12(s: &mut Stream) -> i32 {
    s.random.below(4096) as i32 - 2048
}

/// An offset of fewer than so many words.
pub(super) fn words(s: &mut Stream, below: u32) -> i32 {
    4 * s.random.below(below) as i32
}

/// One 32-bit instruction that touches neither memory nor the flow.
fn plain(s: &mut Stream) {
    let (d, n, m) = (free(s), source(s), source(s));
    match s.random.below(16) {
        0..=7 => {
            let bases = match s.set.multiplies() {
                true if s.set.is_large() => &REGISTER[..],
                true => &REGISTER[..WITH_M],
                false => &REGISTER[..BASE],
            };
            let base = s.random.pick(bases);
            // SLT x0, x0 is BLOCK on Hazard3, which waits for the other core.
            let blocks = base == 0x2033 && d == 0 && n == 0;
            s.put(r(base, if blocks { 5 } else { d }, n, m));
        }
        8..=11 => {
            let base = s.random.pick(&[0x0013, 0x2013, 0x3013, 0x4013, 0x6013, 0x7013]);
            let imm = imm12(s);
            s.put(i(base, d, n, imm));
        }
        12 | 13 => {
            // The last one is Zbb's and Zbkb's.
            let bases = [0x0000_1013, 0x0000_5013, 0x4000_5013, 0x6000_5013];
            let known = if s.set.is_large() { 4 } else { 3 };
            let (base, amount) = (s.random.pick(&bases[..known]), s.random.below(32));
            s.put(r(base, d, n, amount));
        }
        14 if s.set.is_large() => {
            let base = s.random.pick(&UNARY);
            s.put(r(base, d, n, 0));
        }
        _ => {
            let (opcode, value) = (s.random.pick(&[0x37, 0x17]), s.random.next() as u32);
            s.put(upper(opcode, d, value));
        }
    }
}

/// So many plain instructions, compressed ones among them.
pub(super) fn plain_run(s: &mut Stream, at_most: u32) {
    for _ in 0..s.random.below(at_most + 1) {
        if s.random.once_in(3) {
            short(s);
        } else {
            plain(s);
        }
    }
}

/// One compressed instruction that touches neither memory nor the flow.
fn short(s: &mut Stream) {
    let d = match free(s) {
        0 => 5,
        other => other as u16,
    };
    let three = (near(s) & 7) as u16;
    let other = s.random.below(8) as u16;
    let imm = s.random.below(64) as i32 - 32;
    let amount = 1 + s.random.below(31) as i32;
    let not_zero = 1 + s.random.below(s.set.registers() - 1) as u16;
    let half = match s.random.below(10) {
        // C.ADDI
        0 => c_imm6(0x0001 | d << 7, if imm == 0 { 1 } else { imm }),
        // C.LI
        1 => c_imm6(0x4001 | d << 7, imm),
        // C.LUI
        2 => c_imm6(0x6001 | d << 7, if imm == 0 { -1 } else { imm }),
        // C.SRLI, C.SRAI, C.ANDI
        3 => c_imm6(0x8001 | three << 7, amount),
        4 => c_imm6(0x8401 | three << 7, amount),
        5 => c_imm6(0x8801 | three << 7, imm),
        // C.SUB, C.XOR, C.OR, C.AND
        6 => 0x8c01 | three << 7 | other << 2 | (s.random.below(4) as u16) << 5,
        // C.SLLI
        7 => c_imm6(0x0002 | d << 7, amount),
        // C.MV, C.ADD
        8 => 0x8002 | d << 7 | not_zero << 2,
        _ => 0x9002 | d << 7 | not_zero << 2,
    };
    s.put_short(half);
}

/// A load or store near the pointer, or near a copy of it that moved.
pub(super) fn load_or_store(s: &mut Stream) {
    let (size, base) = s.random.pick(&[
        (1, 0x0003u32),
        (2, 0x1003),
        (4, 0x2003),
        (1, 0x4003),
        (2, 0x5003),
        (1, 0x0023),
        (2, 0x1023),
        (4, 0x2023),
    ]);
    let offset = (s.random.below(0x200) as i32 - 0x100) & -size;
    let n = if s.random.once_in(2) {
        POINTER
    } else {
        let n = 6 + s.random.below(2);
        let moved = (s.random.below(0x100) as i32 - 0x80) & -4;
        s.put(addi(n, POINTER, moved));
        n
    };
    if base & 0x20 == 0 {
        let d = free(s);
        s.put(i(base, d, n, offset));
    } else {
        let m = source(s);
        s.put(store(base, n, m, offset));
    }
}

/// A load whose result the next instruction, or the one after it, uses: maybe behind a branch.
fn load_and_use(s: &mut Stream) {
    let d = near(s);
    let base = s.random.pick(&[0x2003, 0x0003, 0x4003, 0x1003]);
    let offset = words(s, 32);
    s.put(i(base, d, POINTER, offset));
    if s.random.once_in(2) {
        let base = if s.set.multiplies() { 0x0200_0033 } else { 0x0000_0033 };
        s.put(r(base, 6, d, 7));
    }
    match s.random.below(3) {
        0 => s.put(branch(0, 0, 0, 4)),
        1 => s.put(branch(1, d, 6, 4)),
        _ => {}
    }
    let other = free(s);
    s.put(add(other, d, 6));
}

/// C.LW and C.SW.
fn short_load_or_store(s: &mut Stream) {
    let base = near(s);
    s.put(addi(base, POINTER, 0));
    let (other, offset) = (s.random.below(8) as u16, s.random.below(32) as u16 * 4);
    let places =
        (base as u16 & 7) << 7 | (offset >> 3 & 7) << 10 | (offset >> 2 & 1) << 6 | (offset >> 6) << 5;
    // x8 counts in loops: it is stored, not loaded.
    if other == 0 || s.random.once_in(2) {
        s.put_short(0xc000 | places | other << 2);
    } else {
        s.put_short(0x4000 | places | other << 2);
    }
}

/// C.LWSP, C.SWSP, C.ADDI4SPN.
fn by_stack_pointer(s: &mut Stream) {
    let offset = s.random.below(64) as u16 * 4;
    match s.random.below(3) {
        0 => {
            let d = free(s).max(1) as u16;
            s.put_short(
                0x4002 | d << 7 | (offset >> 5 & 1) << 12 | (offset >> 2 & 7) << 4 | (offset >> 6) << 2,
            );
        }
        1 => {
            let m = source(s) as u16;
            s.put_short(0xc002 | m << 2 | (offset >> 2 & 15) << 9 | (offset >> 6) << 7);
        }
        _ => {
            let (d, imm) = ((near(s) & 7) as u16, (1 + s.random.below(255) as u16) * 4);
            let places =
                (imm >> 4 & 3) << 11 | (imm >> 6 & 15) << 7 | (imm >> 2 & 1) << 6 | (imm >> 3 & 1) << 5;
            s.put_short(places | d << 2);
        }
    }
}

/// AMO on a word near the pointer.
fn atomic(s: &mut Stream) {
    let n = 6 + s.random.below(2);
    let offset = words(s, 64);
    s.put(addi(n, POINTER, offset));
    let (base, d, m, order) = (s.random.pick(&AMO), free(s), source(s), s.random.below(4) << 25);
    s.put(r(base | order, d, n, m));
}

/// LR and SC, sometimes with something in between or twice. SC without any LR before it fails on
/// every machine; SC behind a store to the word, or to another word, is not generated: parts differ.
fn reserved(s: &mut Stream) {
    let (n, d, m) = (6, near(s), source(s));
    let offset = words(s, 64);
    s.put(addi(n, POINTER, offset));
    s.put(r(0x1000_202f, d, n, 0));
    if s.random.once_in(2) {
        s.put(addi(d, d, 1));
    }
    s.put(r(0x1800_202f, 7, n, m));
    if s.random.once_in(2) {
        s.put(r(0x1800_202f, 9, n, m));
    }
}

/// A conditional branch over a few instructions.
fn skip_if(s: &mut Stream) {
    let condition = s.random.pick(&[0, 1, 4, 5, 6, 7]);
    let (n, m) = (source(s), if s.random.once_in(4) { 0 } else { source(s) });
    let from = s.here();
    s.put(0);
    plain_run(s, 6);
    let word = branch(condition, n, m, s.distance(from));
    s.set(from, word);
}

/// C.BEQZ or C.BNEZ over a few instructions.
fn short_skip(s: &mut Stream) {
    let (base, n) = (s.random.pick(&[0xc001, 0xe001]), near(s) as u16);
    let from = s.here();
    s.put_short(0);
    plain_run(s, 4);
    let half = c_branch(base, n, s.distance(from));
    s.set_short(from, half);
}

/// A jump over bytes that are not an instruction.
fn skip_padding(s: &mut Stream) {
    let from = s.here();
    let short = s.random.once_in(2);
    if short {
        s.put_short(0);
    } else {
        s.put(0);
    }
    for _ in 0..=s.random.below(6) {
        let half = s.random.next() as u16;
        s.put_short(half);
    }
    let distance = s.distance(from);
    if short {
        s.set_short(from, c_jump(0xa001, distance));
    } else {
        s.set(from, jal(0, distance));
    }
}

/// A loop of a few instructions.
pub(super) fn inner_loop(s: &mut Stream) {
    let count = 1 + s.random.below(6) as i32;
    s.put(addi(LOOP, 0, count));
    let again = s.here();
    plain_run(s, 5);
    if s.random.once_in(3) {
        load_or_store(s);
    }
    s.put(addi(LOOP, LOOP, -1));
    let back = -s.distance(again);
    if s.random.once_in(2) {
        s.put_short(c_branch(0xe001, 8, back));
    } else {
        s.put(branch(1, LOOP, 0, back));
    }
}

/// Calls a function ahead; execution goes around it afterwards.
fn call_ahead(s: &mut Stream) {
    let link = s.random.pick(&[1, 5]);
    let call = s.here();
    s.put(0);
    plain_run(s, 3);
    let around = s.here();
    s.put(0);
    let function = s.here();
    let save = function + 2;
    s.put(sw(STACK, link, 0));
    debug_assert_eq!(s.here(), save);
    plain_run(s, 5);
    s.put(lw(link, STACK, 0));
    if s.random.once_in(2) {
        s.put(i(0x67, 0, link, 0));
    } else {
        s.put_short(0x8002 | (link as u16) << 7);
    }
    let distance = 2 * (function as i32 - call as i32);
    s.set(call, jal(link, distance));
    let over = s.distance(around);
    s.set(around, jal(0, over));
}

/// Calls a function behind, by register.
fn call_back(s: &mut Stream) {
    let around = s.here();
    s.put(0);
    let function = s.here();
    s.put(sw(STACK, 1, 4));
    plain_run(s, 4);
    s.put(lw(1, STACK, 4));
    s.put(i(0x67, 0, 1, 0));
    let over = s.distance(around);
    s.set(around, jal(0, over));
    let n = near(s);
    let here = s.here();
    s.put(upper(0x17, n, 0));
    let back = -(2 * (here as i32 - function as i32));
    if s.random.once_in(2) {
        s.put(i(0x67, 1, n, back));
    } else {
        s.put(addi(n, n, back));
        s.put_short(0x9002 | (n as u16) << 7);
    }
}

/// Jumps a few instructions ahead by a register; bit 0 of the target does not count.
fn jump_by_register(s: &mut Stream) {
    let n = near(s);
    let here = s.here();
    s.put(upper(0x17, n, 0));
    let jump = s.here();
    s.put(0);
    plain_run(s, 4);
    let d = s.random.pick(&[0, 0, 1, 5, 7]);
    let odd = s.random.below(2) as i32;
    let distance = s.distance(here) + odd;
    s.set(jump, i(0x67, d, n, distance));
}

/// Moves the stack pointer and back.
fn stack_pointer(s: &mut Stream) {
    let by = 16 * (1 + s.random.below(31) as i32);
    match s.random.below(4) {
        // C.ADDI16SP
        0 => {
            for imm in [-by, by] {
                let v = imm as u16;
                s.put_short(
                    0x6101
                        | (v >> 9 & 1) << 12
                        | (v >> 4 & 1) << 6
                        | (v >> 6 & 1) << 5
                        | (v >> 7 & 3) << 3
                        | (v >> 5 & 1) << 2,
                );
                plain_run(s, 2);
            }
        }
        1 => {
            s.put(addi(STACK, STACK, -by));
            s.put(sw(STACK, 9, 8));
            s.put(addi(STACK, STACK, by));
        }
        2 => {
            s.put(addi(6, STACK, 0));
            s.put(addi(7, 0, -by));
            s.put(add(STACK, STACK, 7));
            s.put(i(0x7013, STACK, STACK, -32));
            s.put(sw(STACK, 9, 4));
            s.put_short(0x8002 | (STACK as u16) << 7 | 6 << 2);
        }
        _ => {
            s.put(r(0x4000_0033, STACK, STACK, 0));
            s.put(sw(STACK, STACK, 12));
            s.put(lw(STACK, STACK, 12));
        }
    }
}

/// A division or remainder where the cases are: small values, zero, -1, the least integer.
fn division(s: &mut Stream) {
    let values = [0, 1, 2, 7, u32::MAX, 0x8000_0000, 0x7fff_ffff, 0x1234_5678];
    let (a, b) = (s.random.pick(&values), s.random.pick(&values));
    s.load(6, a);
    s.load(7, b);
    let base = s.random.pick(&[0x0200_4033, 0x0200_5033, 0x0200_6033, 0x0200_7033]);
    let d = free(s);
    s.put(r(base, d, 6, 7));
    let d = free(s);
    s.put(add(d, d, 6));
}

/// CSR instructions on mscratch.
fn scratch_register(s: &mut Stream) {
    let operation = s.random.pick(&[1, 2, 3, 5, 6, 7]) << 12;
    let (d, n) = (free(s), source(s));
    s.put(0x340 << 20 | operation | d << 7 | n << 15 | 0x73);
}

fn fence(s: &mut Stream) {
    // The last one is Zifencei's.
    let known = if s.set.multiplies() { 3 } else { 2 };
    let word = s.random.pick(&[0x0ff0_000f, 0x8330_000f, 0x0000_100f][..known]);
    if s.set.is_hazard3() && word == 0x0000_100f {
        // FENCE.I right behind a taken branch makes Hazard3 forget the branch, although it is not executed:
        // `d_fence_i` of its `hazard3_decode.v` does not depend on `d_starved`. This is not simulated.
        s.put_short(0x0001);
    }
    s.put(word);
}
