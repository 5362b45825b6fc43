//! A sequence does exactly what its instructions do one by one, faults included.

use pennyweight_machine::guard::{Free, Guard, Watch};
use pennyweight_machine::stack::StackWatch;
use pennyweight_machine::{FaultKind, Zone};

use super::{ByFirst, SEQUENCES};
use crate::cpu::{Map, Range, Stack, DATA};
use crate::decode::SPACE;
use crate::execute::{run, Bounds, State, Stop, NO_CALLER};
use crate::flags::Flags;
use crate::op::{Code, Op};
use crate::program::Program;
use crate::timing::Core;

const SRAM: Range = Range { base: 0x100, size: 0x800 };
/// As on an ATmega328P; and with a window of flash that pointers at random hit.
const MAP: Map = Map { io_end: 0x100, sram: SRAM, flash: Range { base: 0x4000, size: 0 } };
const XT_MAP: Map = Map { flash: Range { base: 0x4000, size: 0xc000 }, ..MAP };
/// Where the sequences lie, and where their branches lead: words of erased flash, all undefined.
const START: usize = 0x20;
const TARGET: u32 = 0x80;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 24
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn register(&mut self) -> u8 {
        // Few registers, so that instructions meet each other's results and pointers.
        if self.below(2) == 0 {
            24 + self.below(8) as u8
        } else {
            self.below(32) as u8
        }
    }
}

/// An instruction of that code with operands at random.
fn instruction(code: Code, random: &mut Random) -> Op {
    let (a, b) = (random.register(), random.register());
    let pointer = 26 + 2 * random.below(3) as u8;
    let mut op = Op { code, a, b, c: 0, imm: 0 };
    match code {
        Code::Brne => op = Op { a: 0, b: 0, imm: TARGET, ..op },
        Code::Ld | Code::St => op = Op { b: pointer, c: random.below(64) as u8, ..op },
        Code::LdInc | Code::LdDec | Code::StInc | Code::StDec => op.b = pointer,
        Code::Movw => op = Op { a: a & !1, b: b & !1, ..op },
        Code::Adiw | Code::Sbiw => op = Op { a: 24 | a & 6, b: b & 63, ..op },
        Code::Cpi | Code::Subi | Code::Sbci | Code::Ldi | Code::Andi | Code::Ori => {
            op = Op { a: 16 | a, b: random.next() as u8, ..op };
        }
        Code::Bst | Code::Bld => op.b = 1 << (b & 7),
        _ => {}
    }
    op
}

fn state(random: &mut Random) -> State {
    let mut data: Box<[u8; DATA]> = crate::boxed(0);
    for byte in &mut data[..0x900] {
        *byte = if random.below(4) == 0 { 0 } else { random.next() as u8 };
    }
    // Pointers into SRAM, most of them; a few to its edges, to registers or nowhere.
    for low in [26, 28, 30] {
        let address = match random.below(8) {
            0 => random.below(0x110) as u16,
            1 => 0x8c0 + random.below(0x60) as u16,
            2 => random.next() as u16,
            _ => 0x100 + random.below(0x7c0) as u16,
        };
        data[low..low + 2].copy_from_slice(&address.to_le_bytes());
    }
    let pointer = if random.below(4) == 0 { 0x2fe + random.below(6) } else { 0x300 + random.below(0x700) };
    State {
        data,
        flags: Flags::from_sreg(random.next() as u8),
        stack: Stack::new(pointer as u16, StackWatch::new(0x300, 0x900)),
        pc: START,
    }
}

#[test]
fn names_say_what_sequences_are_made_of() {
    for (code, parts) in SEQUENCES {
        let name: String = parts.iter().map(|part| format!("{part:?}")).collect();
        assert_eq!(format!("{code:?}"), name);
        assert!(parts.iter().all(|part| Op { code: *part, ..Op::OUTSIDE }.words() == 1), "{name}");
        let inner = &parts[..parts.len() - 1];
        assert!(inner.iter().all(|part| !part.is_branch()), "{name}: only the last may leave");
    }
}

