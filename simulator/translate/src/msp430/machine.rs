//! A simulated MSP430 whose code is translated: the interpreter's, with another loop around it.

use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::guard::{Guard, Watch};
use pennyweight_machine::{
    Access, Arg, Board, CallOptions, Exit, Image, LoadError, Machine, Observer, OutOfMap, Outcome,
};
use pennyweight_msp430::translator::{
    Called, Cpu, Cpux, Flags, HardwareMultiplier as _, Marks, MultiplierValues, Original, Parts, Stopped,
};
use pennyweight_msp430::Microcontroller;

use super::blocks::{slides, Decoded};
use super::registers::{
    C, CONTROL, EXTENSION, FIRST, KEPT, LONG_SECOND, MODE, NZ, SECOND, STACK, SUM, SUM_HIGH, V,
};
use crate::blocks::{find, Limits};
use crate::code::{self, Compiler};
use crate::copies::Blocks;
use crate::engine::Engine;
use crate::ir::Register;
use crate::layout::{Shape, MOST_REGISTERS};
use crate::processor::Values;
use crate::translator::Translator;

/// A simulated microcontroller with this CPU and its translated code.
pub struct TranslatedMicrocontroller<X: Cpu> {
    machine: Microcontroller<X>,
    /// None if a machine has memories that cannot be translated for.
    translator: Option<Translator<()>>,
    /// The program with marks where translated code begins.
    marks: Option<Marks>,
    /// See [`slides`].
    slides: Option<Box<[bool]>>,
}

/// A simulated MSP430 of the x1xx family and its translated code.
pub type TranslatedMsp430 = TranslatedMicrocontroller<Original>;
/// A simulated MSP430X and its translated code.
pub type TranslatedMsp430x = TranslatedMicrocontroller<Cpux>;

/// How an attempt to run translated code ended.
enum Attempt {
    /// No translated code begins here.
    Missing,
    /// It ran. Is the budget checked where it was left?
    Ran(bool),
    /// A check failed.
    Failed,
}

/// What the code of a machine depends on; none if it cannot be translated.
fn shape<X: Cpu>(parts: &Parts<'_, X>) -> Option<Shape> {
    let (ram, flash) = (parts.ram(), parts.flash());
    let fits = ram.end <= flash.start && ram.start % 4 == 0 && ram.end % 4 == 0 && flash.start % 4 == 0;
    let shape = Shape::new(
        KEPT,
        STACK.into(),
        (ram.start, ram.end - ram.start),
        (flash.start, flash.end - flash.start),
    );
    fits.then_some(Shape { notes_stores: false, ..shape })
}

impl<X: Cpu> TranslatedMicrocontroller<X> {
    /// As [`Microcontroller::new`].
    ///
    /// # Errors
    /// As there.
    pub fn new(board: &Board, image: &Image) -> Result<Self, LoadError> {
        Ok(Self::around(board, Microcontroller::new(board, image)?))
    }

    /// As [`Microcontroller::with_flash`].
    ///
    /// # Errors
    /// As there.
    pub fn with_flash(board: &Board, bytes: &[u8]) -> Result<Self, LoadError> {
        Ok(Self::around(board, Microcontroller::with_flash(board, bytes)?))
    }

    fn around(board: &Board, machine: Microcontroller<X>) -> Self {
        // The cache in front of FRAM is not translated.
        let waits = board.memories.iter().any(|memory| memory.timing != MemoryTiming::ZeroWait);
        let translator = shape(&machine.parts()).filter(|_| !waits).map(Translator::new);
        TranslatedMicrocontroller { machine, translator, marks: None, slides: None }
    }

    /// The interpreter's machine.
    #[must_use]
    pub fn inner(&self) -> &Microcontroller<X> {
        &self.machine
    }

