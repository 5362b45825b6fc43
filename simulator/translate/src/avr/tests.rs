//! Each operation, translated, against the interpreter on random states.

use pennyweight_avr::{AvrMachine, Registers};
use pennyweight_machine::{Board, Machine};

use super::TranslatedAvr;
use crate::engine::Engine;
use crate::trial::Random;

/// Boards with and without registers in data space, and one without multiplications.
const BOARDS: [&str; 3] = ["atmega328p", "avr128da48", "attiny85"];

/// Words of one instruction of each kind, with random operands where a bit is free.
const FORMS: &[(u16, u16)] = &[
    // ADD, ADC, SUB, SBC, AND, OR, EOR, CP, CPC, MOV, CPSE.
    (0x0c00, 0x03ff),
    (0x1c00, 0x03ff),
    (0x1800, 0x03ff),
    (0x0800, 0x03ff),
    (0x2000, 0x03ff),
    (0x2800, 0x03ff),
    (0x2400, 0x03ff),
    (0x1400, 0x03ff),
    (0x0400, 0x03ff),
    (0x2c00, 0x03ff),
    (0x1000, 0x03ff),
    // CPI, SBCI, SUBI, ORI, ANDI, LDI.
    (0x3000, 0x0fff),
    (0x4000, 0x0fff),
    (0x5000, 0x0fff),
    (0x6000, 0x0fff),
    (0x7000, 0x0fff),
    (0xe000, 0x0fff),
    // MOVW, MULS, MULSU and FMUL, MUL.
    (0x0100, 0x00ff),
    (0x0200, 0x00ff),
    (0x0300, 0x00ff),
    (0x9c00, 0x03ff),
    // COM, NEG, SWAP, INC, ASR, LSR, ROR, DEC.
    (0x9400, 0x01f0),
    (0x9401, 0x01f0),
    (0x9402, 0x01f0),
    (0x9403, 0x01f0),
    (0x9405, 0x01f0),
    (0x9406, 0x01f0),
    (0x9407, 0x01f0),
    (0x940a, 0x01f0),
    // ADIW, SBIW, BSET, BCLR, BLD, BST, SBRC, SBRS.
    (0x9600, 0x00ff),
    (0x9700, 0x00ff),
    (0x9408, 0x0070),
    (0x9488, 0x0070),
    (0xf800, 0x01f7),
    (0xfa00, 0x01f7),
    (0xfc00, 0x01f7),
    (0xfe00, 0x01f7),
    // LD and ST through X, Y and Z, LDD, STD.
    (0x900c, 0x01f0),
    (0x900d, 0x01f0),
    (0x900e, 0x01f0),
    (0x9009, 0x01f0),
    (0x900a, 0x01f0),
    (0x9001, 0x01f0),
    (0x9002, 0x01f0),
    (0x920c, 0x01f0),
    (0x920d, 0x01f0),
    (0x920e, 0x01f0),
    (0x9209, 0x01f0),
    (0x920a, 0x01f0),
    (0x9201, 0x01f0),
    (0x9202, 0x01f0),
    (0x8000, 0x2dff),
    (0x8200, 0x2dff),
    // LPM, PUSH, POP, IN and OUT of SREG, BRBS, BRBC over an instruction.
    (0x9004, 0x01f0),
    (0x9005, 0x01f0),
    (0x920f, 0x01f0),
    (0x900f, 0x01f0),
    (0xb60f, 0x01f0),
    (0xbe0f, 0x01f0),
    (0xf008, 0x0007),
    (0xf408, 0x0007),
];

/// So many times the form is in a function.
const LENGTH: usize = 6;

/// A function that sets pointers and SREG, and then executes instructions of a form in turns with any others.
fn function(random: &mut Random, form: (u16, u16)) -> Vec<u16> {
    let mut words = Vec::new();
    // Pointers into SRAM, or anywhere.
    for pair in [26, 28, 30] {
        let high = if random.next() & 7 == 0 { random.next() & 0xff } else { 0x40 | random.next() & 1 };
        let high = if random.next() & 1 == 0 { high } else { 1 };
        for (register, value) in [(pair, random.next() & 0xff), (pair + 1, high)] {
            let value = value as u16;
            words.push(0xe000 | (value & 0xf0) << 4 | (register - 16) << 4 | value & 15);
        }
    }
    // SREG becomes anything.
    let sreg = random.next() as u16;
    words.extend([0xe000 | (sreg & 0xf0) << 4 | sreg & 15, 0xbf0f]);
    let one = |(code, free): (u16, u16), random: &mut Random| code | random.next() as u16 & free;
    for _ in 0..LENGTH {
        let other = FORMS[random.next() as usize % FORMS.len()];
        // Moves of the stack pointer belong in pairs.
        let is_stack = |word: u16| matches!(word & 0xfe0f, 0x920f | 0x900f);
        let word = one(other, random);
        words.push(if is_stack(word) { 0 } else { word });
        words.push(one(form, random));
        if is_stack(words[words.len() - 1]) {
            words.push(words[words.len() - 1] ^ 0x0200);
        }
    }
    words.extend([0, 0x9508]);
    words
}

fn state(machine: &TranslatedAvr, board: &Board) -> (Registers, Vec<u8>) {
    let ram = &board.memories[1];
    let mut bytes = vec![0; ram.size as usize];
    machine.read(ram.base, &mut bytes).expect("SRAM");
    (machine.inner().registers(), bytes)
}

#[test]
fn each_operation_does_what_the_interpreters_does() {
    for name in BOARDS {
        let board = pennyweight_bundled::board(name);
        let mut runs = 0;
        for (number, form) in FORMS.iter().copied().enumerate() {
            let mut random = Random(number as u64);
            let words = function(&mut random, form);
            let bytes: Vec<u8> = words.iter().copied().flat_map(u16::to_le_bytes).collect();
            let [mut interpreter, mut translator] = [Engine::Interpreter, Engine::Translator].map(|engine| {
                let mut machine =
                    TranslatedAvr::around(AvrMachine::with_flash(&board, &bytes).expect("a good board"));
                machine.set_engine(engine);
                machine
            });
            // Once it has run for a thousand cycles, it is translated.
            for call in 0..80 {
                let ram = board.memories[1].base;
                let contents: Vec<u8> = (0..64).map(|_| random.next() as u8).collect();
                let registers = random.next();
                let call_both = |machine: &mut TranslatedAvr| {
                    machine.write(ram, &contents).expect("SRAM");
                    let args =
                        [pennyweight_machine::Arg::U64(u64::from(registers).wrapping_mul(0x9e37_79b9))];
                    let options = pennyweight_machine::CallOptions { budget: 5000, ..Default::default() };
                    (machine.call(0, &args, &options), state(machine, &board))
                };
                let (theirs, ours) = (call_both(&mut interpreter), call_both(&mut translator));
                assert_eq!(ours, theirs, "{name}: call {call} of {words:04x?}");
            }
            runs += u32::from(translator.runs() > 0);
        }
        assert!(runs > FORMS.len() as u32 / 3, "{name}: {runs} of {} were translated", FORMS.len());
    }
}
