//! A RISC-V core whose code is translated: the interpreter's, with another loop around it.

use std::collections::BTreeSet;

use pennyweight_machine::account::Tally;
use pennyweight_machine::guard::Watch;
use pennyweight_machine::image::Architecture;
use pennyweight_machine::instruction_set::Simulated;
use pennyweight_machine::{Access, Board, BoardError, CoreFile, Fault, Image, LoadError};
use pennyweight_machine32::{Abi, Call, End, Machine32, Parts, Processor, Report, Run};
use pennyweight_memory::parts::Memories;
use pennyweight_memory::timing::{Fetch, FlashTiming, Models};
use pennyweight_riscv::core::{Jumps, Tables};
use pennyweight_riscv::registers::Reg;
use pennyweight_riscv::run::{run_decoded, step, Single, State};
use pennyweight_riscv::{Riscv, INSTRUCTION_SET};

use super::blocks::{find, Found};
use super::shape::shape;
use crate::code::{self, Code, Left, Predictor};
use crate::engine::Engine;
use crate::layout::Shape;
use crate::tier::Tier;

/// A RISC-V core with one flash and one RAM, whose code can be translated.
pub type TranslatedMachine = Machine32<Translated>;

/// A RISC-V core and its translated code.
#[derive(Debug)]
pub struct Translated {
    riscv: Riscv,
    translator: Option<Translator>,
}

/// Without the code, which is translated again.
impl Clone for Translated {
    fn clone(&self) -> Self {
        let translator = self.translator.as_ref().map(|each| Translator::new(each.shape, each.engine));
        Translated { riscv: self.riscv.clone(), translator }
    }
}

/// Translated code of one program.
#[derive(Debug)]
struct Translator {
    shape: Shape,
    engine: Engine,
    tier: Tier,
    /// Where code was entered.
    roots: BTreeSet<u32>,
    found: Option<Found>,
    /// Without and with guard zones.
    codes: [Option<Code>; 2],
    /// Space for the branch predictor's state, reused to save allocations.
    predictor: Predictor,
    /// The host cannot compile, or it does not pay.
    off: bool,
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

/// An interpreter's run.
type Inner<'r, 'm, T, F, W> = Run<'r, 'm, Riscv, T, F, W>;

/// A simulated board with `image` loaded, whose programs `engine` runs; `None` if the board has another
/// instruction set.
///
/// # Errors
/// As for [`Machine32::new`].
pub fn machine(board: &Board, image: &Image, engine: Engine) -> Option<Result<Simulated, LoadError>> {
    if !INSTRUCTION_SET.names.contains(&board.core.instruction_set.as_str()) {
        return None;
    }
    Some(TranslatedMachine::new(board, image).map(|mut machine| {
        machine.processor_mut().set_engine(engine);
        Box::new(machine) as Simulated
    }))
}

impl Translated {
    /// Selects what runs programs from now on.
    pub fn set_engine(&mut self, engine: Engine) {
        if let Some(translator) = &mut self.translator {
            *translator = Translator::new(translator.shape, engine);
        }
    }

    /// How many blocks are translated.
    #[must_use]
    pub fn blocks(&self) -> usize {
        let found = self.translator.as_ref().and_then(|each| each.found.as_ref());
        found.map_or(0, |found| found.region.blocks.len())
    }
}

/// The interpreter's run within `run`, and the translator. What is copied has to be copied back.
fn split<'a, T: FlashTiming, F: Fetch, W: Watch>(
    run: &'a mut Run<'_, '_, Translated, T, F, W>,
) -> (Inner<'a, 'a, T, F, W>, Option<&'a mut Translator>) {
    let Translated { riscv, translator } = &mut *run.processor;
    let inner = Run {
        processor: riscv,
        state: &mut *run.state,
        history: &mut *run.history,
        bus: run.bus.local(),
        fetch: &mut *run.fetch,
        random: run.random.as_deref_mut(),
        tally: run.tally,
    };
    (inner, translator.as_mut())
}

