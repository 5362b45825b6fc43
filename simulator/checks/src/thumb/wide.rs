//! Pieces of what ARMv7-M adds: 32-bit instructions, IT blocks, compare-and-branch, tables
//! (DDI 0403, A5.3). Encodings are built here, not taken from our decoder.

use super::encode::{adds, b, b_if, mov, movs, msr, pop, push};
use super::pieces;
use super::stream::{Set, Stream};

/// Registers that anything may be written to.
const FREE: [u16; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 12, 14];
/// Registers that anything may be read from.
const READABLE: [u16; 14] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14];

/// A random piece: half of the time one of ARMv6-M's.
pub fn any(s: &mut Stream) {
    match s.random.below(60) {
        0..=19 => pieces::any(s),
        20..=35 => {
            for _ in 0..1 + s.random.below(4) {
                let words = data(s);
                s.put_wide(words);
            }
        }
        36..=44 => load_or_store(s),
        45..=46 => dual(s),
        47..=48 => multiple(s),
        49..=53 => it_block(s),
        54 => compare_and_branch(s),
        55 => far_branch(s),
        56 => table_branch(s),
        57 => constants(s),
        58 if s.set == Set::V8m && s.random.once_in(2) => ordered(s),
        58 => exclusive(s),
        59 if s.set == Set::V8m && s.random.once_in(4) => stack_limit(s),
        _ => system(s),
    }
}

fn free(s: &mut Stream) -> u16 {
    s.random.pick(&FREE)
}

fn readable(s: &mut Stream) -> u16 {
    s.random.pick(&READABLE)
}

fn bits(s: &mut Stream, count: u32) -> u16 {
    s.random.below(1 << count) as u16
}

/// One 32-bit instruction on registers only.
fn data(s: &mut Stream) -> [u16; 2] {
    let dsp = s.set.dsp();
    match s.random.below(if dsp { 14 } else { 8 }) {
        0 | 1 => immediate(s),
        2 | 3 => shifted(s),
        4 => plain(s),
        5 => by_register(s),
        6 => multiplication(s),
        7 => long(s),
        8 | 9 => parallel(s),
        10 => extension(s),
        11 => saturation(s),
        12 => dsp_multiplication(s),
        _ => dsp_long(s),
    }
}

/// Operation, destination and first operand of data processing.
fn operands(s: &mut Stream) -> (u16, u16) {
    let (d, n, set) = (free(s), readable(s), bits(s, 1));
    let operation = s.random.pick(&[0u16, 1, 2, 3, 4, 8, 10, 11, 13, 14]);
    let (d, n, set) = match s.random.below(4) {
        // TST, TEQ, CMN, CMP; MOV, MVN.
        0 if matches!(operation, 0 | 4 | 8 | 13) => (15, n, 1),
        0 if matches!(operation, 2 | 3) => (d, 15, set),
        1 if matches!(operation, 8 | 13) => (d, 13, set),
        _ => (d, n, set),
    };
    (operation << 5 | set << 4 | n, d << 8)
}

fn immediate(s: &mut Stream) -> [u16; 2] {
    let (first, second) = operands(s);
    let mut byte = bits(s, 8);
    let (i, three) = (bits(s, 1), bits(s, 3));
    if i == 0 && three < 4 && byte == 0 {
        byte = 1;
    }
    [0xf000 | i << 10 | first, three << 12 | second | byte]
}

fn shifted(s: &mut Stream) -> [u16; 2] {
    let (first, second) = operands(s);
    let m = readable(s);
    // Often no shift at all.
    let shift = if s.random.once_in(3) { 0 } else { bits(s, 3) << 12 | bits(s, 4) << 4 };
    [0xea00 | first, second | shift | m]
}

