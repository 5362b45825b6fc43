//! Zbs, on Hazard3: The RISC-V Instruction Set Manual, Volume I, chapter "B", instructions of a single bit. Cycles:
//! RP2350 datasheet, section 3.8.7.6.

use super::assembler::word;
use super::harness::{board_with, check_on, machine_on};
use pennyweight_machine::FaultKind;

/// A value and the number of a bit; what bclr, bext, binv and bset make of them.
const CASES: [(u32, u32, [u32; 4]); 6] = [
    (0, 0, [0, 0, 1, 1]),
    (0xffff_ffff, 0, [0xffff_fffe, 1, 0xffff_fffe, 0xffff_ffff]),
    (0x8000_0000, 31, [0, 1, 0, 0x8000_0000]),
    (0x7fff_ffff, 31, [0x7fff_ffff, 0, 0xffff_ffff, 0xffff_ffff]),
    (0x1234_5678, 4, [0x1234_5668, 1, 0x1234_5668, 0x1234_5678]),
    (0x1234_5678, 7, [0x1234_5678, 0, 0x1234_56f8, 0x1234_56f8]),
];

#[test]
fn single_bits() {
    let board = board_with("hazard3");
    for (value, bit, results) in CASES {
        for (name, result) in ["bclr", "bext", "binv", "bset"].into_iter().zip(results) {
            let check = |code: u32, before: &str, after: &str| {
                check_on(&board, &format!("{name} {value:x}, {bit}"), &code.to_le_bytes(), before, after, 1);
            };
            let after = format!("x7={result:x}");
            // Bits of the number above the fifth do not count.
            for high in [0, 0x20, 0xffff_ffe0] {
                check(word(name, 7, 5, 6), &format!("x5={value:x} x6={:x}", bit | high), &after);
            }
            check(word(name, 5, 5, 6), &format!("x5={value:x} x6={bit:x}"), &format!("x5={result:x}"));
            check(word(&format!("{name}i"), 7, 5, bit as i32), &format!("x5={value:x}"), &after);
            check(word(&format!("{name}i"), 0, 5, bit as i32), &format!("x5={value:x}"), "");
        }
    }
}

#[test]
fn cores_without_it_do_not_decode_it() {
    for name in ["bclr", "bext", "binv", "bset"] {
        for code in [word(name, 7, 5, 6), word(&format!("{name}i"), 7, 5, 6)] {
            let fault = machine_on(&board_with("sifive-e31"), &code.to_le_bytes(), "").step();
            assert_eq!(fault.expect_err(name).kind, FaultKind::Undefined { opcode: code });
        }
    }
}
