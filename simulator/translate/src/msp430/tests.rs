//! Each operation, translated, against the interpreter on random states.

use pennyweight_machine::{Arg, CallOptions, Machine, Outcome};
use pennyweight_msp430::translator::{Cpu, Cpux, HardwareMultiplier as _, Original};
use pennyweight_msp430::Microcontroller;

use std::ops::Range;

use super::TranslatedMicrocontroller;
use crate::engine::Engine;
use crate::trial::Random;

/// Where flash begins, and a function in it, behind what sets the stack pointer.
const FLASH: u16 = 0x4000;
const FUNCTION: u16 = FLASH + 4;
/// Registers that point into RAM, and one past the last.
const POINTERS: Range<u16> = 8..11;
/// Operations of format I by their codes, but DADD, which is not translated; those of format II.
const TWO: [u16; 11] = [4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15];
const ONE: [u16; 5] = [0, 1, 2, 3, 4];
/// So many times the form is in a function.
const LENGTH: usize = 6;
/// Once a function has run for a thousand cycles, it is translated.
const CALLS: u32 = 60;
/// An even address in the RAM of all boards, in the middle.
const MIDDLE: u16 = 0x2800;

/// How an operand is addressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Register,
    Constant,
    Immediate,
    Indexed,
    Symbolic,
    Absolute,
    Multiplier,
    Flash,
    Indirect,
    Increment,
    OnStack,
    Status,
}

const SOURCES: [Mode; 12] = [
    Mode::Register,
    Mode::Constant,
    Mode::Immediate,
    Mode::Indexed,
    Mode::Symbolic,
    Mode::Absolute,
    Mode::Multiplier,
    Mode::Flash,
    Mode::Indirect,
    Mode::Increment,
    Mode::OnStack,
    Mode::Status,
];
const TARGETS: [Mode; 6] =
    [Mode::Register, Mode::Register, Mode::Indexed, Mode::Absolute, Mode::Multiplier, Mode::OnStack];

/// What is tested: an operation with a way to address its source.
#[derive(Clone, Copy, Debug)]
enum Form {
    Two(u16, Mode),
    One(u16, Mode),
    /// What moves the stack pointer or sets the status register, and back.
    Special(u16),
    /// The same with an extension word.
    LongTwo(u16, Mode),
    LongOne(u16, Mode),
    /// A product.
    Product,
    /// What else only CPUX has.
    LongSpecial(u16),
}

/// So many functions with one of the forms without a mode.
const OFTEN: usize = 3;
/// So many of [`Form::Special`].
const SPECIAL: u16 = 9;

/// So many of [`Form::LongSpecial`].
const LONG_SPECIAL: u16 = 9;

/// Those of the original CPU.
fn forms() -> Vec<Form> {
    let two = TWO.into_iter().flat_map(|code| SOURCES.map(|mode| Form::Two(code, mode)));
    let one = ONE.into_iter().flat_map(|code| {
        let modes = SOURCES.into_iter().filter(move |mode| {
            code == 4 || !matches!(mode, Mode::Constant | Mode::Immediate | Mode::Flash | Mode::Status)
        });
        modes.map(move |mode| Form::One(code, mode))
    });
    let special = (0..SPECIAL).map(Form::Special).chain([Form::Product, Form::Product]);
    two.chain(one).chain(special.cycle().take(OFTEN * usize::from(SPECIAL + 2))).collect()
}

/// Those that only CPUX has.
fn long_forms() -> Vec<Form> {
    forms()
        .into_iter()
        .filter_map(|form| match form {
            Form::Two(code, mode) if mode != Mode::Symbolic => Some(Form::LongTwo(code, mode)),
            Form::One(code, mode) if mode != Mode::Symbolic => Some(Form::LongOne(code, mode)),
            _ => None,
        })
        .chain((0..LONG_SPECIAL).cycle().take(OFTEN * usize::from(LONG_SPECIAL)).map(Form::LongSpecial))
        .collect()
}

