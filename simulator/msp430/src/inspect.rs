//! Inspecting a core and stepping it instruction by instruction, for tests and cross-checks.

use pennyweight_machine::guard::Free;
use pennyweight_machine::stack::StackWatch;
use pennyweight_machine::{Exit, Fault, Outcome};
use pennyweight_memory::timing::ZeroWait;

use crate::bus::Bus;
use crate::core::Core;
use crate::cpu::{Cpu, Register as _};
use crate::execute::{run, Bounds, Stop, NO_CALLER};
use crate::flags::Flags;
use crate::instruction::{Instruction, CG, PC, SR};
use crate::machine::{Microcontroller, Ops};
use crate::multiplier::HardwareMultiplier as _;
use crate::program::{words, INSTRUCTION};

/// R0 to R15: the program counter, the stack pointer, the status register, the constant generator
/// (always 0), general registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers<R = u16>(pub [R; 16]);

impl<X: Cpu> Microcontroller<X> {
    /// All registers.
    #[must_use]
    pub fn registers(&self) -> Registers<X::Register> {
        let mut all = self.state.registers;
        all[usize::from(PC)] = X::Register::of(2 * self.state.pc as u32);
        all[usize::from(SR)] = X::Register::of(self.state.flags.sr().into());
        Registers(all)
    }

    /// Sets the registers. All of RAM becomes the stack's, so that SP may take any value there.
    pub fn set_registers(&mut self, registers: &Registers<X::Register>) {
        let Registers(all) = *registers;
        self.state.pc = usize::from(all[usize::from(PC)].word() / 2);
        self.state.flags = Flags::from_sr(all[usize::from(SR)].word());
        self.state.watch = StackWatch::new(0, self.map.ram + self.map.ram_size);
        self.state.registers = all;
        for kept_elsewhere in [PC, SR, CG] {
            self.state.registers[usize::from(kept_elsewhere)] = X::Register::default();
        }
    }

    /// The whole address space as bytes. The multiplier's registers are not in it.
    #[must_use]
    pub fn memory(&self) -> &[u8] {
        self.state.memory.as_flattened()
    }

    /// The word at an address of the multiplier.
    #[must_use]
    pub fn multiplier(&self, address: u16) -> u16 {
        self.state.multiplier.read(address)
    }

    /// The instruction at an address, in flash or RAM.
    #[must_use]
    pub fn instruction(&self, address: u16) -> Instruction {
        X::decode(address & !1, words(&self.state.memory, usize::from(address / 2)))
    }

    /// Executes one instruction. `Exit::Returned` means "executed".
    pub fn step(&mut self) -> Outcome {
        let bounds = Bounds { map: self.map, cycles: 1 << 31, top: NO_CALLER };
        let (stop, spent) = run::<_, X, true>(
            &self.program,
            &self.program.ops,
            &mut self.state,
            &mut self.flash,
            Free,
            &bounds,
        );
        let exit = match stop {
            Stop::Fault(kind, pc) => Exit::Fault(Fault { kind, pc: 2 * pc as u32 }),
            Stop::Done | Stop::Stepped | Stop::Cycles => Exit::Returned,
        };
        self.outcome(exit, spent)
    }

    /// Executes one instruction in the general way, whatever op the loop has for it. Flash adds no cycles.
    pub fn step_generally(&mut self) -> Outcome {
        let at = self.state.pc;
        let address = 2 * at as u16;
        let instruction = self.instruction(address);
        let mut core = Core::<_, _, X> {
            registers: &mut self.state.registers,
            flags: self.state.flags,
            bus: Bus {
                memory: &mut self.state.memory,
                map: self.map,
                multiplier: &mut self.state.multiplier,
                timing: &mut ZeroWait,
                guard: Free,
                watch: self.state.watch,
            },
        };
        let cycles = X::cycles(&instruction) + X::repeated(&instruction, core.registers, core.flags);
        let cost = INSTRUCTION + u64::from(cycles);
        let result = core.general(&instruction, address);
        let (flags, watch) = (core.flags, core.bus.watch);
        (self.state.flags, self.state.watch) = (flags, watch);
        match result {
            Ok(next) => {
                self.state.pc = usize::from(next / 2);
                self.outcome(Exit::Returned, cost)
            }
            Err(kind) => self.outcome(Exit::Fault(Fault { kind, pc: u32::from(address) }), 0),
        }
    }

    /// Runs on from where it is, as a called function would, until a jump after `budget` cycles or a
    /// fault.
    pub fn resume(&mut self, budget: u64) -> Outcome {
        self.run(&Ops::Program, None, budget, NO_CALLER)
    }

    fn outcome(&self, exit: Exit, spent: u64) -> Outcome {
        let stack = self.state.watch.high_water();
        Outcome { cycles: spent % INSTRUCTION, instructions: spent / INSTRUCTION, stack, ..Outcome::of(exit) }
    }
}
