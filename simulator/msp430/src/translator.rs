//! What translated code needs of a machine: its program, its state, and runs of the loop that end where such
//! code begins.

pub use crate::cpu::{Cpu, Original, Register};
pub use crate::extended::Cpux;
pub use crate::flags::Flags;
pub use crate::instruction::{CG, PC, SP, SR};
pub use crate::multiplier::{HardwareMultiplier, Values as MultiplierValues};
pub use pennyweight_machine::called::{Called, Stopped};

use std::ops::Range;

use pennyweight_machine::guard::{Free, Guard, Watch};
use pennyweight_machine::{Arg, CallOptions, Exit, Fault, Outcome};

use crate::bus::EVEN_BITS;
use crate::eabi;
use crate::execute::{run, Bounds, Stop, NO_CALLER};
use crate::instruction::Instruction;
use crate::machine::{faulted, Microcontroller};
use crate::op::{Code, Op};
use crate::program::{words, INSTRUCTION, SPACE};

/// What one run of the loop passes on to the next one: a jump out of the program is to blame, wherever the run began.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flow {
    /// The word address of the last jump before a run; none if it began with a call.
    pub jumped: Option<usize>,
    /// The same, behind it.
    pub last: usize,
    /// Did the function that was called from outside return?
    pub returned: bool,
}

/// A machine's program and memories.
#[derive(Clone, Copy)]
pub struct Parts<'a, X: Cpu> {
    machine: &'a Microcontroller<X>,
}

impl<'a, X: Cpu> Parts<'a, X> {
    /// One past the highest word address.
    pub const WORDS: usize = SPACE;

    /// The instruction at a word address of flash; `None` if its words are not all there.
    #[must_use]
    pub fn instruction(&self, word: usize) -> Option<Instruction> {
        if word < self.machine.map.flash as usize / 2 || word >= SPACE {
            return None;
        }
        let instruction = X::decode(2 * word as u16, words(&self.machine.state.memory, word));
        (word + usize::from(instruction.words) <= SPACE).then_some(instruction)
    }

    /// Its cycles.
    #[must_use]
    pub fn cycles(&self, instruction: &Instruction) -> u32 {
        X::cycles(instruction)
    }

    /// The addresses of RAM.
    #[must_use]
    pub fn ram(&self) -> Range<u32> {
        self.machine.map.ram..self.machine.map.ram + self.machine.map.ram_size
    }

    /// Those of flash.
    #[must_use]
    pub fn flash(&self) -> Range<u32> {
        self.machine.map.flash..2 * SPACE as u32
    }

    /// The word at an even address.
    #[must_use]
    pub fn word(&self, address: u16) -> u16 {
        u16::from_le_bytes(self.machine.state.memory[usize::from(address / 2)])
    }

    /// Do word accesses ignore the lowest bit of their address?
    #[must_use]
    pub fn ignores_odd(&self) -> bool {
        self.machine.map.word_mask == EVEN_BITS
    }
}

/// Ops that stop where translated code begins.
#[derive(Clone)]
pub struct Marks(Box<[Op; SPACE]>);