/// A function under construction.
struct Writer<'a> {
    random: &'a mut Random,
    words: Vec<u16>,
    /// The addresses of the multiplier.
    multiplier: Range<u16>,
    /// Have registers 20 bits?
    long: bool,
}

impl Writer<'_> {
    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.random.next() as usize % all.len()]
    }

    fn below(&mut self, bound: u16) -> u16 {
        (self.random.next() % u32::from(bound)) as u16
    }

    /// A register for data.
    fn data(&mut self) -> u16 {
        self.pick(&[4, 5, 6, 7, 11, 12, 13, 14, 15])
    }

    fn pointer(&mut self) -> u16 {
        POINTERS.start + self.below(POINTERS.end - POINTERS.start)
    }

    /// An address in RAM, odd only if a byte is meant, except one in sixteen.
    fn address(&mut self, byte: bool) -> u16 {
        let odd = if self.random.next() & 15 == 0 { 1 } else { u16::from(byte) };
        (MIDDLE - 0x40 + self.below(0x80)) & !(odd ^ 1)
    }

    /// The bits of a source and its extension word, which is at `place`.
    fn source(&mut self, mode: Mode, byte: bool, place: u16) -> (u16, Option<u16>) {
        let even = |word: u16| if byte { word } else { word & !1 };
        let (way, register, word) = match mode {
            Mode::Register => (0, self.data(), None),
            Mode::Constant => {
                let (way, register) = self.pick(&[(0, 3), (1, 3), (2, 3), (3, 3), (2, 2), (3, 2)]);
                (way, register, None)
            }
            Mode::Immediate => (3, 0, Some(self.random.value() as u16)),
            Mode::Indexed => {
                let distance = even(self.below(0x40)).wrapping_sub(0x20);
                (1, self.pointer(), Some(distance))
            }
            Mode::Symbolic => (1, 0, Some(self.address(byte).wrapping_sub(place))),
            Mode::Absolute => (1, 2, Some(self.address(byte))),
            Mode::Multiplier => {
                let Range { start, end } = self.multiplier;
                // Bytes in that of 32 bits are refused.
                let odd = u16::from(byte && !self.long);
                (1, 2, Some((start + self.below(end - start)) & !(odd ^ 1)))
            }
            Mode::Flash => (1, 2, Some(even(FLASH + self.below(0x40)))),
            Mode::Indirect => (2, self.pointer(), None),
            Mode::Increment => (3, self.pointer(), None),
            Mode::OnStack => (1, 1, Some(even(self.below(8)))),
            Mode::Status => (0, 2, None),
        };
        (way << 4 | register, word)
    }

    /// An instruction of format I.
    fn two(&mut self, code: u16, mode: Mode) {
        let byte = self.random.next() & 3 == 0;
        let place = FUNCTION + 2 * self.words.len() as u16 + 2;
        let (source, word) = self.source(mode, byte, place);
        let mode = self.pick(&TARGETS);
        let (target, last) = self.source(mode, byte, 0);
        let (way, register) = (source >> 4, source & 15);
        self.words.push(
            code << 12 | register << 8 | (target >> 4) << 7 | u16::from(byte) << 6 | way << 4 | target & 15,
        );
        self.words.extend(word.into_iter().chain(last));
    }

    /// An instruction of format II, and a POP behind each PUSH.
    fn one(&mut self, code: u16, mode: Mode) {
        let byte = self.random.next() & 3 == 0 && matches!(code, 0 | 2 | 4);
        let place = FUNCTION + 2 * self.words.len() as u16 + 2;
        let (source, word) = self.source(mode, byte, place);
        self.words.push(0x1000 | code << 7 | u16::from(byte) << 6 | source);
        self.words.extend(word);
        if code == 4 {
            let to = self.data();
            self.words.push(0x4130 | to);
        }
    }

    /// An instruction of format I with an extension word.
    fn long_two(&mut self, code: u16, mode: Mode) {
        // A/L and B/W: words, bytes, 20 bits.
        let (al, bw) = self.pick(&[(0x40, 0), (0x40, 0x40), (0, 0x40)]);
        let byte = (al, bw) == (0x40, 0x40);
        let (source, word) = self.source(mode, byte, 0);
        let to = self.pick(&TARGETS);
        let (target, last) = self.source(to, byte, 0);
        let extension = if mode == Mode::Register && to == Mode::Register {
            // ZC, and repetitions.
            self.pick(&[0, 0, 1, 3, 0x100, 0x102])
        } else {
            high(mode, word) << 7 | high(to, last)
        };
        self.words.push(0x1800 | al | extension);
        let (way, register) = (source >> 4, source & 15);
        self.words.push(code << 12 | register << 8 | (target >> 4) << 7 | bw | way << 4 | target & 15);
        self.words.extend(word.into_iter().chain(last));
    }

    /// An instruction of format II with an extension word, and what takes away what was pushed.
    fn long_one(&mut self, code: u16, mode: Mode) {
        let (al, bw) = match code {
            // SWPBX and SXTX have no bytes.
            1 | 3 => self.pick(&[(0x40, 0), (0, 0)]),
            _ => self.pick(&[(0x40, 0), (0x40, 0x40), (0, 0x40)]),
        };
        let byte = (al, bw) == (0x40, 0x40);
        let (source, word) = self.source(mode, byte, 0);
        let repeats = if mode == Mode::Register && code != 4 { self.pick(&[0, 2, 0x100]) } else { 0 };
        self.words.push(0x1800 | al | repeats | high(mode, word));
        self.words.push(0x1000 | code << 7 | bw | source);
        self.words.extend(word);
        if code == 4 {
            // ADD #2 or #4, SP.
            self.words.push(if al == 0 { 0x5221 } else { 0x5321 });
        }
    }

    /// MOVA and its like, rotations by several bits, PUSHM and POPM, CALLA and RETA.
    fn long_special(&mut self, number: u16) {
        let (a, b, pointer) = (self.data(), self.data(), self.pointer());
        let (count, high) = (self.below(4), self.below(16));
        let any = self.random.value() as u16;
        let place = self.address(false) & !1;
        let words = match number {
            0 => vec![(a << 8 | 0xc0 | self.below(4) << 4) | b],
            1 => vec![high << 8 | 0x80 | self.below(4) << 4 | b, any],
            // MOVA @Rn, @Rn+, &x, x(Rn) to a register, and a register to &x and x(Rn).
            2 => vec![pointer << 8 | self.below(2) << 4 | b],
            3 => vec![0x20 | b, place, 0x30 | pointer << 8 | a, 4],
            4 => vec![a << 8 | 0x60, place, b << 8 | 0x70 | pointer, 0xfffe],
            5 => vec![0x40 | count << 10 | self.below(4) << 8 | self.below(2) << 4 | b],
            // Three registers from R13 down, and back.
            6 => vec![0x1400 | 2 << 4 | 13, 0x1600 | 2 << 4 | 11],
            7 => vec![0x1500 | 2 << 4 | 13, 0x1700 | 2 << 4 | 12],
            // CALLA behind the next instruction, where RETA leads back to a jump over it.
            _ => {
                let here = FUNCTION + 2 * self.words.len() as u16;
                vec![0x13b0, here + 6, 0x3c01, 0x0110]
            }
        };
        self.words.extend(words);
    }

    /// The multiplier's factors and, now and then, a sum; and then a part of the result.
    fn product(&mut self) {
        let first = self.multiplier.start;
        let mode = self.below(4);
        let sums: &[u16] = if self.long { &[10, 12, 0x24, 0x26, 0x28, 0x2a] } else { &[10, 12] };
        let firsts = if self.long && self.random.next() & 1 == 0 {
            let low = 16 + 4 * mode;
            self.pick(&[[low, low + 2], [low + 2, low]])
        } else {
            [2 * mode; 2]
        };
        let seconds =
            if self.long { self.pick(&[[8, 8], [0x20, 0x22], [0x20, 0x22], [0x22, 0x22]]) } else { [8, 8] };
        let sum = self.pick(sums);
        for offset in [sum].into_iter().chain(firsts).chain(seconds) {
            // MOV #x or Rn, &offset.
            let (value, n) = (self.random.value() as u16, self.data());
            if self.random.next() & 1 == 0 {
                self.words.extend([0x40b2, value, first + offset]);
            } else {
                self.words.extend([0x4082 | n << 8, first + offset]);
            }
        }
        for _ in 0..2 {
            let (n, offset) = (self.data(), self.pick(&[sums, &[14]].concat()));
            self.words.extend([0xe210 | n, first + offset]);
        }
    }

    fn special(&mut self, number: u16) {
        let (a, b) = (self.data(), self.data());
        let amount = 2 + 2 * self.below(9);
        let words = match number {
            // SUB #x, SP; MOV Rn, 0(SP); ADD #x, SP.
            0 => vec![0x8031, amount, 0x4081 | a << 8, 0, 0x5031, amount],
            // PUSH Ra, Rb, SP and Ra; POP them.
            1 => vec![
                0x1200 | a,
                0x1200 | b,
                0x1201,
                0x1200 | a,
                0x4130 | b,
                0x4130 | a,
                0x4130 | b,
                0x4130 | a,
            ],
            // PUSH SR; DINT; POP Ra.
            2 => vec![0x1202, 0xc232, 0x4130 | a],
            // EINT; PUSH SR; CLRC; POP SR.
            3 => vec![0xd232, 0x1202, 0xc312, 0x4132],
            // SETC; BIC #2, SR; BIS #4, SR; CLRC or not.
            4 => vec![0xd312, 0xc322, 0xd222, self.pick(&[0xc312, 0x4303])],
            // MOV SP, Ra; ADD #-x, SP; PUSH @SP+; MOV Ra, SP.
            5 => vec![0x4100 | a, 0x5031, amount.wrapping_neg(), 0x1231, 0x4101 | a << 8],
            // MOV #x, SR without CPUOFF; PUSH.B SR; ADD @SP+, Ra.
            6 => vec![0x4032, self.random.next() as u16 & !0x10, 0x1242, 0x5130 | a],
            // PUSH #behind; PUSH #x without CPUOFF and, on CPUX, the page; RETI.
            7 => {
                let behind = FUNCTION + 2 * self.words.len() as u16 + 10;
                vec![0x1230, behind, 0x1230, self.random.next() as u16 & 0x01ef, 0x1300]
            }
            // PUSH #x; ADD @SP, Ra; XOR.B @SP+, Rb.
            _ => vec![0x1230, amount, 0x5120 | a, 0xe170 | b],
        };
        self.words.extend(words);
    }

    fn form(&mut self, form: Form) {
        match form {
            Form::Two(code, mode) => self.two(code, mode),
            Form::One(code, mode) => self.one(code, mode),
            Form::Special(number) => self.special(number),
            Form::Product => self.product(),
            Form::LongTwo(code, mode) => self.long_two(code, mode),
            Form::LongOne(code, mode) => self.long_one(code, mode),
            Form::LongSpecial(number) => self.long_special(number),
        }
    }

    /// A function that sets registers and the status register, and then executes instructions of a form in turns
    /// with any others, and short branches.
    fn function(&mut self, form: Form, all: &[Form]) {
        for n in 4..16 {
            let value = if POINTERS.contains(&n) {
                let anything = self.random.next() & 31 == 0;
                let byte = self.random.next() & 31 == 0;
                if anything {
                    self.random.next() as u16
                } else {
                    self.address(byte)
                }
            } else if n < 12 {
                self.random.value() as u16
            } else {
                // An argument.
                continue;
            };
            self.words.extend([0x4030 | n, value]);
            if self.long && !POINTERS.contains(&n) {
                // With bits above the word.
                let high = self.below(16);
                self.words.extend([0x80 | high << 8 | n, value]);
            }
        }
        self.words.extend([0x4032, self.random.next() as u16 & !0x10]);
        for _ in 0..LENGTH {
            let other = self.pick(all);
            self.form(other);
            if self.random.next() & 1 == 0 {
                // Over a CLRC.
                let condition = self.below(7);
                self.words.extend([0x2001 | condition << 10, 0xc312]);
            }
            self.form(form);
        }
        self.words.push(0x4130);
    }
}

