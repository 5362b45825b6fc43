//! The 16-bit multiply-accumulate option (ISA reference manual, 4.3.7).

use crate::op::Reg;

/// The accumulator and its four data registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mac {
    /// ACCHI and ACCLO: 40 bits with sign.
    accumulator: i64,
    /// M0 to M3.
    pub data: [u32; 4],
}

/// What is multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum From {
    Address(Reg),
    Data(u32),
}

/// A decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Both factors, unless it only loads.
    factors: Option<(From, From)>,
    /// 0 UMUL, 1 MUL, 2 MULA, 3 MULS.
    kind: u32,
    /// Bit 0: the upper half of the first factor; bit 1: of the second.
    halves: u32,
    /// Data register, address register and step of a load.
    pub load: Option<(u32, Reg, u32)>,
}

/// Decodes an instruction with op0 4.
#[must_use]
pub fn decode(word: u32) -> Option<Step> {
    let field = |bit: u32| word >> bit & 15;
    let (op2, op1) = (field(20), field(16));
    let (s, t) = (Reg(field(8) as u8), Reg(field(4) as u8));
    let first_data = From::Data(field(12) >> 2 & 1);
    let second_data = From::Data(2 + (field(4) >> 2 & 1));
    let (s_from, t_from) = (From::Address(s), From::Address(t));
    let up = (field(12) & 3, s, 4);
    let down = (field(12) & 3, s, 4u32.wrapping_neg());
    let (factors, load) = match op2 {
        0 => (Some((first_data, second_data)), Some(up)),
        1 => (Some((first_data, second_data)), Some(down)),
        2 => (Some((first_data, second_data)), None),
        3 => (Some((s_from, second_data)), None),
        4 => (Some((first_data, t_from)), Some(up)),
        5 => (Some((first_data, t_from)), Some(down)),
        6 => (Some((first_data, t_from)), None),
        7 => (Some((s_from, t_from)), None),
        8 if op1 == 0 => (None, Some(up)),
        9 if op1 == 0 => (None, Some(down)),
        _ => return None,
    };
    let kind = op1 >> 2;
    let exists = match op2 {
        0 | 1 | 4 | 5 => kind == 2,
        2 | 3 | 6 => kind != 0,
        _ => true,
    };
    exists.then_some(Step { factors, kind, halves: op1 & 3, load })
}

impl Step {
    /// Its name in the manual's words, up to the first point.
    #[must_use]
    pub fn mnemonic(&self) -> &'static str {
        match (self.factors, self.kind) {
            (None, _) => match self.load {
                Some((.., 4)) => "ldinc",
                _ => "lddec",
            },
            (_, 0) => "umul",
            (_, 1) => "mul",
            (_, 2) => "mula",
            _ => "muls",
        }
    }

    /// The address registers that it reads; none for one that it does not have.
    #[must_use]
    pub fn reads(&self) -> (Reg, Reg) {
        let address = |from| if let From::Address(reg) = from { reg } else { Reg::NONE };
        let (first, second) = self.factors.map_or((Reg::NONE, Reg::NONE), |(a, b)| (address(a), address(b)));
        (self.load.map_or(first, |(_, reg, _)| reg), second)
    }
}

impl Mac {
    /// ACCLO
    #[must_use]
    pub fn low(&self) -> u32 {
        self.accumulator as u32
    }

    /// ACCHI: 8 bits with sign.
    #[must_use]
    pub fn high(&self) -> u32 {
        (self.accumulator >> 32) as u32
    }

    /// WSR.ACCLO
    pub fn set_low(&mut self, value: u32) {
        self.accumulator = self.accumulator >> 32 << 32 | i64::from(value);
    }

    /// WSR.ACCHI
    pub fn set_high(&mut self, value: u32) {
        self.accumulator = i64::from(value as i8) << 32 | i64::from(self.low());
    }

    /// Multiplies; `value` reads an address register.
    pub fn multiply(&mut self, step: &Step, value: impl Fn(Reg) -> u32) {
        let Some((first, second)) = step.factors else { return };
        let factor = |from, upper: u32| {
            let word = match from {
                From::Address(reg) => value(reg),
                From::Data(number) => self.data[number as usize & 3],
            };
            let half = (word >> (16 * upper)) as u16;
            if step.kind == 0 {
                i64::from(half)
            } else {
                i64::from(half as i16)
            }
        };
        let product = factor(first, step.halves & 1) * factor(second, step.halves >> 1);
        let sum = match step.kind {
            2 => self.accumulator + product,
            3 => self.accumulator - product,
            _ => product,
        };
        self.accumulator = sum << 24 >> 24;
    }
}
