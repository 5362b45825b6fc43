//! What translated code needs of a machine: its program, its state, and runs of the loop that end where such
//! code begins.

pub use crate::flags::Flags;
pub use pennyweight_machine::called::{Called, Stopped};

use std::ops::Range;

use pennyweight_machine::guard::{Free, Guard, Watch};
use pennyweight_machine::{Arg, CallOptions, Exit, Fault, FaultKind, Outcome};

use crate::abi;
use crate::cpu::{io, Stack, REGISTERS};
use crate::decode::SPACE;
use crate::execute::{culprit, run, Bounds, Stop};
use crate::fuse::longest;
use crate::machine::{faulted, AvrMachine};
use crate::op::{Code, Op};
use crate::program::INSTRUCTION;

/// A machine's program and memories.
#[derive(Clone, Copy)]
pub struct Parts<'a> {
    machine: &'a AvrMachine,
}

impl<'a> Parts<'a> {
    /// Flash in words.
    #[must_use]
    pub fn words(&self) -> usize {
        self.machine.program.words()
    }

    /// The instruction at a word address; [`Op::OUTSIDE`] behind flash.
    #[must_use]
    pub fn op(&self, word: usize) -> Op {
        self.machine.program.ops[word % SPACE]
    }

    /// Its cycles if it neither branches nor skips.
    #[must_use]
    pub fn cycles(&self, code: Code) -> u32 {
        self.machine.core().cycles(code)
    }

    /// Flash.
    #[must_use]
    pub fn flash(&self) -> &'a [u8] {
        &self.machine.program.flash
    }

    /// SRAM in data space.
    #[must_use]
    pub fn ram(&self) -> Range<u32> {
        self.machine.map.sram.base..self.machine.map.sram.end()
    }

    /// Where data space shows flash; empty if nowhere.
    #[must_use]
    pub fn window(&self) -> Range<u32> {
        self.machine.map.flash.base..self.machine.map.flash.end()
    }

    /// The addresses of SPL, SPH and SREG in data space.
    #[must_use]
    pub fn core_registers(&self) -> [u32; 3] {
        let down = if self.machine.xt() { 0x20 } else { 0 };
        [io::SPL, io::SPH, io::SREG].map(|address| u32::from(address) - down)
    }
}

/// Ops that stop where translated code begins.
#[derive(Clone)]
pub struct Marks(Box<[Op; SPACE]>);

