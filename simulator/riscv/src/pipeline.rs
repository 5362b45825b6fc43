//! Results that instructions have to wait for.
//!
//! A core that issues one instruction at a time, in order, waits when an instruction reads or
//! writes a register whose new value is not there yet, or when the unit for multiplications is
//! still busy. Latencies are the core's ([`crate::core`]).

use crate::core::{Core, Interlocks};
use crate::decode;
use crate::extensions::Extensions;
use crate::op::{Code, Frame, Op};
use crate::registers::Reg;

/// The place of the multiplier, behind the registers.
const MULTIPLIER: usize = Reg::Sink as usize + 1;
/// The place of the bus for LR, SC and AMO.
const EXCLUSIVE: usize = MULTIPLIER + 1;
const PLACES: usize = EXCLUSIVE + 1;

/// The cycles after which a jump could use each register's value, counted from the cycle in which the next
/// instruction could be issued. Other instructions can use it earlier: see `Interlocks::target`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending([u8; PLACES]);

impl Default for Pending {
    fn default() -> Self {
        Pending([0; PLACES])
    }
}

impl Pending {
    /// Is every result there?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; PLACES]
    }

    /// Lets cycles go by.
    pub fn advance(&mut self, cycles: u32) {
        let cycles = cycles.min(255) as u8;
        for left in &mut self.0 {
            *left = left.saturating_sub(cycles);
        }
    }

    /// Issues `op`; returns its cycles beyond one: those that it waits first, and those that it occupies.
    pub fn issue(&mut self, op: &Op, core: &Core) -> u32 {
        let early = core.interlocks.target as u8;
        let of = |reg: Reg| self.0[reg as usize];
        let mut wait = operands(op, core).into_iter().map(of).max().unwrap_or(0).saturating_sub(early);
        if jumps_to_register(op) {
            wait = wait.max(of(op.n));
        }
        if uses_multiplier(op) {
            wait = wait.max(self.0[MULTIPLIER]);
        }
        if core.interlocks.exclusive && is_atomic(op) {
            wait = wait.max(self.0[EXCLUSIVE]);
        }
        let occupied = occupied(op, core);
        self.advance(u32::from(wait) + occupied);
        if is_division(op) {
            // It holds up everything until it is done: see `Core::divide`.
            *self = Pending::default();
        } else {
            self.put(op, core, occupied);
        }
        u32::from(wait) + occupied - 1
    }

    /// Notes when the result of `op`, issued so many cycles ago, comes, unless a later one is noted.
    fn put(&mut self, op: &Op, core: &Core, elapsed: u32) {
        let latency = latency(op, core);
        let left = (latency + core.interlocks.target).saturating_sub(elapsed) as u8;
        if op.d != Reg::Sink {
            self.0[op.d as usize] = self.0[op.d as usize].max(left);
        }
        let left = latency.saturating_sub(elapsed) as u8;
        if uses_multiplier(op) {
            self.0[MULTIPLIER] = self.0[MULTIPLIER].max(left);
        }
        if is_atomic(op) {
            self.0[EXCLUSIVE] = self.0[EXCLUSIVE].max(left);
        }
    }

    /// What is pending behind the last of `issued`, instructions in a straight line with the
    /// cycles of each. Before the first of them nothing may be pending that matters.
    #[must_use]
    pub fn behind<'a>(issued: impl DoubleEndedIterator<Item = (&'a Op, u32)>, core: &Core) -> Pending {
        let mut pending = Pending::default();
        let mut elapsed = 0;
        for (op, cycles) in issued.rev() {
            if elapsed + 1 >= core.longest() || is_division(op) {
                break;
            }
            pending.put(op, core, elapsed + occupied(op, core));
            elapsed += cycles;
        }
        pending
    }
}

/// The registers whose values `op` waits for when it is issued.
fn operands(op: &Op, core: &Core) -> [Reg; 3] {
    let Interlocks { destination, stored, unused, .. } = core.interlocks;
    let d = if destination { op.d } else { Reg::X0 };
    match op.code {
        Code::Sb | Code::Sh | Code::Sw if !stored => [d, op.n, Reg::X0],
        Code::Nop if !unused => [Reg::X0; 3],
        // The immediate is where other instructions have the number of a register.
        Code::Csr if unused => [d, Reg::source(op.imm >> 15), Reg::X0],
        // The second move comes a cycle later.
        Code::MoveToArguments | Code::MoveFromArguments => [d, op.n, Reg::X0],
        _ => [d, op.n, op.m],
    }
}

fn is_atomic(op: &Op) -> bool {
    matches!(op.code, Code::LoadReserved | Code::StoreConditional) || is_modification(op)
}

/// Is it an AMO?
fn is_modification(op: &Op) -> bool {
    matches!(
        op.code,
        Code::AmoSwap
            | Code::AmoAdd
            | Code::AmoXor
            | Code::AmoAnd
            | Code::AmoOr
            | Code::AmoMin
            | Code::AmoMax
            | Code::AmoMinu
            | Code::AmoMaxu
    )
}

fn uses_multiplier(op: &Op) -> bool {
    matches!(op.code, Code::Mul | Code::Mulh | Code::Mulhsu | Code::Mulhu) || is_division(op)
}

/// Is it a division or remainder?
#[must_use]
pub fn is_division(op: &Op) -> bool {
    matches!(op.code, Code::Div | Code::Divu | Code::Rem | Code::Remu)
}

/// Does it jump to where a register points?
fn jumps_to_register(op: &Op) -> bool {
    matches!(op.code, Code::JumpReg | Code::CallReg | Code::Return)
}

/// Cycles until the next instruction can be issued.
fn occupied(op: &Op, core: &Core) -> u32 {
    match op.code {
        Code::Lb | Code::Lbu | Code::Lh | Code::Lhu | Code::Lw | Code::Sb | Code::Sh | Code::Sw => {
            core.access
        }
        Code::Push | Code::Pop => 1 + Frame::of(op.imm).registers,
        // The jump waits for a return address that was loaded last; the stack pointer is changed while its
        // target is fetched.
        Code::PopReturn => (1 + Frame::of(op.imm).registers).max(3),
        Code::PopReturnZero => 2 + Frame::of(op.imm).registers,
        Code::MoveToArguments | Code::MoveFromArguments => 2,
        _ if is_modification(op) => core.modification,
        Code::Mulh | Code::Mulhsu | Code::Mulhu => core.multiply_high,
        Code::OtherSp if core.access != 1 || core.modification != 1 || core.multiply_high != 1 => {
            occupied(&decode::plain(op.imm, 0, Extensions::EVERY), core)
        }
        _ => 1,
    }
}

/// Cycles from the issue of `op` to that of an instruction that uses its result.
fn latency(op: &Op, core: &Core) -> u32 {
    match op.code {
        Code::Lw => core.load_word,
        Code::Lb | Code::Lbu | Code::Lh | Code::Lhu => core.load_part,
        Code::Mul | Code::Mulh | Code::Mulhsu | Code::Mulhu => core.multiply,
        Code::Csr => core.csr,
        _ if is_atomic(op) => core.atomic,
        Code::OtherSp => latency(&decode::plain(op.imm, 0, Extensions::EVERY), core),
        _ => 1,
    }
}