fn plain(s: &mut Stream) -> [u16; 2] {
    let (d, n) = (free(s), readable(s));
    let (i, three, two, five) = (bits(s, 1), bits(s, 3), bits(s, 2), bits(s, 5));
    let low = three << 2 | two;
    let field = |operation: u16, n: u16, last: u16| {
        [0xf200 | operation << 4 | n, three << 12 | d << 8 | two << 6 | last]
    };
    match s.random.below(11) {
        0 => [0xf200 | i << 10 | n, three << 12 | d << 8 | bits(s, 8)],
        1 => [0xf2a0 | i << 10 | n, three << 12 | d << 8 | bits(s, 8)],
        2 => [0xf20f | i << 10 | (0xa0 * bits(s, 1)), three << 12 | d << 8 | bits(s, 8)],
        3 => [0xf240 | i << 10 | bits(s, 4), three << 12 | d << 8 | bits(s, 8)],
        4 => [0xf2c0 | i << 10 | bits(s, 4), three << 12 | d << 8 | bits(s, 8)],
        5 => field(0b10100, n, five.min(31 - low)),
        6 => field(0b11100, n, five.min(31 - low)),
        7 => field(0b10110, n, five.max(low)),
        8 => field(0b10110, 15, five.max(low)),
        // SSAT and USAT; with ASR by 0 it would be another instruction.
        9 if low != 0 => field(0b10000 | (2 * bits(s, 1)), n, five),
        9 => field(0b10000, n, five),
        _ if low != 0 => field(0b11000 | (2 * bits(s, 1)), n, five),
        _ => field(0b11000, n, five),
    }
}

fn by_register(s: &mut Stream) -> [u16; 2] {
    let (d, n, m) = (free(s), readable(s), readable(s));
    match s.random.below(4) {
        0 | 1 => [0xfa00 | bits(s, 3) << 4 | n, 0xf000 | d << 8 | m],
        2 => {
            let (one, two) =
                s.random.pick(&[(0x90, 0x80), (0x90, 0x90), (0x90, 0xa0), (0x90, 0xb0), (0xb0, 0x80)]);
            [0xfa00 | one | m, 0xf000 | d << 8 | two | m]
        }
        // SXTH, UXTH, SXTB, UXTB with rotation.
        _ => {
            let operation = s.random.pick(&[0u16, 1, 4, 5]);
            [0xfa0f | operation << 4, 0xf080 | d << 8 | bits(s, 2) << 4 | m]
        }
    }
}

fn multiplication(s: &mut Stream) -> [u16; 2] {
    let (d, n, m, a) = (free(s), readable(s), readable(s), readable(s));
    match s.random.below(3) {
        0 => [0xfb00 | n, 0xf000 | d << 8 | m],
        1 => [0xfb00 | n, a << 12 | d << 8 | m],
        _ => [0xfb00 | n, a << 12 | d << 8 | 0x10 | m],
    }
}

/// Two destinations.
fn pair(s: &mut Stream) -> (u16, u16) {
    let low = s.random.below(10) as usize;
    let high = (low + 1 + s.random.below(9) as usize) % 10;
    (FREE[low], FREE[high])
}

/// A free register that is not in `others`.
fn free_but(s: &mut Stream, others: [u16; 2]) -> u16 {
    loop {
        let register = free(s);
        if !others.contains(&register) {
            break register;
        }
    }
}

fn long(s: &mut Stream) -> [u16; 2] {
    let (n, m) = (readable(s), readable(s));
    if s.random.once_in(3) {
        let d = free(s);
        return [0xfb90 | (0x20 * bits(s, 1)) | n, 0xf0f0 | d << 8 | m];
    }
    let (low, high) = pair(s);
    let operation = s.random.pick(&[0u16, 2, 4, 6]);
    [0xfb80 | operation << 4 | n, low << 12 | high << 8 | m]
}

fn parallel(s: &mut Stream) -> [u16; 2] {
    let (d, n, m) = (free(s), readable(s), readable(s));
    if s.random.once_in(6) {
        return [0xfaa0 | n, 0xf080 | d << 8 | m]; // SEL
    }
    let operation = s.random.pick(&[0u16, 1, 2, 4, 5, 6]);
    let prefix = s.random.pick(&[0u16, 1, 2, 4, 5, 6]);
    [0xfa80 | operation << 4 | n, 0xf000 | d << 8 | prefix << 4 | m]
}

fn extension(s: &mut Stream) -> [u16; 2] {
    let (d, m) = (free(s), readable(s));
    let n = if s.random.once_in(4) { 15 } else { readable(s) };
    let operation = s.random.below(6) as u16;
    [0xfa00 | operation << 4 | n, 0xf080 | d << 8 | bits(s, 2) << 4 | m]
}