impl AvrMachine {
    /// The program and the memories.
    #[must_use]
    pub fn parts(&self) -> Parts<'_> {
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
        let top = u32::from(self.state.stack.pointer) + 2;
        Ok(Called::new(function, options, (top, top + 1), || self.guard(&options.zones)))
    }

    /// The outcome of a call that ended so.
    #[must_use]
    pub fn outcome_of(&self, called: &Called, exit: Exit) -> Outcome {
        let stack = self.state.stack.watch.high_water();
        let result = abi::result(&self.state.data[..REGISTERS]);
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

    /// SP, unless only half of it has been written.
    #[must_use]
    pub fn stack_pointer(&self) -> Option<u16> {
        self.state.stack.is_whole().then_some(self.state.stack.pointer)
    }

    /// Sets SP, down to so many bytes above the stack's limit.
    pub fn set_stack(&mut self, pointer: u16, low: u32) {
        let mut watch = self.state.stack.watch;
        watch.store(watch.limit().wrapping_add(low));
        self.state.stack = Stack::new(pointer, watch);
    }

    /// The stack's limit in data space.
    #[must_use]
    pub fn stack_limit(&self) -> u32 {
        self.state.stack.watch.limit()
    }

    /// r0 to r31.
    pub fn general(&mut self) -> &mut [u8] {
        &mut self.state.data[..REGISTERS]
    }

    /// Flash and SRAM.
    pub fn flash_and_ram(&mut self) -> (&[u8], &mut [u8]) {
        let sram = self.map.sram;
        (&self.program.flash, &mut self.state.data[sram.base as usize..sram.end() as usize])
    }

    /// Ops that stop in front of the instructions at these word addresses, except where the interpreter could blame
    /// the wrong one for a jump outside.
    #[must_use]
    pub fn marks(&self, words: impl Iterator<Item = usize>) -> Marks {
        let mut ops = self.program.fused.clone();
        let words: Vec<usize> = words.filter(|&word| !self.is_blamed(word)).collect();
        // Sequences that run over them are taken apart.
        for &word in &words {
            let start = (word + 1).saturating_sub(longest());
            ops[start..word].copy_from_slice(&self.program.ops[start..word]);
        }
        for word in words {
            ops[word] = Op { code: Code::Sleep, ..Op::OUTSIDE };
        }
        Marks(ops)
    }

    /// Interprets until the call ends, until a mark, or until the next jump after so many cycles.
    pub fn interpret(&mut self, called: &mut Called, marks: Option<&Marks>, cycles: u64) -> Stopped {
        let ops = marks.map(|marks| &*marks.0);
        let stop = self.interpret_as::<false>(called, ops, cycles);
        match stop {
            Stop::Fault(FaultKind::Asleep, pc) if self.program.ops[pc].code != Code::Sleep => Stopped::Paused,
            _ => {
                let stopped = self.stopped(called, stop, None);
                self.past_blamed(called, stopped)
            }
        }
    }

    /// Interprets one instruction, and those behind it that a run must not begin with.
    pub fn interpret_one(&mut self, called: &mut Called) -> Stopped {
        let stopped = self.interpret_step(called);
        self.past_blamed(called, stopped)
    }

    /// Does the interpreter blame the instruction at `word` for leaving the program, if it begins to run there?
    fn is_blamed(&self, word: usize) -> bool {
        let imm = self.program.ops[word % SPACE].imm as usize;
        imm < SPACE && self.program.ops[imm].code == Code::Outside
    }

    fn past_blamed(&mut self, called: &mut Called, mut stopped: Stopped) -> Stopped {
        while stopped == Stopped::Paused && self.is_blamed(self.state.pc) {
            stopped = self.interpret_step(called);
        }
        stopped
    }

    fn interpret_step(&mut self, called: &mut Called) -> Stopped {
        let at = self.state.pc;
        let is_skip = matches!(
            self.program.ops[at].code,
            Code::Cpse | Code::Sbrc | Code::Sbrs | Code::Sbic | Code::Sbis
        );
        let stop = self.interpret_as::<true>(called, None, u64::MAX);
        // A skip is never to blame, and nothing else than `at` jumped.
        let jumped = if is_skip { self.state.pc } else { at };
        self.stopped(called, stop, Some(jumped))
    }

    /// Why the call or the run is over; `jumped`: the last jump, if it is known.
    fn stopped(&mut self, called: &mut Called, stop: Stop, jumped: Option<usize>) -> Stopped {
        let pc = self.state.pc;
        match stop {
            Stop::Done => Stopped::Ended(Exit::Returned),
            Stop::Fault(kind, pc) => Stopped::Ended(Exit::Fault(Fault { kind, pc: 2 * pc as u32 })),
            Stop::Cycles if called.is_spent() => Stopped::Ended(self.out_of_cycles()),
            // To blame is the jump that led here, which the next run does not know.
            Stop::Cycles | Stop::Stepped if self.program.ops[pc].code == Code::Outside => {
                let jumped = jumped.or_else(|| self.direct_jump_to(pc));
                let led = jumped.map_or(pc, |jumped| culprit(&self.program, jumped, pc));
                match self.interpret_as::<true>(called, None, u64::MAX) {
                    Stop::Fault(kind, _) => Stopped::Ended(Exit::Fault(Fault { kind, pc: 2 * led as u32 })),
                    _ => Stopped::Ended(Exit::Returned),
                }
            }
            Stop::Cycles | Stop::Stepped => Stopped::Paused,
        }
    }

    /// The first jump that goes to this word and no other.
    fn direct_jump_to(&self, word: usize) -> Option<usize> {
        (0..self.program.words()).find(|&at| {
            let op = self.program.ops[at];
            let is_jump = matches!(op.code, Code::Rjmp | Code::Jmp | Code::Rcall | Code::Call);
            (is_jump || op.code.is_branch()) && op.imm as usize == word
        })
    }

    fn interpret_as<const STEP: bool>(
        &mut self,
        called: &mut Called,
        ops: Option<&[Op; SPACE]>,
        cycles: u64,
    ) -> Stop {
        match (called.guard.take(), self.xt()) {
            (None, false) => self.loop_as::<Free, false, STEP>(called, ops, Free, cycles),
            (None, true) => self.loop_as::<Free, true, STEP>(called, ops, Free, cycles),
            (Some(guard), xt) => {
                let stop = if xt {
                    self.loop_as::<&Guard, true, STEP>(called, ops, &guard, cycles)
                } else {
                    self.loop_as::<&Guard, false, STEP>(called, ops, &guard, cycles)
                };
                called.guard = Some(guard);
                stop
            }
        }
    }

    fn loop_as<W: Watch, const XT: bool, const STEP: bool>(
        &mut self,
        called: &mut Called,
        ops: Option<&[Op; SPACE]>,
        watch: W,
        cycles: u64,
    ) -> Stop {
        let program = &self.program;
        let ops = ops.unwrap_or(if STEP { &program.ops } else { &program.fused });
        let bounds = Bounds { map: self.map, cycles: called.slice(cycles), top: called.top };
        let (stop, spent) = run::<W, XT, STEP>(program, ops, &mut self.state, watch, &bounds);
        called.cycles += spent % INSTRUCTION;
        called.instructions += spent / INSTRUCTION;
        stop
    }
}
