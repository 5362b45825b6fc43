//! The pieces that a random program is made of: short sequences that are safe to run from any state.

use super::encode::{
    add, adds, adr, b, b_if, bl, blx, bx, ldm, lsls, lsrs, mov, movs, mrs, msr, pop, push, rsbs, stm, subs,
};
use super::stream::Stream;

/// No piece is longer, in halfwords.
pub const LONGEST: usize = 256;

/// Registers that anything may be written to, in addition to R0 to R7. R8 counts in loops.
const FREE_HIGH: [u16; 2] = [12, 14];

/// A random piece.
pub fn any(s: &mut Stream) {
    match s.random.below(40) {
        0..=13 => plain(s),
        14..=21 => load_or_store(s),
        22..=24 => multiple(s),
        25..=26 => push_and_pop(s),
        27..=29 => skip_if(s),
        30 => skip_padding(s),
        31 => inner_loop(s),
        32 => call_ahead(s),
        33 => call_back(s),
        34 => jump_by_register(s),
        35 => return_by_pop(s),
        36 => stack_pointer(s),
        37 => status(s),
        38 => special(s),
        _ => two_stacks(s),
    }
}

fn low(s: &mut Stream) -> u16 {
    s.random.below(8) as u16
}

/// A low register that is not `other`.
fn low_but(s: &mut Stream, other: u16) -> u16 {
    (other + 1 + s.random.below(7) as u16) & 7
}

/// A list of low registers that is not empty.
fn list(s: &mut Stream) -> u16 {
    1 + s.random.below(255) as u16
}

/// One 16-bit instruction that touches neither memory nor the stack pointer nor the flow.
fn plain(s: &mut Stream) {
    match s.random.below(16) {
        // Shifts, additions, subtractions, immediates and data processing: every pattern is valid.
        0..=4 => {
            let word = s.random.below(0x2000) as u16;
            s.put(word);
        }
        5..=6 => {
            let word = 0x2000 | s.random.below(0x2000) as u16;
            s.put(word);
        }
        7..=10 => {
            let word = 0x4000 | s.random.below(0x400) as u16;
            s.put(word);
        }
        // A shift by a register whose value is near the word's size, where the cases are.
        11 => {
            let (d, m) = (low(s), low(s));
            let amount = if s.random.once_in(4) { 0 } else { s.random.below(70) as u16 };
            s.put(movs(m, amount));
            let operation = s.random.pick(&[0x4080, 0x40c0, 0x4100, 0x41c0]);
            s.put(operation | m << 3 | d);
        }
        12 => {
            let word = 0xb200 | s.random.below(0x100) as u16;
            s.put(word);
        }
        13 => {
            let word = s.random.pick(&[0xba00, 0xba40, 0xbac0]) | s.random.below(0x40) as u16;
            s.put(word);
        }
        14 => high_register(s),
        // ADR and ADD rd, SP, #.
        _ => {
            let word = 0xa000 | s.random.below(0x1000) as u16;
            s.put(word);
        }
    }
}

/// ADD, CMP, MOV with any source and a free destination.
fn high_register(s: &mut Stream) {
    let d = if s.random.once_in(2) { low(s) } else { s.random.pick(&FREE_HIGH) };
    let m = s.random.below(16) as u16;
    match s.random.below(3) {
        0 => s.put(add(d, m)),
        1 => s.put(mov(d, m)),
        // CMP of a high register at least, and no PC.
        _ => {
            let n = 8 + s.random.below(7) as u16;
            let m = s.random.below(15) as u16;
            s.put(0x4500 | (n & 8) << 4 | m << 3 | n & 7);
        }
    }
}

/// So many plain instructions.
fn plain_run(s: &mut Stream, at_most: u32) {
    for _ in 0..s.random.below(at_most + 1) {
        plain(s);
    }
}

/// Makes a pointer in a low register: R10 and a bit more, a multiple of `align`.
fn pointer(s: &mut Stream, align: u16) -> u16 {
    let n = low(s);
    s.put(mov(n, 10));
    let more = (s.random.below(256) as u16) & !(align - 1);
    let word = if s.random.once_in(2) { adds(n, more) } else { subs(n, more) };
    s.put(word);
    n
}