fn saturation(s: &mut Stream) -> [u16; 2] {
    let (d, n, m) = (free(s), readable(s), readable(s));
    match s.random.below(4) {
        0 => [0xf320 | n, d << 8 | bits(s, 4)],
        1 => [0xf3a0 | n, d << 8 | bits(s, 4)],
        2 => [0xfa80 | n, 0xf080 | d << 8 | bits(s, 2) << 4 | m],
        // PKHBT, PKHTB
        _ => [0xeac0 | n, bits(s, 3) << 12 | d << 8 | bits(s, 2) << 6 | bits(s, 1) << 5 | m],
    }
}

fn dsp_multiplication(s: &mut Stream) -> [u16; 2] {
    let (d, n, m) = (free(s), readable(s), readable(s));
    let a = if s.random.once_in(3) { 15 } else { readable(s) };
    let one = bits(s, 1);
    let (operation, variant, a) = match s.random.below(7) {
        0 => (1, bits(s, 2), a),
        1 => (2, one, a),
        2 => (3, one, a),
        3 => (4, one, a),
        4 => (5, one, a),
        5 => (6, one, readable(s)),
        _ => (7, 0, a),
    };
    [0xfb00 | operation << 4 | n, a << 12 | d << 8 | variant << 4 | m]
}

fn dsp_long(s: &mut Stream) -> [u16; 2] {
    let ((low, high), n, m) = (pair(s), readable(s), readable(s));
    let (operation, variant) = match s.random.below(4) {
        0 => (4, 8 | bits(s, 2)),
        1 => (4, 12 | bits(s, 1)),
        2 => (5, 12 | bits(s, 1)),
        _ => (6, 6),
    };
    [0xfb80 | operation << 4 | n, low << 12 | high << 8 | variant << 4 | m]
}

/// `ADD.W rd, r10, #more` or `SUB.W`.
fn near_pointer(s: &mut Stream, d: u16, more: u16) -> [u16; 2] {
    let minus = 0xa0 * bits(s, 1);
    [0xf10a | minus, d << 8 | more]
}

/// Bits of size and sign in a load's first halfword, and the access's size.
fn any_load(s: &mut Stream) -> (u16, u16) {
    s.random.pick(&[(0xf810, 1), (0xf830, 2), (0xf850, 4), (0xf910, 1), (0xf930, 2)])
}

fn any_store(s: &mut Stream) -> (u16, u16) {
    s.random.pick(&[(0xf800, 1), (0xf820, 2), (0xf840, 4)])
}

/// A low alignment most of the time, as programs have it.
fn aligned(s: &mut Stream, value: u16, size: u16) -> u16 {
    if s.random.once_in(3) {
        value
    } else {
        value & !(size - 1)
    }
}

fn load_or_store(s: &mut Stream) {
    let (operation, size) = if s.random.once_in(2) { any_load(s) } else { any_store(s) };
    let (n, t) = pair(s);
    let more = bits(s, 8);
    let more = aligned(s, more, size);
    match s.random.below(6) {
        0 => literal(s, t),
        1 => {
            let words = near_pointer(s, n, more);
            s.put_wide(words);
            let offset = bits(s, 12);
            let offset = aligned(s, offset, size);
            s.put_wide([operation | 0x80 | n, t << 12 | offset]);
        }
        2 | 3 => {
            let words = near_pointer(s, n, more);
            s.put_wide(words);
            let offset = bits(s, 8);
            let offset = aligned(s, offset, size);
            // Negative, post and pre in both directions.
            let mode = s.random.pick(&[0xcu16, 9, 0xb, 0xd, 0xf]);
            s.put_wide([operation | n, t << 12 | mode << 8 | offset]);
        }
        _ => {
            let (base, index) = pair(s);
            let words = near_pointer(s, base, more);
            s.put_wide(words);
            let offset = bits(s, 6);
            let offset = aligned(s, offset, size);
            s.put_wide([0xf04f, index << 8 | offset]);
            let t = free(s);
            let by = bits(s, 2);
            s.put_wide([operation | base, t << 12 | by << 4 | index]);
        }
    }
}

/// A load of any size relative to PC, inside the program.
fn literal(s: &mut Stream, t: u16) {
    let (operation, size) = any_load(s);
    let here = 2 * s.here() as u32;
    let up = s.random.once_in(2);
    let most = if up { 900 } else { here.min(4000) };
    let offset = s.random.below(most) as u16;
    let offset = aligned(s, offset, size);
    s.put_wide([operation | u16::from(up) << 7 | 15, t << 12 | offset]);
}

