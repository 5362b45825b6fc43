//! A simulated AVR whose code is translated: the interpreter's, with another loop around it.

use pennyweight_avr::translator::{Called, Flags, Marks, Parts, Stopped};
use pennyweight_avr::AvrMachine;
use pennyweight_machine::guard::{Guard, Watch};
use pennyweight_machine::{
    Access, Arg, Board, BoardError, CallOptions, Exit, Image, LoadError, Machine, Observer, OutOfMap, Outcome,
};

use super::blocks::Decoded;
use super::registers::{number, C, H, IT, KEPT, N, STACK, V, Z};
use crate::blocks::{find, Limits};
use crate::code::{self, Compiler};
use crate::copies::Blocks;
use crate::engine::Engine;
use crate::layout::{Shape, MOST_REGISTERS};
use crate::learned::Learned;
use crate::processor::Values;
use crate::translator::Translator;

/// Registers of the intermediate form that hold r0 to r31.
const GENERAL: usize = 32;

/// A simulated AVR and its translated code.
pub struct TranslatedAvr {
    machine: AvrMachine,
    translator: Translator<()>,
    /// The program with marks where translated code begins.
    marks: Option<Marks>,
}

/// How an attempt to run translated code ended.
enum Attempt {
    /// No translated code begins here.
    Missing,
    /// It ran. Is the budget checked where it was left?
    Ran(bool),
    /// A check failed.
    Failed,
}

/// What the code of a machine depends on.
fn shape(parts: &Parts<'_>) -> Shape {
    let (ram, window, flash) = (parts.ram(), parts.window(), parts.flash());
    let written = flash.iter().rposition(|byte| *byte != 0xff).map_or(0, |last| last as u32 + 1);
    Shape {
        shown: written.min(window.end - window.start),
        code_base: 0,
        code_size: 2 * parts.words() as u32,
        // Few programs load constants from there.
        flash_loads: false,
        notes_stores: false,
        data_wait: 1,
        ..Shape::new(KEPT, STACK.into(), (ram.start, ram.end - ram.start), (window.start, written))
    }
}

impl TranslatedAvr {
    /// As [`AvrMachine::new`].
    ///
    /// # Errors
    /// As there.
    pub fn new(board: &Board, image: &Image) -> Result<TranslatedAvr, LoadError> {
        Ok(TranslatedAvr::around(AvrMachine::new(board, image)?))
    }

    /// As [`AvrMachine::with_flash`].
    ///
    /// # Errors
    /// As there.
    pub fn with_flash(board: &Board, bytes: &[u8]) -> Result<TranslatedAvr, BoardError> {
        Ok(TranslatedAvr::around(AvrMachine::with_flash(board, bytes)?))
    }

    fn around(machine: AvrMachine) -> TranslatedAvr {
        let translator = Translator::new(shape(&machine.parts()));
        TranslatedAvr { machine, translator, marks: None }
    }

    /// The interpreter's machine.
    #[must_use]
    pub fn inner(&self) -> &AvrMachine {
        &self.machine
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
        self.translator.change(act);
        self.marks = None;
    }