/// Does something with the interpreter's run within `run`.
fn within<T: FlashTiming, F: Fetch, W: Watch, R>(
    run: &mut Run<'_, '_, Translated, T, F, W>,
    act: impl FnOnce(&mut Inner<'_, '_, T, F, W>, Option<&mut Translator>) -> R,
) -> R {
    let (mut inner, translator) = split(run);
    let result = act(&mut inner, translator);
    let (watch, timing, tally) = (inner.bus.watch, inner.bus.timing, inner.tally);
    (run.bus.watch, run.bus.timing, run.tally) = (watch, timing, tally);
    result
}

impl Translator {
    fn new(shape: Shape, engine: Engine) -> Translator {
        Translator {
            shape,
            engine,
            tier: Tier::new(engine),
            roots: BTreeSet::new(),
            found: None,
            codes: [None, None],
            predictor: Predictor::default(),
            off: false,
        }
    }

    fn is_active(&self) -> bool {
        self.engine != Engine::Interpreter && !self.off && !self.tier.is_off()
    }

    /// A check failed, but there was no fault: a load that reads flash, as far as is known.
    fn false_alarm(&mut self) {
        if self.shape.flash_loads {
            self.tier.false_alarm();
        }
        self.shape.flash_loads = true;
        self.codes = [None, None];
    }

    /// Finds the blocks of the decoded code.
    fn translate<T: FlashTiming, F: Fetch, W: Watch>(&mut self, run: &Inner<'_, '_, T, F, W>) {
        let line_shift = self.shape.cache.map(|cache| cache.line_shift);
        let (program, bus) = (run.processor.program(), &run.bus);
        self.found = Some(find(program, bus.flash, bus.flash_base, line_shift, &self.roots));
        self.codes = [None, None];
    }

    /// The code, compiled if it is not yet.
    fn code(&mut self, guarded: bool, flash: &[u8]) -> Option<&mut Code> {
        let place = &mut self.codes[usize::from(guarded)];
        if place.is_none() {
            *place = Code::new(&self.found.as_ref()?.region, &self.shape, guarded, flash);
            self.off |= place.is_none();
        }
        place.as_mut()
    }

    /// Runs translated code from the program counter on, if there is some.
    fn attempt<T: FlashTiming, F: Fetch, W: Watch>(
        &mut self,
        run: &mut Inner<'_, '_, T, F, W>,
        top: u32,
        budget: u64,
        from: &mut u32,
    ) -> Attempt {
        let pc = run.state.pc;
        let Some(found) = &self.found else { return Attempt::Missing };
        let Some((block, extra)) = found.block(run.processor.program(), pc, &run.state.pending) else {
            return Attempt::Missing;
        };
        let mut predictor = std::mem::take(&mut self.predictor);
        let attempt = self.run(run, (block, extra), &mut predictor, (top, budget));
        self.predictor = predictor;
        let Some(left) = attempt else { return Attempt::Failed };
        let Some(found) = &self.found else { return Attempt::Failed };
        let exit = &found.region.exits[left.exit];
        run.state.pc = exit.pc.unwrap_or(left.target);
        run.state.pending = found.pendings[exit.pending];
        *from = exit.from;
        Attempt::Ran(exit.checks_budget)
    }