fn dual(s: &mut Stream) {
    let (first, second) = pair(s);
    let n = free_but(s, [first, second]);
    let more = bits(s, 8) & !3;
    let words = near_pointer(s, n, more);
    s.put_wide(words);
    let load = 0x10 * bits(s, 1);
    // Not below RAM, whose first 0x200 bytes lie below every pointer.
    let offset = bits(s, 6);
    // P, U, W: not all of P and W clear.
    let mode = s.random.pick(&[0x100u16, 0x180, 0x120, 0x1a0, 0x020, 0x0a0]);
    s.put_wide([0xe840 | mode | load | n, first << 12 | second << 8 | offset]);
}

/// At least two registers that anything may be written to, without `but`.
fn list(s: &mut Stream, but: u16) -> u16 {
    loop {
        let list = bits(s, 16) & 0x50ff & !(1 << but);
        if list.count_ones() >= 2 {
            return list;
        }
    }
}

fn multiple(s: &mut Stream) {
    match s.random.below(5) {
        // PUSH.W and POP.W; then the stack pointer goes home.
        0 => {
            let registers = list(s, 13);
            s.put_wide([0xe92d, registers]);
            let other = list(s, 13);
            s.put_wide([0xe8bd, other]);
            s.put(mov(13, 9));
        }
        // A word pushed and popped by STR and LDR.
        1 => {
            let (t, u) = pair(s);
            s.put_wide([0xf84d, t << 12 | 0xd04]);
            s.put_wide([0xf85d, u << 12 | 0xb04]);
        }
        // POP.W with PC.
        2 => {
            let address = s.here();
            s.put_wide([0, 0]);
            let others = list(s, 13) & 0x10ff | 3;
            s.put(push(1 << 7, false));
            s.put_wide([0xe92d, others]);
            s.put_wide([0xe8bd, others]);
            // LDMIA sp!, {r6, pc}, the first word being any.
            s.put(push(1 << 6, false));
            s.put_wide([0xe8bd, 0x8040]);
            s.put(0xde00);
            let target = (s.here() - ((address + 2) & !1)) * 2;
            s.code[address] = 0xf20f;
            s.code[address + 1] = 7 << 8 | (target as u16 | 1) & 0xff | (target as u16 >> 8 & 7) << 12;
        }
        _ => {
            let n = free(s);
            let more = bits(s, 8) & !3;
            let words = near_pointer(s, n, more);
            s.put_wide(words);
            let (back, load) = (bits(s, 1), bits(s, 1));
            let direction = s.random.pick(&[0x080u16, 0x100]);
            let registers = list(s, n);
            s.put_wide([0xe800 | direction | back << 5 | load << 4 | n, registers]);
        }
    }
}

/// One 16-bit instruction that may be in an IT block.
fn narrow(s: &mut Stream) -> u16 {
    match s.random.below(5) {
        0 => s.random.below(0x2000) as u16,
        1 => 0x2000 | s.random.below(0x2000) as u16,
        2 => 0x4000 | s.random.below(0x400) as u16,
        3 => 0xb200 | s.random.below(0x100) as u16,
        _ => s.random.pick(&[0xba00, 0xba40, 0xbac0]) | s.random.below(0x40) as u16,
    }
}

fn it_block(s: &mut Stream) {
    if s.random.once_in(2) {
        let (n, flags) = (s.random.below(8) as u16, s.random.below(16) as u16);
        s.put(movs(n, flags));
        s.put(super::encode::lsls(n, n, 28));
        s.put_wide(msr(0, n));
    }
    let n = free(s);
    let more = bits(s, 8);
    let words = near_pointer(s, n, more);
    s.put_wide(words);
    let condition = s.random.below(14) as u16;
    let length = 1 + s.random.below(4);
    // Then or else for each but the first, then the end.
    let choices = bits(s, length - 1);
    let mask = (choices << 1 | 1) << (4 - length);
    s.put(0xbf00 | condition << 4 | mask);
    for i in 0..length {
        match s.random.below(if i + 1 == length { 7 } else { 5 }) {
            0 | 1 => {
                let word = narrow(s);
                s.put(word);
            }
            2 | 3 => {
                let words = data(s);
                s.put_wide(words);
            }
            // A load; the pointer may be overwritten by what came before.
            4 if i == 0 => {
                let (operation, _) = any_load(s);
                let t = free(s);
                let offset = bits(s, 8);
                s.put_wide([operation | 0x80 | n, t << 12 | offset]);
            }
            4 => s.put(0xbf00),
            5 => {
                let branch = s.here();
                s.put(0);
                for _ in 0..s.random.below(4) {
                    let word = narrow(s);
                    s.put(word);
                }
                s.code[branch] = b(branch, s.code.len());
            }
            _ => {
                let branch = s.here();
                s.put_wide([0, 0]);
                for _ in 0..s.random.below(4) {
                    let word = narrow(s);
                    s.put(word);
                }
                let words = b_wide(branch, s.code.len());
                s.code[branch..branch + 2].copy_from_slice(&words);
            }
        }
    }
}