#[test]
fn no_sequence_is_listed_twice() {
    for (position, (code, parts)) in SEQUENCES.iter().enumerate() {
        let twin = SEQUENCES[..position].iter().find(|(_, earlier)| parts == earlier);
        assert_eq!(twin.map(|(earlier, _)| *earlier), None, "{code:?} can never be found");
    }
}

#[test]
fn the_longest_sequence_that_fits_is_found() {
    let sequences = ByFirst::new();
    let mut ops: Box<[Op; SPACE]> = crate::boxed(Op::OUTSIDE);
    for (code, parts) in SEQUENCES {
        for (op, part) in ops.iter_mut().zip(*parts) {
            op.code = *part;
        }
        ops[parts.len()].code = Code::Undefined;
        assert_eq!(sequences.at(&ops, 0), Some(*code));
    }
}

fn check<W: Watch, const XT: bool>(watch: W, rounds: usize) {
    let mut random = Random(1);
    let mut program = Program::new(vec![0xff; 0x200], Core::AVRE_PLUS);
    let map = if XT { XT_MAP } else { MAP };
    let bounds = Bounds { map, cycles: 1 << 30, top: NO_CALLER };
    let sequences = ByFirst::new();
    let (mut faults, mut ends) = (0, 0);
    for (code, parts) in SEQUENCES {
        for _ in 0..rounds {
            program.ops[START..START + 16].fill(Op { code: Code::Undefined, ..Op::OUTSIDE });
            for (i, part) in parts.iter().enumerate() {
                program.ops[START + i] = instruction(*part, &mut random);
            }
            program.jump[START + parts.len() - 1] = random.below(1000);
            program.fused[START..START + 16].copy_from_slice(&program.ops[START..START + 16]);
            assert_eq!(sequences.at(&program.ops, START), Some(*code));
            program.fused[START].code = *code;
            let before = state(&mut random);
            let (mut plain, mut fused) = (before.clone(), before);
            let expected = run::<W, XT, false>(&program, &program.ops, &mut plain, watch, &bounds);
            let got = run::<W, XT, false>(&program, &program.fused, &mut fused, watch, &bounds);
            let ops = &program.ops[START..START + parts.len()];
            assert_eq!(got, expected, "{code:?} {ops:?}");
            assert_eq!(fused.data[..0x900], plain.data[..0x900], "{code:?} {ops:?}");
            assert_eq!(fused.flags.sreg(), plain.flags.sreg(), "{code:?} {ops:?}");
            assert_eq!((fused.pc, fused.stack.pointer), (plain.pc, plain.stack.pointer), "{code:?} {ops:?}");
            assert_eq!(fused.stack.watch.high_water(), plain.stack.watch.high_water(), "{code:?} {ops:?}");
            match expected.0 {
                Stop::Fault(FaultKind::Undefined { .. }, _) => ends += 1,
                _ => faults += 1,
            }
        }
    }
    assert!(faults > rounds && ends > rounds, "{faults} runs faulted inside, {ends} ran through");
}

#[test]
fn sequences_equal_their_instructions() {
    check::<Free, false>(Free, 100);
    check::<Free, true>(Free, 50);
}

#[test]
fn sequences_equal_their_instructions_among_guard_zones() {
    let zone = |start: u32, end: u32, no_read| Zone {
        start: 0x80_0000 + start,
        end: 0x80_0000 + end,
        no_read,
        no_write: !no_read,
    };
    let zones = [zone(0x200, 0x300, true), zone(0x500, 0x600, false)];
    let guard = Guard::new(0x80_0000 + SRAM.base, SRAM.size as usize, &zones);
    check::<&Guard, false>(&guard, 50);
    check::<&Guard, true>(&guard, 50);
}
