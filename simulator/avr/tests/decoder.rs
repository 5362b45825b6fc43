//! The decoder against the manual's encodings, for every word that there is.

mod common;

use common::assembler::{asm, Form, FORMS};
use pennyweight_avr::{decode, disassemble, words, Code, Op, Variant, SPACE};

/// A part with ELPM, one without it, and an AVRxt.
const PLUS: Variant = Variant { extended: true, io: 0x20, mul: true, jmp: true, reach: SPACE as u32 };
const SMALL: Variant = Variant { extended: false, io: 0x20, mul: true, jmp: true, reach: SPACE as u32 };
const XT: Variant = Variant { extended: false, io: 0, mul: true, jmp: true, reach: SPACE as u32 };

/// A second word in which every field of bits has a value of its own.
const SECOND: u16 = 0x5a3c;
const PC: u32 = 0x1000;

fn matches(form: &Form, word: u16) -> bool {
    let bits = form.bits.chars().filter(|c| *c != ' ').take(16);
    bits.enumerate().all(|(i, c)| match c {
        '0' => word >> (15 - i) & 1 == 0,
        '1' => word >> (15 - i) & 1 == 1,
        _ => true,
    })
}

/// The value of a letter's bits over both words.
fn field(form: &Form, letter: char, word: u16) -> u32 {
    let both = u64::from(word) << 16 | u64::from(SECOND);
    let bits: Vec<char> = form.bits.chars().filter(|c| *c != ' ').collect();
    let shift = 32 - bits.len();
    let both = both >> shift << shift;
    bits.iter()
        .enumerate()
        .filter(|(_, c)| **c == letter)
        .fold(0, |value, (i, _)| value << 1 | (both >> (31 - i) & 1) as u32)
}

/// The op that the manual's form asks for.
fn expected(form: &Form, word: u16) -> Op {
    let mut op = Op { code: form.code, a: 0, b: 0, c: 0, imm: 0 };
    let skip = matches!(form.code, Code::Cpse | Code::Sbrc | Code::Sbrs | Code::Sbic | Code::Sbis);
    if skip {
        op.imm = PC + 3; // what follows has two words in this test
    }
    for operand in form.operands {
        let letter = operand.chars().next().expect("an operand");
        let value = field(form, letter, word);
        match (*operand, letter) {
            ("X" | "X+" | "-X", _) => op.b = 26,
            ("Y" | "Y+" | "-Y", _) => op.b = 28,
            ("Z" | "Z+" | "-Z", _) => {
                if !matches!(form.code, Code::Lpm | Code::LpmInc | Code::Elpm | Code::ElpmInc) {
                    op.b = 30;
                }
            }
            (_, 'd') => op.a = value as u8,
            (_, 'r') if form.code == Code::Out => op.a = value as u8,
            (_, 'r') => op.b = value as u8,
            (_, 'h' | 'm') => op.a = 16 + value as u8,
            (_, 'g' | 'n') => op.b = 16 + value as u8,
            (_, 'w') => op.a = 2 * value as u8,
            (_, 'v') => op.b = 2 * value as u8,
            (_, 'p') => op.a = 24 + 2 * value as u8,
            (_, 'K') => op.b = value as u8,
            (_, 'q') => op.c = value as u8,
            (_, 'A') if skip => op.a = 0x20 + value as u8,
            (_, 'A') => op.imm = 0x20 + value,
            (_, 'b' | 's') => op.b = 1 << value,
            (_, 'k') => {
                let size = form.bits.chars().filter(|c| *c == 'k').count() as u32;
                op.imm = match form.code {
                    Code::Lds | Code::Sts => value,
                    Code::Jmp | Code::Call if value > 0xffff => value & 0xffff | 0x1_0000,
                    Code::Jmp | Code::Call => value,
                    _ => {
                        let sign = 1 << (size - 1);
                        (PC + 1).wrapping_add((value ^ sign).wrapping_sub(sign)) % 0x2_0000
                    }
                };
            }
            _ => panic!("unknown operand {operand}"),
        }
    }
    op
}

#[test]
fn every_word_decodes_to_what_the_manual_says() {
    let mut defined = 0;
    for word in 0..=u16::MAX {
        let mut forms = FORMS.iter().filter(|form| matches(form, word));
        let form = forms.next();
        assert!(forms.next().is_none(), "{word:#06x} matches two forms of the test's table");
        let got = decode(word, SECOND, PC, 2, PLUS);
        match form {
            Some(form) => {
                defined += 1;
                assert_eq!(got, expected(form, word), "{word:#06x} {}", form.name);
                let length = form.bits.chars().filter(|c| *c != ' ').count() as u32 / 16;
                assert_eq!((got.words(), words(word)), (length, length), "{word:#06x} {}", form.name);
            }
            None => {
                let undefined = Op { code: Code::Undefined, a: 0, b: 0, c: 0, imm: word.into() };
                assert_eq!(got, undefined, "{word:#06x}");
                assert_eq!(words(word), 1, "{word:#06x}");
            }
        }
    }
    assert!(defined > 60_000, "most words are instructions");
}