fn load_or_store(s: &mut Stream) {
    match s.random.below(5) {
        0 => {
            // LDR from the code itself.
            let word = 0x4800 | s.random.below(0x800) as u16;
            s.put(word);
        }
        1 => {
            // LDR and STR relative to SP.
            let word = 0x9000 | s.random.below(0x1000) as u16;
            s.put(word);
        }
        2 | 3 => {
            let (operation, size) = s.random.pick(&[
                (0x6000, 4),
                (0x6800, 4),
                (0x7000, 1),
                (0x7800, 1),
                (0x8000, 2),
                (0x8800, 2),
            ]);
            let n = pointer(s, size);
            let (t, offset) = (low(s), s.random.below(32) as u16);
            s.put(operation | offset << 6 | n << 3 | t);
        }
        _ => {
            let operation = s.random.below(8) as u16;
            let size = [4, 2, 1, 1, 4, 2, 1, 2][usize::from(operation)];
            let n = pointer(s, size);
            let (t, m) = (low(s), low_but(s, n));
            let offset = s.random.below(128) as u16 & !(size - 1);
            s.put(movs(m, offset));
            if s.random.once_in(2) {
                s.put(rsbs(m, m));
            }
            s.put(0x5000 | operation << 9 | m << 6 | n << 3 | t);
        }
    }
}

fn multiple(s: &mut Stream) {
    let n = pointer(s, 4);
    let registers = list(s);
    if s.random.once_in(2) {
        s.put(ldm(n, registers));
    } else {
        // The base in the list, but not first, stores a value that the manual leaves open.
        let first = registers & registers.wrapping_neg();
        let registers = if first == 1 << n { registers } else { registers & !(1 << n) };
        s.put(stm(n, if registers == 0 { 1 << n } else { registers }));
    }
}

/// Pushes and pops whose sums differ, then the stack pointer goes home.
fn push_and_pop(s: &mut Stream) {
    for _ in 0..1 + s.random.below(4) {
        let registers = list(s);
        match s.random.below(4) {
            0 => s.put(pop(registers, false)),
            1 => s.put(push(registers, true)),
            _ => s.put(push(registers, false)),
        }
        plain_run(s, 2);
    }
    s.put(mov(13, 9));
}

/// A conditional branch over a few instructions, half of the time on flags of which none is rare.
fn skip_if(s: &mut Stream) {
    if s.random.once_in(2) {
        let (n, flags) = (low(s), s.random.below(16) as u16);
        s.put(movs(n, flags));
        s.put(lsls(n, n, 28));
        s.put_wide(msr(0, n));
    }
    let branch = s.here();
    s.put(0);
    plain_run(s, 5);
    let condition = s.random.below(14) as u16;
    s.code[branch] = b_if(condition, branch, s.code.len().max(branch + 1));
}

/// A branch over halfwords that are no instructions.
fn skip_padding(s: &mut Stream) {
    let branch = s.here();
    s.put(0);
    for _ in 0..s.random.below(8) {
        let word = s.random.next() as u16;
        s.put(word);
    }
    s.code[branch] = b(branch, s.code.len());
}

/// A loop that counts in R8.
fn inner_loop(s: &mut Stream) {
    let turns = 1 + s.random.below(6) as u16;
    s.put(movs(0, turns));
    s.put(mov(8, 0));
    let start = s.here();
    for _ in 0..1 + s.random.below(8) {
        match s.random.below(4) {
            0 => load_or_store(s),
            1 => multiple(s),
            _ => plain(s),
        }
    }
    let t = low(s);
    s.put(mov(t, 8));
    s.put(subs(t, 1));
    s.put(mov(8, t));
    let here = s.here();
    s.put(b_if(1, here, start));
}

/// Instructions that leave LR and SP alone.
fn function_body(s: &mut Stream) {
    for _ in 0..s.random.below(6) {
        let before = s.here();
        match s.random.below(3) {
            0 => load_or_store(s),
            _ => plain(s),
        }
        // ADD and MOV to LR: the only plain instructions that write it.
        for word in &mut s.code[before..] {
            if *word & 0xfd87 == 0x4486 {
                *word &= !0x80;
            }
        }
    }
}

/// Saves LR, does something, returns; or just returns.
fn function(s: &mut Stream) {
    if s.random.once_in(2) {
        let registers = list(s);
        s.put(push(registers, true));
        plain_run(s, 4);
        // As many as were pushed, others perhaps.
        let back = registers.rotate_left(s.random.below(8)) & 0xff;
        let same = if back.count_ones() == registers.count_ones() { back } else { registers };
        s.put(pop(same, true));
    } else {
        function_body(s);
        let word = if s.random.once_in(3) { mov(15, 14) } else { bx(14) };
        s.put(word);
    }
}

/// `BL` to a function behind it.
fn call_ahead(s: &mut Stream) {
    let call = s.here();
    s.put_wide([0, 0]);
    let over = s.here();
    s.put(0);
    let target = s.here();
    function(s);
    s.code[over] = b(over, s.code.len());
    s.code[call..call + 2].copy_from_slice(&bl(call, target));
}