/// `B.W` from position `from` to `to`.
fn b_wide(from: usize, to: usize) -> [u16; 2] {
    let [first, second] = super::encode::bl(from, to);
    [first, second & !0x4000]
}

/// `B<condition>.W` from position `from` to `to`.
fn b_if_wide(condition: u16, from: usize, to: usize) -> [u16; 2] {
    let offset = (to as i64 - from as i64 - 2) as u32;
    let bit = |n: u32| (offset >> n & 1) as u16;
    let first = 0xf000 | bit(19) << 10 | condition << 6 | (offset >> 11 & 0x3f) as u16;
    [first, 0x8000 | bit(17) << 13 | bit(18) << 11 | (offset & 0x7ff) as u16]
}

/// CBZ and CBNZ.
fn compare_and_branch(s: &mut Stream) {
    let n = s.random.below(8) as u16;
    if s.random.once_in(2) {
        let value = bits(s, 1);
        s.put(movs(n, value));
    }
    let branch = s.here();
    s.put(0);
    for _ in 0..1 + s.random.below(12) {
        let words = data(s);
        s.put_wide(words);
    }
    let distance = (s.here() - branch - 2) as u16;
    s.code[branch] = 0xb100 | bits(s, 1) << 11 | (distance & 0x20) << 4 | (distance & 31) << 3 | n;
}

/// Wide branches, forwards and over something.
fn far_branch(s: &mut Stream) {
    let branch = s.here();
    s.put_wide([0, 0]);
    for _ in 0..s.random.below(40) {
        let words = data(s);
        s.put_wide(words);
    }
    let words = if s.random.once_in(2) {
        b_wide(branch, s.code.len())
    } else {
        let condition = s.random.below(14) as u16;
        b_if_wide(condition, branch, s.code.len())
    };
    s.code[branch..branch + 2].copy_from_slice(&words);
    // And back over a wide conditional branch.
    s.put(movs(0, 3));
    let start = s.here();
    let words = data(s);
    if words[1] >> 8 & 15 != 0 && words[1] >> 12 != 0 {
        s.put_wide(words);
    }
    s.put(movs(1, 0));
    s.put(adds(1, 1));
    let here = s.here();
    let words = b_if_wide(0, here, start);
    s.put_wide(words);
}

/// TBB and TBH, and LDR of PC.
fn table_branch(s: &mut Stream) {
    let m = s.random.below(7) as u16;
    let entries = 1 + s.random.below(6) as u16;
    let which = s.random.below(u32::from(entries)) as u16;
    match s.random.below(3) {
        0 => {
            s.put(movs(m, which));
            s.put_wide([0xe8df, 0xf000 | m]);
            let table = s.here();
            for pair in 0..entries.div_ceil(2) {
                // All entries lead behind the table, one instruction further each.
                let first = entries.div_ceil(2) + 2 * pair;
                s.put(first | (first + 1) << 8);
            }
            debug_assert_eq!(s.here(), table + usize::from(entries.div_ceil(2)));
        }
        1 => {
            s.put(movs(m, which));
            s.put_wide([0xe8df, 0xf010 | m]);
            for entry in 0..entries {
                s.put(entries + entry);
            }
        }
        _ => {
            if s.here() % 2 == 1 {
                s.put(0xbf00);
            }
            s.put_wide([0xf8df, 0xf000]);
            let target = (s.set.flash() + (2 * (s.here() + 2)) as u32) | 1;
            s.put(target as u16);
            s.put((target >> 16) as u16);
        }
    }
    for _ in 0..14 {
        let word = narrow(s);
        s.put(word);
    }
}