impl<X: Cpu> Microcontroller<X> {
    /// The program and the memories.
    #[must_use]
    pub fn parts(&self) -> Parts<'_, X> {
        Parts { machine: self }
    }

    /// Begins the call of a function.
    ///
    /// # Errors
    /// It faults at once.
    pub fn begin(
        &mut self,
        function: u32,
        args: &[Arg],
        options: &CallOptions,
    ) -> Result<Called, Box<Outcome>> {
        self.enter(function, args, options.stack_limit).map_err(|kind| Box::new(faulted(kind, function)))?;
        let (map, top) = (self.map, u32::from(self.state.register(SP)) + 2);
        let guard = || Guard::new(map.ram, map.ram_size as usize, &options.zones);
        Ok(Called::new(function, options, (top, top), guard))
    }

    /// Begins to run on from where the machine is, as a called function would that does not return.
    #[must_use]
    pub fn go_on(&self, budget: u64) -> Called {
        let top = NO_CALLER;
        Called { guard: None, top, stack_end: top, budget, cycles: 0, instructions: 0, jumped: self.pc() }
    }

    /// The outcome of a call that ended so.
    #[must_use]
    pub fn outcome_of(&self, called: &Called, exit: Exit) -> Outcome {
        let stack = self.state.watch.high_water();
        let result = eabi::result(self.state.register(eabi::FIRST));
        let Called { cycles, instructions, .. } = *called;
        Outcome { cycles, instructions, stack, result, ..Outcome::of(exit) }
    }

    /// Where the call is when its budget is spent.
    #[must_use]
    pub fn out_of_cycles(&self) -> Exit {
        Exit::OutOfCycles { pc: self.pc() }
    }

    /// The address of the next instruction.
    #[must_use]
    pub fn pc(&self) -> u32 {
        2 * self.state.pc as u32
    }

    /// Continues there.
    pub fn set_pc(&mut self, pc: u32) {
        self.state.pc = pc as usize / 2 % SPACE;
    }

    /// The flags.
    #[must_use]
    pub fn flags(&self) -> Flags {
        self.state.flags
    }

    /// Sets them.
    pub fn set_flags(&mut self, flags: Flags) {
        self.state.flags = flags;
    }

    /// R0 to R15; the program counter, the status register and R3 read as 0.
    #[must_use]
    pub fn general(&self) -> [u32; 16] {
        self.state.registers.map(X::Register::bits)
    }

    /// Sets the stack pointer and R4 to R15; the stack was used down to so many bytes above its limit.
    pub fn set_general(&mut self, values: &[u32; 16], low: u32) {
        for (number, (register, value)) in self.state.registers.iter_mut().zip(values).enumerate() {
            if number == usize::from(SP) || number > 3 {
                *register = X::Register::of(*value);
            }
        }
        let limit = self.state.watch.limit();
        self.state.watch.store(limit.wrapping_add(low));
    }

    /// The multiplier.
    pub fn multiplier_mut(&mut self) -> &mut X::Multiplier {
        &mut self.state.multiplier
    }

    /// The stack's limit.
    #[must_use]
    pub fn stack_limit(&self) -> u32 {
        self.state.watch.limit()
    }

    /// Flash and RAM.
    pub fn flash_and_ram(&mut self) -> (&[u8], &mut [u8]) {
        let map = self.map;
        // RAM is below flash.
        let (below, flash) = self.state.memory.as_flattened_mut().split_at_mut(map.flash as usize);
        (flash, &mut below[map.ram as usize..][..map.ram_size as usize])
    }

    /// Ops that stop in front of the instructions at these word addresses.
    #[must_use]
    pub fn marks(&self, words: impl Iterator<Item = usize>) -> Marks {
        let mut ops = self.program.ops.clone();
        for word in words {
            ops[word % SPACE] = Op { code: Code::Stop, ..Op::UNDECODED };
        }
        Marks(ops)
    }

    /// Interprets until the call ends, until a mark, or until the next jump after so many cycles.
    pub fn interpret(&mut self, called: &mut Called, marks: Option<&Marks>, cycles: u64) -> Stopped {
        self.interpret_as::<false>(called, marks, cycles)
    }

    /// Interprets one instruction.
    pub fn interpret_one(&mut self, called: &mut Called) -> Stopped {
        self.interpret_as::<true>(called, None, u64::MAX)
    }

    fn interpret_as<const STEP: bool>(
        &mut self,
        called: &mut Called,
        marks: Option<&Marks>,
        cycles: u64,
    ) -> Stopped {
        let stop = match called.guard.take() {
            None => self.loop_as::<Free, STEP>(called, marks, Free, cycles),
            Some(guard) => {
                let stop = self.loop_as::<&Guard, STEP>(called, marks, &guard, cycles);
                called.guard = Some(guard);
                stop
            }
        };
        match stop {
            Stop::Done if self.state.flow.returned => Stopped::Ended(Exit::Returned),
            Stop::Fault(kind, pc) => Stopped::Ended(Exit::Fault(Fault { kind, pc: 2 * pc as u32 })),
            Stop::Cycles if called.is_spent() => Stopped::Ended(self.out_of_cycles()),
            Stop::Done | Stop::Cycles | Stop::Stepped => Stopped::Paused,
        }
    }

    fn loop_as<W: Watch, const STEP: bool>(
        &mut self,
        called: &mut Called,
        marks: Option<&Marks>,
        watch: W,
        cycles: u64,
    ) -> Stop {
        let program = &self.program;
        let ops = marks.map_or(&*program.ops, |marks| &*marks.0);
        let bounds = Bounds { map: self.map, cycles: called.slice(cycles), top: called.top };
        self.state.flow.jumped = Some(called.jumped as usize / 2);
        let (stop, spent) = run::<W, X, STEP>(program, ops, &mut self.state, &mut self.flash, watch, &bounds);
        called.cycles += spent % INSTRUCTION;
        called.instructions += spent / INSTRUCTION;
        called.jumped = 2 * self.state.flow.last as u32;
        stop
    }
}