    fn run<T: FlashTiming, F: Fetch, W: Watch>(
        &mut self,
        run: &mut Inner<'_, '_, T, F, W>,
        (block, extra): (usize, u32),
        predictor: &mut Predictor,
        (top, budget): (u32, u64),
    ) -> Option<Left> {
        let stalls = run.bus.timing.stalls();
        let mut registers = [0; 32];
        for (number, value) in (0..).zip(&mut registers) {
            *value = run.state.registers[Reg::source(number)];
        }
        let mut cycles = run.tally.cycles + stalls + u64::from(extra);
        let mut instructions = run.tally.instructions;
        let guard = run.bus.guard;
        let predicted = match &*run.history {
            Jumps::Predicted(known) => {
                read(predictor, &known.tables());
                true
            }
            Jumps::Refilled(_) | Jumps::Looped(_) => false,
        };
        let flash = run.bus.flash.as_flattened();
        let limit = run.bus.watch.limit();
        let mut state = code::State {
            registers: &mut registers,
            ram: run.bus.ram.as_flattened_mut(),
            forbidden: guard.forbidden(),
            free_stack: [Access::Read, Access::Write].map(|access| !guard.may_touch_free_stack(access)),
            stack: (limit, top),
            cycles: &mut cycles,
            instructions: &mut instructions,
            budget,
            held: run.fetch.held(),
            predictor: predicted.then_some(predictor),
        };
        let left = self.code(W::ACTIVE, flash)?.run(block, &mut state)?;
        if let (Jumps::Predicted(known), Some(predictor)) = (&mut *run.history, &state.predictor) {
            known.set_tables(&tables(predictor));
        }
        for (number, &value) in (0..).zip(&registers).skip(1) {
            run.state.registers[Reg::source(number)] = value;
        }
        run.tally = Tally { cycles: cycles - stalls, instructions };
        run.bus.watch.store(limit.wrapping_add(left.low));
        run.bus.watch.set_pointer(run.state.registers[Reg::SP]);
        Some(left)
    }
}

fn read(predictor: &mut Predictor, tables: &Tables<'_>) {
    predictor.targets.clone_from(&tables.targets);
    predictor.clock = tables.clock;
    predictor.taken.clear();
    predictor.taken.extend_from_slice(tables.taken);
    predictor.history = tables.history;
    predictor.returns.clear();
    predictor.returns.extend_from_slice(tables.returns);
    predictor.top = tables.top as u32;
    predictor.depth = tables.depth as u32;
}

fn tables(predictor: &Predictor) -> Tables<'_> {
    Tables {
        targets: predictor.targets.clone(),
        clock: predictor.clock,
        taken: &predictor.taken,
        history: predictor.history,
        returns: &predictor.returns,
        top: predictor.top as usize,
        depth: predictor.depth as usize,
    }
}

/// Runs until the program counter is `stop`, a fault, or `budget` cycles: as the interpreter, in turns with
/// translated code.
fn drive<T: FlashTiming, F: Fetch, W: Watch>(
    run: &mut Inner<'_, '_, T, F, W>,
    translator: &mut Translator,
    stop: u32,
    budget: u64,
) -> End {
    let top = run.state.registers[Reg::SP];
    let mut from = run.state.pc;
    translator.roots.insert(run.state.pc);
    // May translated code be tried: not right after it was left, and not after a failed check.
    let (mut tries, mut failed) = (true, false);
    let mut checks_budget = true;
    // Jumps in a row to where no translated code is.
    let mut missing = 0;
    loop {
        let pc = run.state.pc;
        if pc == stop {
            if failed {
                translator.false_alarm();
            }
            return End::Stopped;
        }
        let spent = run.tally.cycles.saturating_add(run.bus.timing.stalls());
        if checks_budget && spent >= budget {
            if failed {
                translator.false_alarm();
            }
            return End::OutOfCycles;
        }
        if tries && !failed && translator.is_active() {
            if translator.tier.is_due() {
                translator.roots.insert(pc);
                translator.translate(run);
            }
            match translator.attempt(run, top, budget, &mut from) {
                Attempt::Ran(checks) => {
                    (tries, missing, checks_budget) = (false, 0, checks);
                    continue;
                }
                Attempt::Failed => failed = true,
                Attempt::Missing => missing += 1,
            }
        }
        (tries, checks_budget) = (true, true);
        let slice = if failed || !translator.is_active() {
            u64::MAX
        } else if translator.found.is_none() {
            translator.tier.left()
        } else {
            // Soon back, unless that was of no use before.
            1 << missing.min(16)
        };
        if translator.found.is_some() && missing > 0 {
            translator.roots.insert(pc);
        }
        if let Err(fault) = interpret(run, budget.min(spent.saturating_add(slice)), &mut from) {
            return End::Fault(fault);
        }
        let now = run.tally.cycles.saturating_add(run.bus.timing.stalls());
        translator.tier.interpreted(now - spent);
    }
}