/// `BL` to a function before it.
fn call_back(s: &mut Stream) {
    let over = s.here();
    s.put(0);
    let target = s.here();
    function(s);
    s.code[over] = b(over, s.code.len());
    let call = s.here();
    s.put_wide(bl(call, target));
}

/// `BX`, `BLX`, `MOV PC` and `ADD PC`.
fn jump_by_register(s: &mut Stream) {
    let n = low(s);
    if s.random.once_in(4) {
        // ADD PC, n skips the code between.
        let padding = s.random.below(6) as u16;
        s.put(movs(n, 2 * padding));
        s.put(add(15, n));
        for _ in 0..=padding {
            let word = s.random.next() as u16;
            s.put(word);
        }
        return;
    }
    let address = s.here();
    s.put(0);
    s.put(adds(n, 1));
    let m = if s.random.once_in(3) { 12 } else { n };
    if m == 12 {
        s.put(mov(12, n));
    }
    let word = match s.random.below(3) {
        0 => bx(m),
        1 => blx(m),
        _ => mov(15, m),
    };
    s.put(word);
    for _ in 0..s.random.below(4) {
        let word = s.random.next() as u16;
        s.put(word);
    }
    if s.here() % 2 == 1 {
        s.put(0xbf00);
    }
    s.code[address] = adr(n, address, s.code.len());
}

/// Pushes an address and pops it into PC.
fn return_by_pop(s: &mut Stream) {
    let address = s.here();
    s.put(0);
    s.put(adds(7, 1));
    let others = s.random.below(0x80) as u16;
    s.put(push(others | 0x80, false));
    plain_run(s, 3);
    s.put(pop(others, true));
    if s.here() % 2 == 1 {
        s.put(0xde00);
    }
    s.code[address] = adr(7, address, s.code.len());
}

/// Moves the stack pointer about, with low bits that it must drop, and brings it home.
fn stack_pointer(s: &mut Stream) {
    for _ in 0..1 + s.random.below(3) {
        match s.random.below(4) {
            0 => {
                let word = 0xb000 | s.random.below(0x100) as u16;
                s.put(word);
            }
            1 => {
                let (n, more) = (low(s), s.random.below(256) as u16);
                s.put(mov(n, 9));
                s.put(adds(n, more));
                s.put(mov(13, n));
            }
            2 => {
                let (n, more) = (low(s), s.random.below(256) as u16);
                s.put(movs(n, more));
                s.put(add(13, n));
            }
            _ => {
                let word = 0x9000 | s.random.below(0x1000) as u16;
                s.put(word);
            }
        }
    }
    s.put(mov(13, 9));
}

/// Leaves only the flags' bits in a register: QEMU keeps a Q flag that ARMv6-M does not have.
fn only_flags(s: &mut Stream, n: u16) {
    s.put(lsrs(n, n, 28));
    s.put(lsls(n, n, 28));
}

/// Reads and writes the status register.
fn status(s: &mut Stream) {
    let n = low(s);
    if s.random.once_in(2) {
        let number = s.random.below(4) as u16;
        s.put_wide(mrs(n, number));
    } else {
        let number = s.random.below(4) as u16;
        only_flags(s, n);
        s.put_wide(msr(number, n));
    }
    plain_run(s, 2);
}

/// PRIMASK, the exception registers, hints and barriers.
fn special(s: &mut Stream) {
    let n = low(s);
    match s.random.below(6) {
        0 => {
            let number = s.random.pick(&[5, 6, 7, 8, 16, 20]);
            s.put_wide(mrs(n, number));
        }
        1 => s.put_wide(msr(16, n)),
        2 => {
            let word = s.random.pick(&[0xb662, 0xb672]);
            s.put(word);
        }
        3 => {
            let word = s.random.pick(&[0xbf00, 0xbf10, 0xbf40]);
            s.put(word);
        }
        _ => {
            let second = s.random.pick(&[0x8f4f, 0x8f5f, 0x8f6f]);
            s.put_wide([0xf3bf, second]);
        }
    }
}

/// Changes to the process stack and back.
fn two_stacks(s: &mut Stream) {
    let n = pointer(s, 4);
    s.put_wide(msr(9, n));
    s.put_wide(mrs(n, 9));
    s.put(movs(n, 2));
    s.put_wide(msr(20, n));
    s.put_wide([0xf3bf, 0x8f6f]);
    let registers = list(s);
    s.put(push(registers, false));
    s.put_wide(mrs(n, 8));
    s.put_wide(mrs(n, 9));
    s.put_wide(mrs(n, 20));
    plain_run(s, 3);
    s.put(movs(n, 0));
    s.put_wide(msr(20, n));
    s.put_wide([0xf3bf, 0x8f6f]);
}