    /// The same, to be changed between calls.
    pub fn inner_mut(&mut self) -> &mut Microcontroller<X> {
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

    /// As [`Microcontroller::resume`].
    pub fn resume(&mut self, budget: u64) -> Outcome {
        self.ram_changed();
        let mut called = self.machine.go_on(budget);
        let exit = self.drive(&mut called);
        self.machine.outcome_of(&called, exit)
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

    /// Is translated code used?
    fn is_active(&self) -> bool {
        self.translator.as_ref().is_some_and(Translator::is_active)
    }

    /// Finds the blocks of the decoded code, if it is time to.
    fn translate_if_due(&mut self, guarded: bool) {
        let Some(translator) = &mut self.translator else { return };
        if !translator.is_due(guarded) {
            return;
        }
        translator.learned.roots.insert(self.machine.pc());
        let parts = self.machine.parts();
        let slides = self.slides.get_or_insert_with(|| slides(&parts));
        let source = Decoded::new(parts, slides);
        translator.translate(guarded, |_, learned, limits| {
            find(&source, source.flash.start, &learned.roots, limits)
        });
        self.marks = translator.found.as_ref().map(|found| self.machine.marks(found.positions()));
    }

    /// Runs translated code from the program counter on, if there is some.
    fn attempt(&mut self, called: &mut Called) -> Attempt {
        let TranslatedMicrocontroller { machine, translator, slides, .. } = self;
        let (Some(translator), Some(slides)) = (translator, slides) else { return Attempt::Missing };
        let found = translator.found.as_ref();
        let source = Decoded::new(machine.parts(), slides);
        let block = found.and_then(|found| found.block(&source, machine.pc(), &()));
        let Some((block, _)) = block else { return Attempt::Missing };
        let mut values: Values = [0; MOST_REGISTERS as usize];
        read(machine, &mut values);
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
        let code = translator.code(guard.is_some(), flash);
        let Some(left) = code.and_then(|code| code.run(block, &mut state)) else { return Attempt::Failed };
        let Some(found) = &translator.found else { return Attempt::Failed };
        let exit = found.region.exits[left.exit];
        if let Some(other) = &mut translator.codes[usize::from(guard.is_none())] {
            other.ram_changed(&left.changed);
        }
        translator.ran(guard.is_some(), cycles - before);
        (called.cycles, called.instructions, called.jumped) = (cycles, instructions, exit.from);
        write(machine, &values, left.low);
        machine.set_pc(exit.pc.unwrap_or(left.target));
        Attempt::Ran(exit.checks_budget)
    }

    /// Runs a call until it ends: as the interpreter, in turns with translated code.
    fn drive(&mut self, called: &mut Called) -> Exit {
        let pc = self.machine.pc();
        if let Some(translator) = &mut self.translator {
            translator.learned.roots.insert(pc);
        }
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
                        if let Some(translator) = &mut self.translator {
                            translator.learned.roots.insert(self.machine.pc());
                        }
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
                if let Stopped::Ended(exit) = stopped {
                    if failed && !matches!(exit, Exit::Fault(_)) {
                        translator.false_alarm();
                    }
                }
            }
            if let Stopped::Ended(exit) = stopped {
                return exit;
            }
        }
    }
}

/// Copies the registers.
fn read<X: Cpu>(machine: &mut Microcontroller<X>, values: &mut Values) {
    values[..16].copy_from_slice(&machine.general());
    let Flags { c, nz, v, control } = machine.flags();
    let MultiplierValues { at, first, second, result, extension, long_second } =
        machine.multiplier_mut().values();
    for (register, value) in [
        (C, c),
        (NZ, nz),
        (V, v),
        (CONTROL, control.into()),
        (MODE, at),
        (FIRST, first),
        (SECOND, second),
        (SUM, result[0]),
        (SUM_HIGH, result[1]),
        (EXTENSION, extension),
        (LONG_SECOND, long_second),
    ] {
        values[usize::from(register)] = value;
    }
}

/// The reverse; `low`: the lowest byte of the stack that was used, above its limit.
fn write<X: Cpu>(machine: &mut Microcontroller<X>, values: &Values, low: u32) {
    let value = |register: Register| values[usize::from(register)];
    let mut general = [0; 16];
    general.copy_from_slice(&values[..16]);
    machine.set_general(&general, low);
    machine.set_flags(Flags { c: value(C), nz: value(NZ), v: value(V), control: value(CONTROL) as u16 });
    machine.multiplier_mut().set_values(&MultiplierValues {
        at: value(MODE),
        first: value(FIRST),
        second: value(SECOND),
        result: [value(SUM), value(SUM_HIGH)],
        extension: value(EXTENSION),
        long_second: value(LONG_SECOND),
    });
}

impl<X: Cpu> Machine for TranslatedMicrocontroller<X> {
    fn boot(&mut self, ready: u32, budget: u64) -> Outcome {
        self.ram_changed();
        self.machine.boot(ready, budget)
    }

    fn call(&mut self, function: u32, args: &[Arg], options: &CallOptions) -> Outcome {
        self.ram_changed();
        let mut called = match self.machine.begin(function, args, options) {
            Ok(called) => called,
            Err(outcome) => return *outcome,
        };
        let exit = self.drive(&mut called);
        self.machine.outcome_of(&called, exit)
    }

    fn call_observed(
        &mut self,
        function: u32,
        args: &[Arg],
        options: &CallOptions,
        observer: &mut dyn Observer,
    ) -> Option<Outcome> {
        self.ram_changed();
        self.machine.call_observed(function, args, options, observer)
    }

    fn missing_extension(&self, opcode: u32) -> Option<&'static str> {
        self.machine.missing_extension(opcode)
    }

    fn read(&self, address: u32, out: &mut [u8]) -> Result<(), OutOfMap> {
        self.machine.read(address, out)
    }

    fn write(&mut self, address: u32, data: &[u8]) -> Result<(), OutOfMap> {
        self.ram_changed();
        self.machine.write(address, data)
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
        self.ram_changed();
        self.machine.restore();
    }
}