/// The upper four bits of an operand's number: a distance is signed.
fn high(mode: Mode, word: Option<u16>) -> u16 {
    match (mode, word) {
        (Mode::Indexed, Some(word)) if word >> 15 != 0 => 15,
        (Mode::Immediate, Some(word)) => word & 15,
        _ => 0,
    }
}

/// All of flash with a function.
fn flash(function: &[u16]) -> Vec<u8> {
    let mut words = vec![0xffffu16; (0x1_0000 - usize::from(FLASH)) / 2];
    // MOV #x, SP.
    words[..2].copy_from_slice(&[0x4031, MIDDLE + 0x400]);
    words[2..2 + function.len()].copy_from_slice(function);
    if let Some(vector) = words.last_mut() {
        *vector = FLASH;
    }
    words.into_iter().flat_map(u16::to_le_bytes).collect()
}

fn check<X: Cpu>(board: &str, forms: &[Form], all: &[Form]) {
    let board = pennyweight_bundled::board(board);
    let mut runs = 0;
    for (number, form) in forms.iter().copied().enumerate() {
        let mut random = Random(number as u64);
        let multiplier = X::Multiplier::ADDRESSES;
        let long = X::PERIPHERALS_END > 0x200;
        let mut writer = Writer { random: &mut random, words: Vec::new(), multiplier, long };
        writer.function(form, all);
        let words = writer.words;
        let flash = flash(&words);
        let mut interpreter = Microcontroller::<X>::with_flash(&board, &flash).expect("a good board");
        let mut translator = TranslatedMicrocontroller::around(
            Microcontroller::<X>::with_flash(&board, &flash).expect("a good board"),
        );
        translator.set_engine(Engine::Translator);
        interpreter.boot(FUNCTION.into(), 100);
        translator.boot(FUNCTION.into(), 100);
        for _ in 0..CALLS {
            let contents: Vec<u8> = (0..0x100).map(|_| random.next() as u8).collect();
            let arguments = u64::from(random.value()) << 32 | u64::from(random.value());
            let call = |machine: &mut dyn Machine| {
                machine.write((MIDDLE - 0x80).into(), &contents).expect("RAM");
                let options = CallOptions { budget: 5000, ..CallOptions::default() };
                machine.call(FUNCTION.into(), &[Arg::U64(arguments)], &options)
            };
            let state = |outcome: Outcome, machine: &Microcontroller<X>| {
                let multiplier = multiplier_words(machine);
                (outcome, machine.registers(), multiplier, machine.memory().to_vec())
            };
            let theirs = call(&mut interpreter);
            let theirs = state(theirs, &interpreter);
            let ours = call(&mut translator);
            let ours = state(ours, translator.inner());
            assert!(
                ours == theirs,
                "{form:?}: a call of {words:04x?}: {:?} {:?} {:04x?}, but interpreted {:?} {:?} {:04x?}",
                ours.0,
                ours.1,
                ours.2,
                theirs.0,
                theirs.1,
                theirs.2
            );
        }
        runs += usize::from(translator.runs() > 0);
    }
    assert!(runs > forms.len() / 2, "{runs} of {} were translated", forms.len());
}

/// The multiplier's registers.
fn multiplier_words<X: Cpu>(machine: &Microcontroller<X>) -> Vec<u16> {
    X::Multiplier::ADDRESSES.step_by(2).map(|address| machine.multiplier(address)).collect()
}

#[test]
fn each_operation_does_what_the_interpreters_does() {
    check::<Original>("msp430f1611", &forms(), &forms());
}

#[test]
fn each_operation_of_cpux_does_what_the_interpreters_does() {
    let all = [forms(), long_forms()].concat();
    // The others are lowered as the original CPU's are.
    let some = forms().into_iter().step_by(5);
    let tested: Vec<Form> = long_forms().into_iter().chain(some).collect();
    check::<Cpux>("msp430fr5994-8mhz", &tested, &all);
}
