//! Inspecting a core and stepping it instruction by instruction, for tests and cross-checks.

use pennyweight_machine::guard::Free;
use pennyweight_machine::stack::StackWatch;
use pennyweight_machine::{Exit, Fault, Outcome};

use crate::cpu::{slot, Stack, REGISTERS};
use crate::execute::{run, Bounds, Stop, NO_CALLER};
use crate::flags::Flags;
use crate::machine::{AvrMachine, Ops};
use crate::program::INSTRUCTION;

/// What a core holds in addition to memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers {
    /// r0 to r31.
    pub r: [u8; 32],
    /// Status register.
    pub sreg: u8,
    /// Stack pointer, as a data-space address.
    pub sp: u16,
    /// Address of the next instruction in bytes of flash.
    pub pc: u32,
}

impl AvrMachine {
    /// All registers.
    #[must_use]
    pub fn registers(&self) -> Registers {
        let mut r = [0; 32];
        r.copy_from_slice(&self.state.data[..REGISTERS]);
        let state = &self.state;
        Registers { r, sreg: state.flags.sreg(), sp: state.stack.pointer, pc: 2 * state.pc as u32 }
    }

    /// Sets the registers. All of data space up to the end of SRAM becomes the stack's, so that SP may
    /// take any value.
    pub fn set_registers(&mut self, registers: &Registers) {
        let watch = StackWatch::new(0, self.map.sram.end());
        self.state.data[..REGISTERS].copy_from_slice(&registers.r);
        self.state.flags = Flags::from_sreg(registers.sreg);
        self.state.stack = Stack::new(registers.sp, watch);
        self.state.pc = registers.pc as usize / 2;
    }

    /// Data space up to SRAM's end, with the registers in the first 32 bytes even where they are not
    /// part of it. SP and SREG are not up to date in it.
    #[must_use]
    pub fn data(&self) -> &[u8] {
        &self.state.data[..self.map.sram.end() as usize]
    }

    /// A stored byte of data space: without the core's meaning of SP and SREG.
    #[must_use]
    pub fn peek(&self, address: u16) -> u8 {
        self.state.data[slot(self.xt(), address)]
    }

    /// Writes a byte of data space below SRAM's end: a register, or I/O without the core's meaning.
    pub fn poke(&mut self, address: u16, value: u8) {
        if u32::from(address) < self.map.sram.end() {
            let slot = slot(self.xt(), address);
            self.state.data[slot] = value;
        }
    }

    /// Executes one instruction. `Exit::Returned` means "executed".
    pub fn step(&mut self) -> Outcome {
        let bounds = Bounds { map: self.map, cycles: 1 << 31, top: NO_CALLER };
        let step = if self.xt() { run::<Free, true, true> } else { run::<Free, false, true> };
        let (stop, spent) = step(&self.program, &self.program.ops, &mut self.state, Free, &bounds);
        let exit = match stop {
            Stop::Fault(kind, pc) => Exit::Fault(Fault { kind, pc: 2 * pc as u32 }),
            Stop::Done | Stop::Stepped | Stop::Cycles => Exit::Returned,
        };
        let stack = self.state.stack.watch.high_water();
        Outcome { cycles: spent % INSTRUCTION, instructions: spent / INSTRUCTION, stack, ..Outcome::of(exit) }
    }

    /// Runs on from where it is, as a called function would, until a jump after `budget` cycles or a
    /// fault.
    pub fn resume(&mut self, budget: u64) -> Outcome {
        self.run(Ops::Program, None, budget, NO_CALLER)
    }
}