    /// How many blocks are translated.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.translator.blocks()
    }

    /// How often translated code ran and was not given up.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.translator.runs
    }

    /// Translates the decoded code, if that pays.
    fn translate(&mut self, guarded: bool) {
        let parts = self.machine.parts();
        let find = |_: &Shape, learned: &Learned, limits| find(&Decoded { parts }, 0, &learned.roots, limits);
        self.translator.translate(guarded, find);
        self.marks = self.translator.found.as_ref().map(|found| {
            // There the interpreter could blame the wrong instruction for a jump outside.
            let words = found.positions().filter(|&word| !parts.is_blamed(word));
            self.machine.marks(words.map(|word| 2 * word as u32))
        });
    }

    /// Runs translated code from the program counter on, if there is some.
    fn attempt(&mut self, called: &mut Called) -> Attempt {
        let machine = &mut self.machine;
        let source = Decoded { parts: machine.parts() };
        let found = self.translator.found.as_ref();
        let block = found.and_then(|found| found.block(&source, machine.pc(), &()));
        let (Some((block, _)), Some(pointer)) = (block, machine.stack_pointer()) else {
            return Attempt::Missing;
        };
        let mut values: Values = [0; MOST_REGISTERS as usize];
        read(machine, pointer, &mut values);
        let (before, stack) = (called.cycles, (machine.stack_limit(), called.stack_end()));
        let (mut cycles, mut instructions) = (called.cycles, called.instructions);
        let guard = called.guard.as_ref();
        let is_forbidden = |access| guard.is_some_and(|guard: &Guard| !guard.may_touch_free_stack(access));
        let (flash, ram) = machine.flash_and_ram();
        let mut state = code::State {
            registers: &mut values[..KEPT as usize],
            ram,
            forbidden: guard.as_ref().map_or(&[], Watch::forbidden),
            free_stack: [Access::Read, Access::Write].map(is_forbidden),
            stack,
            cycles: &mut cycles,
            instructions: &mut instructions,
            budget: called.budget(),
            held: &mut [],
            predictor: None,
            stream: None,
            ahead: None,
            matrix: None,
        };
        let code = self.translator.code(guard.is_some(), flash);
        let Some(left) = code.and_then(|code| code.run(block, &mut state)) else { return Attempt::Failed };
        let Some(found) = &self.translator.found else { return Attempt::Failed };
        let exit = found.region.exits[left.exit];
        if let Some(other) = &mut self.translator.codes[usize::from(guard.is_none())] {
            other.ram_changed(&left.changed);
        }
        self.translator.ran(guard.is_some(), cycles - before);
        (called.cycles, called.instructions) = (cycles, instructions);
        write(machine, &values, left.low);
        machine.set_pc(exit.pc.unwrap_or(left.target));
        Attempt::Ran(exit.checks_budget)
    }

    /// Runs a call until it ends: as the interpreter, in turns with translated code.
    fn drive(&mut self, called: &mut Called) -> Exit {
        self.translator.learned.roots.insert(self.machine.pc());
        let mut failed = false;
        let guarded = called.guard.is_some();
        loop {
            let is_used = !failed && self.translator.is_active();
            if is_used && self.translator.is_due(guarded) {
                self.translator.learned.roots.insert(self.machine.pc());
                self.translate(guarded);
            }
            let has_code = is_used && self.translator.has_code(guarded);
            if has_code {
                match self.attempt(called) {
                    Attempt::Ran(true) if called.is_spent() => return self.machine.out_of_cycles(),
                    Attempt::Failed => failed = true,
                    // What comes is not translated, or is a mark.
                    Attempt::Ran(_) | Attempt::Missing => {
                        self.translator.ram_changed(&Blocks::ALL);
                        if let Stopped::Ended(exit) = self.one(called) {
                            return exit;
                        }
                    }
                }
            }
            let is_used = !failed && self.translator.is_active();
            let marks = self.marks.as_ref().filter(|_| is_used && has_code);
            let slice = if is_used { self.translator.tier(guarded).left() } else { u64::MAX };
            self.translator.ram_changed(&Blocks::ALL);
            let before = called.instructions;
            let mut stopped = self.machine.interpret(called, marks, slice);
            if stopped == Stopped::Paused {
                stopped = self.past_blamed(called);
            }
            self.translator.interpreted(guarded, called.instructions - before);
            if let Stopped::Ended(exit) = stopped {
                if failed && !matches!(exit, Exit::Fault(_)) {
                    self.translator.false_alarm();
                }
                return exit;
            }
        }
    }

    /// Interprets one instruction, and those behind it that a run of the interpreter must not begin with.
    fn one(&mut self, called: &mut Called) -> Stopped {
        match self.machine.interpret_one(called) {
            Stopped::Paused => self.past_blamed(called),
            other => other,
        }
    }

    fn past_blamed(&mut self, called: &mut Called) -> Stopped {
        while self.machine.parts().is_blamed(self.machine.pc() as usize / 2) {
            if let Stopped::Ended(exit) = self.machine.interpret_one(called) {
                return Stopped::Ended(exit);
            }
        }
        Stopped::Paused
    }
}

/// Copies the registers.
fn read(machine: &mut AvrMachine, pointer: u16, values: &mut Values) {
    let Flags { c, z, n, v, h, it } = machine.flags();
    for (flag, value) in [(C, c), (Z, z), (N, n), (V, v), (H, h), (IT, it)] {
        values[usize::from(flag)] = value;
    }
    values[usize::from(STACK)] = u32::from(pointer) + 1;
    let first = usize::from(number(0));
    for (value, register) in values[first..first + GENERAL].iter_mut().zip(machine.general()) {
        *value = (*register).into();
    }
}

/// The reverse; `low`: the lowest byte of the stack that was used, above its limit.
fn write(machine: &mut AvrMachine, values: &Values, low: u32) {
    let value = |register: u8| values[usize::from(register)];
    machine.set_flags(Flags {
        c: value(C),
        z: value(Z),
        n: value(N),
        v: value(V),
        h: value(H),
        it: value(IT),
    });
    machine.set_stack((value(STACK) - 1) as u16, low);
    let first = usize::from(number(0));
    for (register, value) in machine.general().iter_mut().zip(&values[first..first + GENERAL]) {
        *register = *value as u8;
    }
}

impl Machine for TranslatedAvr {
    fn boot(&mut self, ready: u32, budget: u64) -> Outcome {
        self.translator.ram_changed(&Blocks::ALL);
        self.machine.boot(ready, budget)
    }

    fn call(&mut self, function: u32, args: &[Arg], options: &CallOptions) -> Outcome {
        self.translator.ram_changed(&Blocks::ALL);
        let mut called = match self.machine.begin(function, args, options) {
            Ok(called) => called,
            Err(outcome) => return *outcome,
        };
        let exit = self.drive(&mut called);
        self.machine.outcome(&called, exit)
    }

    fn call_observed(
        &mut self,
        function: u32,
        args: &[Arg],
        options: &CallOptions,
        observer: &mut dyn Observer,
    ) -> Option<Outcome> {
        self.translator.ram_changed(&Blocks::ALL);
        self.machine.call_observed(function, args, options, observer)
    }

    fn missing_extension(&self, opcode: u32) -> Option<&'static str> {
        self.machine.missing_extension(opcode)
    }

    fn read(&self, address: u32, out: &mut [u8]) -> Result<(), OutOfMap> {
        self.machine.read(address, out)
    }

    fn write(&mut self, address: u32, data: &[u8]) -> Result<(), OutOfMap> {
        self.translator.ram_changed(&Blocks::ALL);
        self.machine.write(address, data)
    }

    fn stack_top(&self) -> u32 {
        self.machine.stack_top()
    }

    fn translated_runs(&self) -> u64 {
        self.runs()
    }

    fn snapshot(&mut self) {
        self.machine.snapshot();
    }

    fn restore(&mut self) {
        self.translator.ram_changed(&Blocks::ALL);
        self.machine.restore();
    }
}