#[test]
fn elpm_is_undefined_without_rampz() {
    for text in ["elpm", "elpm r5, Z", "elpm r5, Z+"] {
        let word = asm(text)[0];
        assert_eq!(decode(word, 0, 0, 1, SMALL).code, Code::Undefined, "{text}");
        assert_ne!(decode(word, 0, 0, 1, PLUS).code, Code::Undefined, "{text}");
    }
}

/// On AVRxt I/O addresses are data-space addresses; nothing else differs.
#[test]
fn io_begins_at_0_on_avrxt() {
    for word in 0..=u16::MAX {
        let plus = decode(word, SECOND, PC, 2, SMALL);
        let mut expected = plus;
        match plus.code {
            Code::In | Code::Out | Code::Sbi | Code::Cbi => expected.imm -= 0x20,
            Code::Sbic | Code::Sbis => expected.a -= 0x20,
            _ => {}
        }
        let op = decode(word, SECOND, PC, 2, XT);
        assert_eq!(op, expected, "{word:#06x}");
        assert_eq!(disassemble(&op, PC, XT), disassemble(&plus, PC, SMALL), "{word:#06x}");
    }
}

#[test]
fn instructions_of_other_cores_are_undefined() {
    // EIJMP, EICALL (22-bit PC); XCH, LAS, LAC, LAT, DES, SPM Z+ (AVRxm).
    for word in [0x9419, 0x9519, 0x9204, 0x9205, 0x9206, 0x9207, 0x940b, 0x95f8] {
        assert_eq!(decode(word, 0, 0, 1, PLUS).code, Code::Undefined, "{word:#06x}");
    }
}

#[test]
fn relative_jumps_wrap_into_the_half_of_the_space_that_is_never_flash() {
    let op = decode(asm("rjmp -3")[0], 0, 1, 1, PLUS);
    assert_eq!(op.imm, 0x1_ffff);
    let op = decode(asm("brne 3")[0], 0, 0xfffe, 1, PLUS);
    assert_eq!(op.imm, 0x1_0002);
}

#[test]
fn relative_jumps_and_calls_wrap_around_a_small_flash() {
    let small = Variant { reach: 0x1000, ..SMALL };
    for (text, at, target) in
        [("rjmp -3", 1, 0xfff), ("rcall 2047", 0xfff, 0x7ff), ("rcall -2048", 0x10, 0x811), ("rjmp 5", 1, 7)]
    {
        assert_eq!(decode(asm(text)[0], 0, at, 1, small).imm, target, "{text}");
    }
    let branch = decode(asm("brne -3")[0], 0, 1, 1, small);
    assert_eq!(branch.imm, 0x1_ffff, "only RJMP and RCALL are said to");
}

#[test]
fn disassembly_is_what_was_assembled() {
    let texts = [
        "add r1, r31",
        "movw r24, r30",
        "muls r16, r31",
        "fmulsu r23, r16",
        "cpi r16, 0xff",
        "adiw r24, 0x3f",
        "com r7",
        "ldd r4, Y+63",
        "ldd r4, Z+0",
        "std Z+5, r6",
        "ld r0, X",
        "ld r1, X+",
        "st -X, r2",
        "st Y+, r3",
        "lds r9, 0x0123",
        "sts 0x0456, r10",
        "in r0, 0x3f",
        "out 0x3d, r28",
        "sbi 0x1e, 3",
        "sbic 0x1e, 7",
        "lpm r5, Z",
        "lpm r6, Z+",
        "elpm r7, Z+",
        "push r31",
        "pop r0",
        "bst r3, 2",
        "bld r4, 7",
        "sbrs r5, 0",
        "bset 7",
        "bclr 0",
        "cpse r1, r2",
        "ijmp",
        "icall",
        "ret",
        "reti",
        "sleep",
        "break",
        "wdr",
        "nop",
        "spm",
    ];
    for text in texts {
        let words = asm(text);
        let op = decode(words[0], words.get(1).copied().unwrap_or(0), 0, 1, PLUS);
        assert_eq!(disassemble(&op, 0, PLUS), text);
    }
    for (text, shown) in
        [("rjmp 4", "rjmp 0x000a"), ("breq -1", "breq 0x0000"), ("call 0x123", "call 0x0246")]
    {
        let words = asm(text);
        let op = decode(words[0], words.get(1).copied().unwrap_or(0), 0, 1, PLUS);
        assert_eq!(disassemble(&op, 0, PLUS), shown);
    }
    assert_eq!(disassemble(&decode(0x00ff, 0, 0, 1, PLUS), 0, PLUS), ".word 0x00ff");
}