/// Values at which sums overflow, in a register.
fn constants(s: &mut Stream) {
    let d = free(s);
    let value = s.random.pick(&[
        0u32,
        1,
        0x7fff,
        0x8000,
        0xffff,
        0x7fff_ffff,
        0x8000_0000,
        0x8000_8000,
        0x7fff_8000,
        0xffff_ffff,
        0x7f80_7f80,
        0x80ff_0180,
    ]);
    for (first, half) in [(0xf240, value as u16), (0xf2c0, (value >> 16) as u16)] {
        let i = half >> 11 & 1;
        s.put_wide([first | i << 10 | half >> 12, (half >> 8 & 7) << 12 | d << 8 | half & 0xff]);
    }
}

/// LDREX and STREX of each size.
fn exclusive(s: &mut Stream) {
    let (n, t) = pair(s);
    let d = free_but(s, [n, t]);
    let more = bits(s, 8) & !3;
    let words = near_pointer(s, n, more);
    s.put_wide(words);
    match s.random.below(3) {
        0 => {
            s.put_wide([0xe850 | n, t << 12 | 0xf04]);
            s.put_wide([0xe840 | n, t << 12 | d << 8 | 4]);
        }
        1 => {
            s.put_wide([0xe8d0 | n, t << 12 | 0xf5f]);
            s.put_wide([0xe8c0 | n, t << 12 | 0xf50 | d]);
        }
        _ => {
            s.put_wide([0xe8d0 | n, t << 12 | 0xf4f]);
            s.put_wide([0xe8c0 | n, t << 12 | 0xf40 | d]);
        }
    }
    // Without a load before it, it fails.
    if s.random.once_in(2) {
        s.put_wide([0xf3bf, 0x8f2f]);
        s.put_wide([0xe840 | n, t << 12 | d << 8 | 4]);
    }
}

/// LDA and STL of each size, and their exclusive forms.
fn ordered(s: &mut Stream) {
    let (n, t) = pair(s);
    let d = free_but(s, [n, t]);
    let more = bits(s, 8) & !3;
    let words = near_pointer(s, n, more);
    s.put_wide(words);
    // Words, bytes, halfwords.
    let size = s.random.pick(&[0x20u16, 0x00, 0x10]);
    match s.random.below(3) {
        0 => s.put_wide([0xe8d0 | n, t << 12 | 0xf8f | size]),
        1 => s.put_wide([0xe8c0 | n, t << 12 | 0xf8f | size]),
        _ => {
            s.put_wide([0xe8d0 | n, t << 12 | 0xfcf | size]);
            s.put_wide([0xe8c0 | n, t << 12 | 0xfc0 | size | d]);
        }
    }
}

/// The stack limit registers, far below any stack.
fn stack_limit(s: &mut Stream) {
    let (n, number) = (free(s), s.random.pick(&[10, 11]));
    let more = bits(s, 8);
    s.put_wide([0xf240, n << 8 | more]);
    s.put_wide([0xf380 | n, 0x8800 | number]);
    s.put_wide([0xf3ef, 0x8000 | n << 8 | number]);
}

/// Status register with Q and GE, masks, hints, PLD.
fn system(s: &mut Stream) {
    let n = s.random.below(8) as u16;
    match s.random.below(6) {
        0 => {
            let mask = if s.set.dsp() { s.random.pick(&[0x8400, 0x8800, 0x8c00]) } else { 0x8800 };
            s.put_wide([0xf380 | n, mask]);
        }
        1 => s.put_wide([0xf3ef, 0x8000 | n << 8]),
        2 => {
            let number = s.random.pick(&[16, 17, 18, 19]);
            s.put_wide([0xf380 | n, 0x8800 | number]);
            s.put_wide([0xf3ef, 0x8000 | n << 8 | number]);
        }
        3 => {
            let word = s.random.pick(&[0xb661, 0xb671, 0xb663, 0xb673]);
            s.put(word);
            s.put_wide([0xf3ef, 0x8013 | n << 8]);
        }
        4 => s.put_wide([0xf3af, 0x8000]),
        _ => {
            let words = near_pointer(s, n, 8);
            s.put_wide(words);
            s.put_wide([0xf890 | n, 0xf000]);
        }
    }
    s.put(pop(1 << n, false));
    s.put(mov(13, 9));
    let here = s.here();
    s.put(b_if(14 - 1, here, here + 2));
    s.put(0xbf00);
}
