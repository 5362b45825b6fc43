//! SP, which code writes in halves.
//!
//! Between the two writes its value means nothing. They are translated together, with what is between them,
//! if that is not much and does not use the stack.

use pennyweight_avr::{Code, Op};

use super::blocks::Decoded;

/// Instructions that may lie between the two writes.
const MOST_BETWEEN: usize = 4;

/// SPL or SPH.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// SPL.
    Low,
    /// SPH.
    High,
}

/// What an address of I/O is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A half of SP.
    Stack(Half),
    /// SREG.
    Status,
    /// SRAM.
    Ram,
    /// Where data space shows flash.
    Flash,
    /// Another one.
    Other,
}

impl Decoded<'_> {
    /// What is at an address in data space.
    pub fn place(&self, address: u32) -> Place {
        let [low, high, status] = self.parts.core_registers();
        match address {
            _ if address == low => Place::Stack(Half::Low),
            _ if address == high => Place::Stack(Half::High),
            _ if address == status => Place::Status,
            _ if self.parts.ram().contains(&address) => Place::Ram,
            _ if self.parts.window().contains(&address) => Place::Flash,
            _ => Place::Other,
        }
    }

    /// The half of SP that `op` writes.
    pub fn half_written(&self, op: &Op) -> Option<Half> {
        let writes = matches!(op.code, Code::Out | Code::Sts);
        match self.place(op.imm) {
            Place::Stack(half) if writes => Some(half),
            _ => None,
        }
    }

    /// Is the other half written soon behind the write of a half at `word`?
    pub fn closes(&self, word: usize) -> bool {
        let Some(first) = self.half_written(&self.parts.op(word)) else { return false };
        let mut at = word + self.parts.op(word).words() as usize;
        for _ in 0..=MOST_BETWEEN {
            let op = self.parts.op(at);
            match self.half_written(&op) {
                Some(second) => return second != first,
                None if self.is_between(&op) => at += op.words() as usize,
                None => return false,
            }
        }
        false
    }

    /// May `op` lie between the two writes? It neither jumps nor uses memory, and it is translated.
    fn is_between(&self, op: &Op) -> bool {
        match op.code {
            Code::Out | Code::In => self.place(op.imm) == Place::Status,
            Code::Bset | Code::Bclr => !matches!(op.b, 4 | 8 | 0x10),
            Code::Nop | Code::Mov | Code::Movw | Code::Ldi | Code::Add | Code::Adc | Code::Sub => true,
            Code::Sbc | Code::Subi | Code::Sbci | Code::And | Code::Andi | Code::Or | Code::Eor => true,
            _ => false,
        }
    }
}