/// Runs until the next jump after so many cycles, or one instruction that is not decoded.
fn interpret<T: FlashTiming, F: Fetch, W: Watch>(
    run: &mut Inner<'_, '_, T, F, W>,
    budget: u64,
    from: &mut u32,
) -> Result<(), Fault> {
    let pc = run.state.pc;
    let (program, flash) = (run.processor.program_mut(), run.bus.flash);
    let position = program.position(pc).or_else(|| program.extend(flash, pc));
    match position {
        Some(position) => run_decoded(run, position, budget, from),
        None => {
            let result = step(run, *from);
            *from = pc;
            result.map(drop)
        }
    }
}

impl Processor for Translated {
    type State = State;
    type History = Jumps;
    type Ahead = bool;
    type Step = Single;
    type Notes = <Riscv as Processor>::Notes;

    const ARCHITECTURE: Architecture = Riscv::ARCHITECTURE;
    const MODELS: Models = Riscv::MODELS;
    const RESULT: u32 = Riscv::RESULT;

    fn check(core: &CoreFile) -> Result<(), BoardError> {
        Riscv::check(core)
    }

    fn models(core: &CoreFile) -> Models {
        Riscv::models(core)
    }

    fn new(parts: &Parts<'_>) -> Result<Self, LoadError> {
        let riscv = <Riscv as Processor>::new(parts)?;
        let shape = shape(parts, riscv.program().core());
        Ok(Translated { translator: shape.map(|shape| Translator::new(shape, Engine::Auto)), riscv })
    }

    fn missing_extension(&self, state: &State, opcode: u32) -> Option<&'static str> {
        self.riscv.missing_extension(state, opcode)
    }

    fn abi(&self) -> &Abi {
        self.riscv.abi()
    }

    fn fresh(&self, memories: &Memories) -> (State, Jumps) {
        self.riscv.fresh(memories)
    }

    fn counter(&self, address: u32) -> u32 {
        self.riscv.counter(address)
    }

    fn pc(state: &State) -> u32 {
        Riscv::pc(state)
    }

    fn stack_pointer(state: &State) -> u32 {
        Riscv::stack_pointer(state)
    }

    fn register(state: &State, number: u32) -> u32 {
        Riscv::register(state, number)
    }

    fn enter(&self, state: &mut State, jumps: &mut Jumps, pc: u32, stack: u32, arguments: &[u32]) -> Call {
        self.riscv.enter(state, jumps, pc, stack, arguments)
    }

    fn ran(state: &mut State, tally: Tally) {
        Riscv::ran(state, tally);
    }

    fn run<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Run<'_, '_, Self, T, F, W>,
        stop: u32,
        budget: u64,
    ) -> End {
        within(run, |inner, translator| match translator {
            // A stop in flash changes the table of decoded code.
            Some(translator)
                if !T::ACTIVE
                    && translator.is_active()
                    && stop.wrapping_sub(translator.shape.flash_base) >= translator.shape.code_size =>
            {
                drive(inner, translator, stop, budget)
            }
            _ => Riscv::run(inner, stop, budget),
        })
    }

    fn step<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Run<'_, '_, Self, T, F, W>,
        from: u32,
    ) -> Result<Single, Fault> {
        within(run, |inner, _| step(inner, from))
    }

    fn ahead<T: FlashTiming, F: Fetch, W: Watch>(run: &mut Run<'_, '_, Self, T, F, W>) -> bool {
        within(run, |inner, _| Riscv::ahead(inner))
    }

    fn report<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Run<'_, '_, Self, T, F, W>,
        is_decoded: bool,
        single: Single,
        known: &mut Self::Notes,
        effects: bool,
    ) -> Report {
        run.processor.riscv.report_single(is_decoded, &single, known, effects)
    }
}
