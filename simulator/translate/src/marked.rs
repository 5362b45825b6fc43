//! Machines whose interpreter stops at marks in its program, where translated code begins: the interpreter's, with
//! another loop around it.

use pennyweight_machine::called::{Called, Stopped};
use pennyweight_machine::guard::{Guard, Watch};
use pennyweight_machine::{Access, Arg, CallOptions, Exit, Machine, Observer, OutOfMap, Outcome};

use crate::blocks::{find, Found, Limits, Source};
use crate::code::{self, Compiler};
use crate::copies::Blocks;
use crate::engine::Engine;
use crate::layout::{Shape, MOST_REGISTERS};
use crate::processor::Values;
use crate::translator::{Attempt, Translator};

/// Such a machine.
pub trait Interpreter: Machine {
    /// A program with marks.
    type Marks;
    /// What is found out about a program once, before it is translated.
    type Notes;
    /// The decoded code.
    type Code<'a>: Source<Pending = ()>
    where
        Self: 'a;

    /// Registers that are kept, by their numbers in the intermediate form.
    const KEPT: u32;

    /// What code depends on; `None` if it cannot be translated.
    fn shape(&self) -> Option<Shape>;

    /// What has to be found out.
    fn notes(&self) -> Self::Notes;

    /// The code.
    fn code<'a>(&'a self, notes: &'a Self::Notes) -> Self::Code<'a>;

    /// The program with marks where these blocks begin.
    fn marks(&self, found: &Found<()>) -> Self::Marks;

    /// Does translated code represent the state of the registers?
    fn can_be_read(&self) -> bool {
        true
    }

    /// Copies the registers.
    fn read_registers(&mut self, values: &mut Values);

    /// The reverse; `low`: the lowest byte of the stack that was used, above its limit.
    fn write_registers(&mut self, values: &Values, low: u32);

    /// The address of the next instruction.
    fn pc(&self) -> u32;

    /// Continues there.
    fn set_pc(&mut self, pc: u32);

    /// The stack's limit.
    fn stack_limit(&self) -> u32;

    /// Flash and RAM.
    fn flash_and_ram(&mut self) -> (&[u8], &mut [u8]);

    /// Begins a call.
    ///
    /// # Errors
    /// It faults at once.
    fn begin(&mut self, function: u32, args: &[Arg], options: &CallOptions) -> Result<Called, Box<Outcome>>;

    /// The outcome of a call that ended so.
    fn outcome_of(&self, called: &Called, exit: Exit) -> Outcome;

    /// Where a call is whose budget is spent.
    fn out_of_cycles(&self) -> Exit;

    /// Interprets until the call ends, until a mark, or until the next jump after so many cycles.
    fn interpret(&mut self, called: &mut Called, marks: Option<&Self::Marks>, cycles: u64) -> Stopped;

    /// Interprets one instruction.
    fn interpret_one(&mut self, called: &mut Called) -> Stopped;
}

/// A simulated machine and its translated code.
pub struct Marked<M: Interpreter> {
    machine: M,
    /// None if its code cannot be translated.
    translator: Option<Translator<()>>,
    marks: Option<M::Marks>,
    notes: Option<M::Notes>,
}

impl<M: Interpreter> Marked<M> {
    /// One that has not translated anything.
    #[must_use]
    pub fn around(machine: M) -> Self {
        let translator = machine.shape().map(Translator::new);
        Marked { machine, translator, marks: None, notes: None }
    }

    /// The interpreter's machine.
    #[must_use]
    pub fn inner(&self) -> &M {
        &self.machine
    }

    /// The same, to be changed between calls.
    pub fn inner_mut(&mut self) -> &mut M {
        self.ram_changed();
        &mut self.machine
    }

    /// Selects what runs programs from now on.
    pub fn set_engine(&mut self, engine: Engine) {
        self.change(|translator| translator.engine = engine);
    }

    /// Selects what compiles code from now on.
    pub fn set_compiler(&mut self, compiler: Compiler) {
        self.change(|translator| translator.compiler = compiler);
    }

    /// Limits how much code is translated from now on.
    pub fn set_limits(&mut self, limits: Limits) {
        self.change(|translator| translator.limits = limits);
    }

    fn change(&mut self, act: impl FnOnce(&mut Translator<()>)) {
        if let Some(translator) = &mut self.translator {
            translator.change(act);
        }
        self.marks = None;
    }

