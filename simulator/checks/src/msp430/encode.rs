//! Encodings, straight from SLAU049 figures 3-8 to 3-11 and table 3-3, and those of CPUX from SLAU367,
//! figures 4-29 to 4-33 and section 4.6.1.

/// Numbers of the special registers.
pub const PC: u16 = 0;
/// The stack pointer.
pub const SP: u16 = 1;
/// The status register.
pub const SR: u16 = 2;
/// The constant generator.
pub const CG: u16 = 3;

/// MOV of format I; the others follow in the order of their codes.
pub const MOV: u16 = 4;
/// ADD.
pub const ADD: u16 = 5;
/// SUB.
pub const SUB: u16 = 8;
/// DADD.
pub const DADD: u16 = 10;
/// BIT.
pub const BIT: u16 = 11;
/// BIC.
pub const BIC: u16 = 12;
/// BIS.
pub const BIS: u16 = 13;
/// XOR.
pub const XOR: u16 = 14;
/// AND.
pub const AND: u16 = 15;

/// RRC of format II.
pub const RRC: u16 = 0;
/// SWPB.
pub const SWPB: u16 = 1;
/// RRA.
pub const RRA: u16 = 2;
/// SXT.
pub const SXT: u16 = 3;
/// PUSH.
pub const PUSH: u16 = 4;
/// CALL.
pub const CALL: u16 = 5;
/// RETI.
pub const RETI: u16 = 0x1300;

/// A source: As, register, and the value of its extension word.
#[derive(Clone, Copy, Debug)]
pub struct Source(pub u16, pub u16, pub Extension);

/// A target: Ad, register, extension word.
#[derive(Clone, Copy, Debug)]
pub struct Target(pub u16, pub u16, pub Extension);

/// An extension word.
#[derive(Clone, Copy, Debug)]
pub enum Extension {
    /// No register.
    None,
    /// This word.
    Word(u16),
    /// The distance of this address from the word itself.
    To(u16),
}

/// `#value` by the next word.
#[must_use]
pub fn immediate(value: u16) -> Source {
    Source(3, PC, Extension::Word(value))
}

/// `Rn`.
#[must_use]
pub fn register(n: u16) -> Source {
    Source(0, n, Extension::None)
}

/// `Rn` as a target.
#[must_use]
pub fn to(n: u16) -> Target {
    Target(0, n, Extension::None)
}

/// The length of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// `.B`
    Byte,
    /// `.W`
    Word,
    /// `.A`
    Address,
}

impl Size {
    /// A/L of the extension word and B/W of the instruction's.
    fn code(self) -> (u16, u16) {
        match self {
            Size::Byte => (0x40, 0x40),
            Size::Word => (0x40, 0),
            Size::Address => (0, 0x40),
        }
    }
}

/// An operand of an instruction with an extension word: its mode, its register, its number.
#[derive(Clone, Copy, Debug)]
pub struct Long(pub u16, pub u16, pub Number);

/// A number of 20 bits.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    /// No number.
    None,
    /// This one.
    Value(u32),
    /// The distance of this address from the number's word.
    To(u16),
}

impl Number {
    fn value(self, at: u16) -> Option<u32> {
        match self {
            Number::None => None,
            Number::Value(value) => Some(value & 0xf_ffff),
            Number::To(address) => Some(u32::from(address).wrapping_sub(at.into()) & 0xf_ffff),
        }
    }
}

/// `Rn` of an instruction with an extension word.
#[must_use]
pub fn long(n: u16) -> Long {
    Long(0, n, Number::None)
}

/// Words of code under construction, at a known address.
#[derive(Clone, Debug)]
pub struct Assembler {
    start: u16,
    /// What has been put so far.
    pub words: Vec<u16>,
}

impl Assembler {
    /// Nothing yet.
    #[must_use]
    pub fn new(start: u16) -> Self {
        Assembler { start, words: Vec::new() }
    }

    /// The address of the next word.
    #[must_use]
    pub fn here(&self) -> u16 {
        self.start + 2 * self.words.len() as u16
    }

    /// A word.
    pub fn word(&mut self, word: u16) {
        self.words.push(word);
    }

    fn extension(&mut self, extension: Extension) {
        match extension {
            Extension::None => {}
            Extension::Word(word) => self.word(word),
            Extension::To(address) => self.word(address.wrapping_sub(self.here())),
        }
    }

    /// Format I.
    pub fn two(&mut self, code: u16, byte: bool, source: Source, target: Target) {
        let byte = u16::from(byte) << 6;
        self.word(code << 12 | source.1 << 8 | target.0 << 7 | byte | source.0 << 4 | target.1);
        self.extension(source.2);
        self.extension(target.2);
    }

    /// Format II.
    pub fn one(&mut self, code: u16, byte: bool, operand: Source) {
        self.word(0x1000 | code << 7 | u16::from(byte) << 6 | operand.0 << 4 | operand.1);
        self.extension(operand.2);
    }

    /// Format I with an extension word, of which `more` are ZC, # and the repetition count.
    pub fn extended_two(&mut self, code: u16, size: Size, source: Long, target: Long, more: u16) {
        let (al, bw) = size.code();
        let first = source.2.value(self.here() + 4);
        let second = target.2.value(self.here() + if first.is_some() { 6 } else { 4 });
        let [high, low] = [first, second].map(|number| (number.unwrap_or(0) >> 16) as u16);
        self.word(0x1800 | high << 7 | al | low | more);
        self.word(code << 12 | source.1 << 8 | target.0 << 7 | bw | source.0 << 4 | target.1);
        for number in [first, second].into_iter().flatten() {
            self.word(number as u16);
        }
    }

    /// Format II with an extension word.
    pub fn extended_one(&mut self, code: u16, size: Size, operand: Long, more: u16) {
        let (al, bw) = size.code();
        // SWPBX and SXTX have no B/W.
        let bw = if code == SWPB || code == SXT { 0 } else { bw };
        let number = operand.2.value(self.here() + 4);
        self.word(0x1800 | al | (number.unwrap_or(0) >> 16) as u16 | more);
        self.word(0x1000 | code << 7 | bw | operand.0 << 4 | operand.1);
        if let Some(number) = number {
            self.word(number as u16);
        }
    }

    /// An address instruction (MOVA and others) or CALLA whose first word is `code` and which has a number of 20
    /// bits, of which the upper four are at bit `place` of the first word.
    pub fn address(&mut self, code: u16, place: u32, number: u32) {
        self.word(code | ((number >> 16 & 15) as u16) << place);
        self.word(number as u16);
    }

    /// A jump of so many words behind its own.
    pub fn jump(&mut self, condition: u16, words: i16) {
        self.word(0x2000 | condition << 10 | words as u16 & 0x3ff);
    }
}
