//! Observers: they receive what an observed call does, instruction by instruction.
//!
//! Observing is a call of its own ([`Machine::call_observed`](crate::Machine::call_observed)), which a
//! core executes one instruction at a time; other calls pay nothing for it. For each
//! instruction, a core reports its accesses, then the instruction itself, then where a call or return
//! has led.

use std::cell::RefCell;

use crate::effects::Effects;
use crate::fault::Access;
use crate::guard::{Guard, Watch};

/// Receives what an observed call does. Addresses are ELF addresses.
pub trait Observer {
    /// `size` bytes at `address` are read or written by the instruction that is reported next.
    fn access(&mut self, address: u32, size: u32, access: Access);

    /// The instruction at `pc` was executed; `name` is its kind in the manual's words.
    fn instruction(&mut self, pc: u32, name: &str, cycles: u32);

    /// The instruction reported last has called the function at `target`, whose stack begins at
    /// `stack`: lower than its caller's stack pointer when the caller continues.
    fn called(&mut self, target: u32, stack: u32);

    /// The instruction reported last has returned; `stack` is the stack pointer now.
    fn returned(&mut self, stack: u32);

    /// Shall `effects` be reported?
    fn wants_effects(&self) -> bool {
        false
    }

    /// The effects of the instruction at `pc`, which made these accesses; reported after it was executed.
    fn effects(&mut self, pc: u32, effects: &Effects, accesses: &[Accessed]) {
        let _ = (pc, effects, accesses);
    }
}

/// An operation's name in lower case, without the first of `forms` that it ends with: `LdrImm` is `ldr`
/// if `Imm` is among them.
#[must_use]
pub fn word(name: &str, forms: &[&str]) -> String {
    let word = forms.iter().find_map(|form| name.strip_suffix(form).filter(|rest| !rest.is_empty()));
    word.unwrap_or(name).to_ascii_lowercase()
}

/// One access, as [`Observer::access`] receives it.
pub type Accessed = (u32, u32, Access);

/// A watch that notes what the guard allows: what cores run observed calls with.
#[derive(Clone, Copy, Debug)]
pub struct Noting<'a> {
    guard: &'a Guard,
    seen: &'a RefCell<Vec<Accessed>>,
}

impl<'a> Noting<'a> {
    /// Notes into `seen`, which the core empties after each instruction.
    #[must_use]
    pub fn new(guard: &'a Guard, seen: &'a RefCell<Vec<Accessed>>) -> Self {
        Noting { guard, seen }
    }

    fn note(self, allowed: bool, accessed: Accessed) -> bool {
        if allowed {
            self.seen.borrow_mut().push(accessed);
        }
        allowed
    }
}

impl Watch for Noting<'_> {
    const ACTIVE: bool = true;

    fn may_read(self, address: u32, size: u32) -> bool {
        self.note(self.guard.may_read(address, size), (address, size, Access::Read))
    }

    fn may_write(self, address: u32, size: u32) -> bool {
        self.note(self.guard.may_write(address, size), (address, size, Access::Write))
    }

    fn may_touch_free_stack(self, access: Access) -> bool {
        self.guard.may_touch_free_stack(access)
    }
}