    /// How many blocks are translated.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.translator.as_ref().map_or(0, Translator::blocks)
    }

    /// How often translated code ran and was not given up.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.translator.as_ref().map_or(0, |translator| translator.runs)
    }

    /// RAM may have changed without translated code.
    fn ram_changed(&mut self) {
        if let Some(translator) = &mut self.translator {
            translator.ram_changed(&Blocks::ALL);
        }
    }

    /// Translates the decoded code, if it is time to and it pays.
    fn translate_if_due(&mut self, guarded: bool) {
        let Some(translator) = &mut self.translator else { return };
        if !translator.is_due(guarded) {
            return;
        }
        translator.learned.roots.insert(self.machine.pc());
        let machine = &self.machine;
        let notes = self.notes.get_or_insert_with(|| machine.notes());
        let has_changed = translator.translate(guarded, |shape, learned, limits| {
            find(&machine.code(notes), shape.code_base, &learned.roots, limits)
        });
        if has_changed {
            self.marks = translator.found.as_ref().map(|found| machine.marks(found));
        }
    }

    /// Runs translated code from the program counter on, if there is some.
    fn attempt(&mut self, called: &mut Called) -> Attempt {
        let Marked { machine, translator: Some(translator), notes: Some(notes), .. } = self else {
            return Attempt::Missing;
        };
        let found = translator.found.as_ref().filter(|_| machine.can_be_read());
        let block = found.and_then(|found| found.block(&machine.code(notes), machine.pc(), &()));
        let Some((block, _)) = block else { return Attempt::Missing };
        let mut values: Values = [0; MOST_REGISTERS as usize];
        machine.read_registers(&mut values);
        let (before, stack) = (called.cycles, (machine.stack_limit(), called.stack_end));
        let (mut cycles, mut instructions) = (called.cycles, called.instructions);
        let guard = called.guard.as_ref();
        let is_forbidden = |access| guard.is_some_and(|guard: &Guard| !guard.may_touch_free_stack(access));
        let (flash, ram) = machine.flash_and_ram();
        let mut state = code::State {
            registers: &mut values[..M::KEPT as usize],
            ram,
            forbidden: guard.as_ref().map_or(&[], Watch::forbidden),
            free_stack: [Access::Read, Access::Write].map(is_forbidden),
            stack,
            cycles: &mut cycles,
            instructions: &mut instructions,
            budget: called.budget,
            held: &mut [],
            predictor: None,
            stream: None,
            ahead: None,
            matrix: None,
        };
        let code = translator.code(guard.is_some(), flash);
        let Some(left) = code.and_then(|code| code.run(block, &mut state)) else { return Attempt::Failed };
        let Some(found) = &translator.found else { return Attempt::Failed };
        let exit = found.region.exits[left.exit];
        if let Some(other) = &mut translator.codes[usize::from(guard.is_none())] {
            other.ram_changed(&left.changed);
        }
        translator.ran(guard.is_some(), cycles - before);
        (called.cycles, called.instructions, called.jumped) = (cycles, instructions, exit.from);
        machine.write_registers(&values, left.low);
        machine.set_pc(exit.pc.unwrap_or(left.target));
        Attempt::Ran(exit.checks_budget)
    }

    /// Runs a call until it ends: as the interpreter, in turns with translated code.
    fn drive(&mut self, called: &mut Called) -> Exit {
        self.add_root();
        let guarded = called.guard.is_some();
        let mut failed = false;
        loop {
            if !failed && self.is_active() {
                self.translate_if_due(guarded);
            }
            let is_used = !failed && self.is_active();
            let has_code = is_used && self.translator.as_ref().is_some_and(|all| all.has_code(guarded));
            if has_code {
                match self.attempt(called) {
                    Attempt::Ran(true) if called.is_spent() => return self.machine.out_of_cycles(),
                    Attempt::Failed => failed = true,
                    // What comes is not translated, or is a mark.
                    Attempt::Ran(_) | Attempt::Missing => {
                        self.ram_changed();
                        if let Stopped::Ended(exit) = self.machine.interpret_one(called) {
                            return exit;
                        }
                        // Where a computed jump has led is translated the next time.
                        self.add_root();
                    }
                }
            }
            let is_used = !failed && self.is_active();
            let marks = self.marks.as_ref().filter(|_| is_used && has_code);
            let left = self.translator.as_ref().map(|translator| translator.tier(guarded).left());
            let slice = left.filter(|_| is_used).unwrap_or(u64::MAX);
            let before = called.instructions;
            let stopped = self.machine.interpret(called, marks, slice);
            self.ram_changed();
            if let Some(translator) = &mut self.translator {
                translator.interpreted(guarded, called.instructions - before);
            }
            if let Stopped::Ended(exit) = stopped {
                if let Some(translator) = self.translator.as_mut().filter(|_| failed) {
                    if !matches!(exit, Exit::Fault(_)) {
                        translator.false_alarm();
                    }
                }
                return exit;
            }
        }
    }

    /// Is translated code used?
    fn is_active(&self) -> bool {
        self.translator.as_ref().is_some_and(Translator::is_active)
    }

    /// Code is entered at the program counter.
    fn add_root(&mut self) {
        if let Some(translator) = &mut self.translator {
            translator.learned.roots.insert(self.machine.pc());
        }
    }

    /// Runs until the end.
    pub(crate) fn run(&mut self, mut called: Called) -> Outcome {
        let exit = self.drive(&mut called);
        self.machine.outcome_of(&called, exit)
    }
}

impl<M: Interpreter> Machine for Marked<M> {
    fn boot(&mut self, ready: u32, budget: u64) -> Outcome {
        self.inner_mut().boot(ready, budget)
    }

    fn call(&mut self, function: u32, args: &[Arg], options: &CallOptions) -> Outcome {
        match self.inner_mut().begin(function, args, options) {
            Ok(called) => self.run(called),
            Err(outcome) => *outcome,
        }
    }

    fn call_observed(
        &mut self,
        function: u32,
        args: &[Arg],
        options: &CallOptions,
        observer: &mut dyn Observer,
    ) -> Option<Outcome> {
        self.inner_mut().call_observed(function, args, options, observer)
    }

    fn missing_extension(&self, opcode: u32) -> Option<&'static str> {
        self.machine.missing_extension(opcode)
    }

    fn read(&self, address: u32, out: &mut [u8]) -> Result<(), OutOfMap> {
        self.machine.read(address, out)
    }

    fn write(&mut self, address: u32, data: &[u8]) -> Result<(), OutOfMap> {
        self.inner_mut().write(address, data)
    }

    fn stack_top(&self) -> u32 {
        self.machine.stack_top()
    }

    fn allow_odd_words(&mut self, allowed: bool) -> bool {
        // What is translated depends on it.
        self.change(|_| {});
        self.machine.allow_odd_words(allowed)
    }

    fn translated_runs(&self) -> u64 {
        self.runs()
    }

    fn snapshot(&mut self) {
        self.machine.snapshot();
    }

    fn restore(&mut self) {
        self.inner_mut().restore();
    }
}
