//! Handlers of window exceptions for random programs: those of the ISA reference manual (4.7.1.3),
//! which every port of an operating system has, and one for MOVSP.

use super::encode::{j, rrr};
use super::stream::Stream;

/// S32E t, s, offset
fn store(t: u32, s: u32, offset: i32) -> u32 {
    rrr(4, 9, (offset / 4 + 16) as u32, s, t)
}

/// L32E t, s, offset
fn load(t: u32, s: u32, offset: i32) -> u32 {
    rrr(0, 9, (offset / 4 + 16) as u32, s, t)
}

const RFWO: u32 = 0x3400;
const RFWU: u32 = 0x3500;

/// Saves the registers of a call that was made by `size` fours.
fn overflow(size: u32) -> Vec<u32> {
    let callee = 4 * size + 1;
    let mut code = vec![store(0, callee, -16)];
    if size > 1 {
        code.push(load(0, 1, -12));
    }
    code.extend((1..4).map(|t| store(t, callee, 4 * t as i32 - 16)));
    let bottom = -16 * size as i32;
    code.extend((4..4 * size).map(|t| store(t, 0, bottom + 4 * (t as i32 - 4))));
    code.push(RFWO);
    code
}

/// Restores them.
fn underflow(size: u32) -> Vec<u32> {
    let (callee, last) = (4 * size + 1, 4 * size - 1);
    let mut code: Vec<u32> = (0..3).map(|t| load(t, callee, 4 * t as i32 - 16)).collect();
    if size > 1 {
        code.push(load(last, 1, -12));
    }
    code.push(load(3, callee, -4));
    let bottom = -16 * size as i32;
    code.extend((4..4 * size).map(|t| load(t, last, bottom + 4 * (t as i32 - 4))));
    code.push(RFWU);
    code
}

/// MOVSP while the caller's registers are on the stack: brings them back as if it returned, and
/// lets MOVSP be executed again. The fours below the window are free.
fn alloca(from: i32) -> Vec<u32> {
    let rotate_down = rrr(4, 0, 8, 0, 15);
    let mut code = vec![
        rotate_down,
        rrr(0, 3, 14, 6, 2), // rsr.ps a2
        rrr(0, 3, 4, 8, 0),  // rsr.windowbase a0
        0x1b,                // addi.n a0, a0, 1
        rrr(3, 4, 3, 8, 2),  // extui a3, a2, 8, 4
        rrr(3, 0, 3, 3, 0),  // xor a3, a3, a0
        rrr(1, 1, 3, 3, 8),  // slli a3, a3, 8
        rrr(3, 0, 2, 2, 3),  // xor a2, a2, a3
        rrr(1, 3, 14, 6, 2), // wsr.ps a2
        rrr(0, 0, 2, 0, 1),  // rsync
    ];
    let length = |code: &[u32]| code.iter().map(|word| if word & 8 != 0 { 2 } else { 3 }).sum::<i32>();
    // bbsi a4, 31: not by one four
    code.push(2 << 16 | 15 << 12 | 4 << 8 | 15 << 4 | 7);
    let here = from + length(&code);
    code.push(j(0x40 - here));
    code.push(rotate_down);
    // bbsi a8, 30: not by two
    code.push(2 << 16 | 15 << 12 | 8 << 8 | 14 << 4 | 7);
    let here = from + length(&code);
    code.push(j(0xc0 - here));
    code.push(rotate_down);
    let here = from + length(&code);
    code.push(j(0x140 - here));
    code
}

/// Puts all of them at the start of the code, up to 0x400.
pub fn put(s: &mut Stream) {
    let handlers = [
        (0x00, overflow(1)),
        (0x40, underflow(1)),
        (0x80, overflow(2)),
        (0xc0, underflow(2)),
        (0x100, overflow(3)),
        (0x140, underflow(3)),
        (0x300, alloca(0x300)),
    ];
    for (at, code) in handlers {
        s.code.resize(at, 0);
        for word in code {
            if word & 8 != 0 {
                s.put_short(word);
            } else {
                s.put(word);
            }
        }
    }
    s.code.resize(0x400, 0);
}
