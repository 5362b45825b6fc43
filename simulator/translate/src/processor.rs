//! A core whose code is translated: the interpreter's, with another loop around it.

use std::fmt::Debug;

use pennyweight_machine::account::Tally;
use pennyweight_machine::guard::Watch;
use pennyweight_machine::image::Architecture;
use pennyweight_machine::instruction_set::Simulated;
use pennyweight_machine::{Access, Board, BoardError, CoreFile, Fault, Image, LoadError};
use pennyweight_machine32::{Abi, Call, End, Machine32, Parts, Processor, Report, Run};
use pennyweight_memory::parts::Memories;
use pennyweight_memory::timing::{Fetch, FlashTiming, Models, StreamState};

use crate::blocks::{Found, Limits};
use crate::code::{self, Compiler, Left, Predictor};
use crate::copies::Blocks;
use crate::engine::Engine;
use crate::layout::{Shape, MOST_REGISTERS};
use crate::learned::Learned;
use crate::translator::{Attempt, Translator};

/// The values of a core's registers, by the numbers that they have in the intermediate form.
pub type Values = [u32; MOST_REGISTERS as usize];

/// An interpreter's run.
pub type Inner<'r, 'm, P, T, F, W> = Run<'r, 'm, P, T, F, W>;

/// Where the interpreter has paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paused {
    /// Where it checks the budget.
    Checked,
    /// Where it does not.
    Unchecked,
    /// Behind an access to a device, where it checks the budget.
    AtDevice,
}

/// An instruction set whose code can be translated.
pub trait Guest: Processor {
    /// State of the pipeline that crosses the ends of blocks, and so is part of their keys.
    type Pending: Copy + PartialEq + Default + Debug + Send + Sync;

    /// What the code of a machine with these parts depends on; `None` if it cannot be translated.
    fn shape(&self, parts: &Parts<'_>) -> Option<Shape>;

    /// Finds the blocks that are reached from where code was entered. Where it makes code much smaller, only the
    /// usual cases of instructions are translated that are not unusual.
    fn find<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Inner<'_, '_, Self, T, F, W>,
        shape: &Shape,
        learned: &Learned,
        limits: Limits,
    ) -> Found<Self::Pending>;

    /// The block that begins at the program counter in the state of `run`, and the cycles to add.
    fn block<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Inner<'_, '_, Self, T, F, W>,
        shape: &Shape,
        found: &Found<Self::Pending>,
    ) -> Option<(usize, u32)>;

    /// Copies the registers of `state`.
    fn read(state: &Self::State, values: &mut Values);

    /// The reverse.
    fn write(state: &mut Self::State, values: &Values);

    /// Copies what else the code keeps in registers of the intermediate form.
    fn read_history<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Inner<'_, '_, Self, T, F, W>,
        values: &mut Values,
    ) {
        let _ = (run, values);
    }

    /// The reverse.
    fn write_history<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Inner<'_, '_, Self, T, F, W>,
        values: &Values,
    ) {
        let _ = (run, values);
    }

    /// Continues at `pc`, with this state of the pipeline.
    fn go_on<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Inner<'_, '_, Self, T, F, W>,
        pc: u32,
        pending: Self::Pending,
    );

    /// If code was left, with this state of the pipeline, because only usual cases of the instruction at the
    /// program counter are translated: its address, and those of instructions behind it whose unusual cases
    /// are probable then.
    fn unusual<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Inner<'_, '_, Self, T, F, W>,
        pending: &Self::Pending,
    ) -> Vec<u32> {
        let _ = (run, pending);
        Vec::new()
    }

    /// Copies the branch predictor's state. False if the core has no predictor.
    fn read_predictor(history: &Self::History, predictor: &mut Predictor) -> bool {
        let _ = (history, predictor);
        false
    }

    /// The reverse.
    fn write_predictor(history: &mut Self::History, predictor: &Predictor) {
        let _ = (history, predictor);
    }

    /// Runs until the next jump after so many cycles, an access to a device, or one instruction that is not
    /// decoded. `from` is the address of the instruction that led to the program counter, before and afterwards.
    /// `is_checked`: it begins where the interpreter checks the budget.
    ///
    /// # Errors
    /// The fault of an instruction.
    fn interpret<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Inner<'_, '_, Self, T, F, W>,
        budget: u64,
        is_checked: bool,
        from: &mut u32,
    ) -> Result<Paused, Fault>;

    /// As [`Processor::report`].
    fn report_on(
        &self,
        state: &Self::State,
        ahead: Self::Ahead,
        step: Self::Step,
        notes: &mut Self::Notes,
        effects: bool,
    ) -> Report;
}

/// A core with one flash and one RAM, whose code can be translated.
pub type TranslatedMachine<P> = Machine32<Translated<P>>;

/// A core and its translated code.
#[derive(Debug)]
pub struct Translated<P: Guest> {
    guest: P,
    translator: Option<Translator<P::Pending>>,
}

/// Without the code, which is translated again.
impl<P: Guest> Clone for Translated<P> {
    fn clone(&self) -> Self {
        let translator = self.translator.as_ref().map(Translator::again);
        Translated { guest: self.guest.clone(), translator }
    }
}

/// A simulated board with `image` loaded, whose programs `engine` runs.
///
/// # Errors
/// As for [`Machine32::new`].
pub fn machine<P: Guest + Send + Sync + 'static>(
    board: &Board,
    image: &Image,
    engine: Engine,
) -> Result<Simulated, LoadError>
where
    P::State: Send + Sync,
    P::History: Send + Sync,
{
    let mut machine = TranslatedMachine::<P>::new(board, image)?;
    machine.processor_mut().set_engine(engine);
    Ok(Box::new(machine))
}

impl<P: Guest> Translated<P> {
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

    fn change(&mut self, act: impl FnOnce(&mut Translator<P::Pending>)) {
        if let Some(translator) = &mut self.translator {
            translator.change(act);
        }
    }

    /// How many blocks are translated.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.translator.as_ref().map_or(0, Translator::blocks)
    }

    /// How often translated code ran and was not given up.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.translator.as_ref().map_or(0, |each| each.runs)
    }
}

/// The interpreter's run within `run`, and the translator. What is copied has to be copied back.
#[allow(clippy::type_complexity)] // The parts of a run, by name.
fn split<'a, P: Guest, T: FlashTiming, F: Fetch, W: Watch>(
    run: &'a mut Run<'_, '_, Translated<P>, T, F, W>,
) -> (Inner<'a, 'a, P, T, F, W>, Option<&'a mut Translator<P::Pending>>) {
    let Translated { guest, translator } = &mut *run.processor;
    let inner = Run {
        processor: guest,
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
fn within<P: Guest, T: FlashTiming, F: Fetch, W: Watch, R>(
    run: &mut Run<'_, '_, Translated<P>, T, F, W>,
    act: impl FnOnce(&mut Inner<'_, '_, P, T, F, W>, Option<&mut Translator<P::Pending>>) -> R,
) -> R {
    let (mut inner, translator) = split(run);
    let result = act(&mut inner, translator);
    let (watch, timing, tally) = (inner.bus.watch, inner.bus.timing, inner.tally);
    (run.bus.watch, run.bus.timing, run.tally) = (watch, timing, tally);
    result
}

impl<S: Copy + PartialEq> Translator<S> {
    /// Runs translated code from the program counter on, if there is some.
    fn attempt<P, T, F, W>(
        &mut self,
        run: &mut Inner<'_, '_, P, T, F, W>,
        (top, budget): (u32, u64),
        from: &mut u32,
    ) -> Attempt
    where
        P: Guest<Pending = S>,
        T: FlashTiming,
        F: Fetch,
        W: Watch,
    {
        let block = self.found.as_ref().and_then(|found| P::block(run, &self.shape, found));
        let Some(block) = block else { return Attempt::Missing };
        let mut predictor = std::mem::take(&mut self.predictor);
        let mut stream = std::mem::take(&mut self.stream);
        let left = self.run(run, block, (&mut predictor, &mut stream), (top, budget));
        (self.predictor, self.stream) = (predictor, stream);
        let (Some(left), Some(found)) = (left, &self.found) else { return Attempt::Failed };
        let exit = &found.region.exits[left.exit];
        let pending = found.pendings[exit.pending];
        P::go_on(run, exit.pc.unwrap_or(left.target), pending);
        let unusual = P::unusual(run, &pending);
        if !unusual.is_empty() {
            self.learned.unusual.add(unusual);
        }
        *from = exit.from;
        Attempt::Ran(exit.checks_budget)
    }

    fn run<P, T, F, W>(
        &mut self,
        run: &mut Inner<'_, '_, P, T, F, W>,
        (block, extra): (usize, u32),
        (predictor, stream): (&mut Predictor, &mut StreamState),
        (top, budget): (u32, u64),
    ) -> Option<Left>
    where
        P: Guest<Pending = S>,
        T: FlashTiming,
        F: Fetch,
        W: Watch,
    {
        let stalls = run.bus.timing.stalls();
        let mut registers = [0; MOST_REGISTERS as usize];
        P::read(run.state, &mut registers);
        P::read_history(run, &mut registers);
        let mut cycles = run.tally.cycles + stalls + u64::from(extra);
        let mut instructions = run.tally.instructions;
        let guard = run.bus.guard;
        let predicted = P::read_predictor(run.history, predictor);
        let mut holds = run.bus.timing.stream().map(|flash| flash.read(stream)).is_some();
        if let Some(recent) = run.bus.timing.recent() {
            stream.held.iter_mut().zip(recent).for_each(|(held, recent)| held.take(recent));
            holds = true;
        }
        let mut ahead = run.bus.timing.fetch_ahead().map(|flash| flash.state());
        let mut matrix = run.bus.timing.bus_matrix().copied();
        let flash = run.bus.flash.as_flattened();
        let limit = run.bus.watch.limit();
        let mut state = code::State {
            registers: &mut registers[..self.shape.words() as usize],
            ram: run.bus.ram.as_flattened_mut(),
            forbidden: guard.forbidden(),
            free_stack: [Access::Read, Access::Write].map(|access| !guard.may_touch_free_stack(access)),
            stack: (limit, top),
            cycles: &mut cycles,
            instructions: &mut instructions,
            budget,
            held: if T::ACTIVE { run.bus.timing.held() } else { run.fetch.held() },
            predictor: predicted.then_some(predictor),
            stream: holds.then_some(&mut *stream),
            ahead: ahead.as_mut(),
            matrix: matrix.as_mut(),
        };
        let left = self.code(W::ACTIVE, flash)?.run(block, &mut state)?;
        if let Some(other) = &mut self.codes[usize::from(!W::ACTIVE)] {
            other.ram_changed(&left.changed);
        }
        if let Some(predictor) = &state.predictor {
            P::write_predictor(run.history, predictor);
        }
        if let Some(flash) = run.bus.timing.stream() {
            flash.write(stream);
        }
        if let (Some(flash), Some(ahead)) = (run.bus.timing.fetch_ahead(), &ahead) {
            flash.set_state(ahead);
        }
        if let (Some(model), Some(matrix)) = (run.bus.timing.bus_matrix(), &matrix) {
            model.resume(matrix);
        }
        if let Some(recent) = run.bus.timing.recent() {
            stream.held.iter().zip(recent).for_each(|(held, recent)| held.put(recent));
        }
        P::write(run.state, &registers);
        P::write_history(run, &registers);
        self.ran(W::ACTIVE, cycles - stalls - run.tally.cycles);
        run.tally = Tally { cycles: cycles - stalls, instructions };
        run.bus.watch.store(limit.wrapping_add(left.low));
        run.bus.watch.set_pointer(registers[self.shape.lowest as usize]);
        Some(left)
    }
}

/// Runs until the program counter is `stop`, a fault, or `budget` cycles: as the interpreter, in turns with
/// translated code.
fn drive<P: Guest, T: FlashTiming, F: Fetch, W: Watch>(
    run: &mut Inner<'_, '_, P, T, F, W>,
    translator: &mut Translator<P::Pending>,
    stop: u32,
    budget: u64,
) -> End {
    let top = P::stack_pointer(run.state);
    let mut from = P::pc(run.state);
    translator.learned.roots.insert(from);
    // May translated code be tried: not right after it was left, and not after a failed check.
    let (mut tries, mut failed) = (true, false);
    let mut checks_budget = true;
    // Jumps in a row to where no translated code is.
    let mut missing = 0;
    loop {
        let pc = P::pc(run.state);
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
            if translator.is_due(W::ACTIVE) {
                translator.learned.roots.insert(pc);
                translator
                    .translate(W::ACTIVE, |shape, learned, limits| P::find(run, shape, learned, limits));
            }
            if translator.has_code(W::ACTIVE) {
                match translator.attempt(run, (top, budget), &mut from) {
                    Attempt::Ran(checks) => {
                        (tries, missing, checks_budget) = (false, 0, checks);
                        continue;
                    }
                    Attempt::Failed => failed = true,
                    Attempt::Missing => missing += 1,
                }
            }
        }
        let is_checked = std::mem::replace(&mut checks_budget, true);
        tries = true;
        let slice = if failed || !translator.is_active() {
            u64::MAX
        } else if !translator.has_code(W::ACTIVE) {
            // An instruction takes a cycle or more.
            translator.tier(W::ACTIVE).left()
        } else {
            // Soon back, unless that was of no use before.
            1 << missing.min(16)
        };
        if translator.has_code(W::ACTIVE) && missing > 0 {
            translator.learned.roots.insert(pc);
        }
        let until = budget.min(spent.saturating_add(slice));
        let before = run.tally.instructions;
        let paused = P::interpret(run, until, is_checked, &mut from);
        let accessed = matches!(paused, Ok(Paused::AtDevice));
        // An access to a device alone does not change RAM.
        if !accessed || run.tally.instructions != before + 1 {
            translator.ram_changed(&Blocks::ALL);
        }
        match paused {
            Ok(paused) => checks_budget = paused != Paused::Unchecked,
            Err(fault) => return End::Fault(fault),
        }
        // Then that was what the check found.
        failed &= !(accessed && translator.accesses_device(from));
        translator.interpreted(W::ACTIVE, run.tally.instructions - before);
    }
}

impl<P: Guest> Processor for Translated<P> {
    type State = P::State;
    type History = P::History;
    type Ahead = P::Ahead;
    type Step = P::Step;
    type Notes = P::Notes;

    const ARCHITECTURE: Architecture = P::ARCHITECTURE;
    const MODELS: Models = P::MODELS;
    const FETCHED_AHEAD: u32 = P::FETCHED_AHEAD;
    const COLD_AFTER_RESTORE: bool = P::COLD_AFTER_RESTORE;
    const RESULT: u32 = P::RESULT;

    fn check(core: &CoreFile) -> Result<(), BoardError> {
        P::check(core)
    }

    fn models(core: &CoreFile) -> Models {
        P::models(core)
    }

    fn new(parts: &Parts<'_>) -> Result<Self, LoadError> {
        let guest = P::new(parts)?;
        let translator = guest.shape(parts).map(Translator::new);
        Ok(Translated { guest, translator })
    }

    fn missing_extension(&self, state: &P::State, opcode: u32) -> Option<&'static str> {
        self.guest.missing_extension(state, opcode)
    }

    fn abi(&self) -> &Abi {
        self.guest.abi()
    }

    fn fresh(&self, memories: &Memories) -> (P::State, P::History) {
        self.guest.fresh(memories)
    }

    fn begin(&self, state: &mut P::State) -> Result<(), Fault> {
        self.guest.begin(state)
    }

    fn boot_limit(memories: &Memories) -> u32 {
        P::boot_limit(memories)
    }

    fn counter(&self, address: u32) -> u32 {
        self.guest.counter(address)
    }

    fn pc(state: &P::State) -> u32 {
        P::pc(state)
    }

    fn is_at(state: &P::State, stop: u32) -> bool {
        P::is_at(state, stop)
    }

    fn stack_pointer(state: &P::State) -> u32 {
        P::stack_pointer(state)
    }

    fn register(state: &P::State, number: u32) -> u32 {
        P::register(state, number)
    }

    fn enter(
        &self,
        state: &mut P::State,
        history: &mut P::History,
        pc: u32,
        stack: u32,
        arguments: &[u32],
    ) -> Call {
        self.guest.enter(state, history, pc, stack, arguments)
    }

    fn ran(state: &mut P::State, tally: Tally) {
        P::ran(state, tally);
    }

    fn ram_changed(&mut self, address: u32, size: u32) {
        if let Some(translator) = &mut self.translator {
            let mut blocks = Blocks::NONE;
            blocks.add(address.wrapping_sub(translator.shape.ram_base), size);
            translator.ram_changed(&blocks);
        }
    }

    fn run<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Run<'_, '_, Self, T, F, W>,
        stop: u32,
        budget: u64,
    ) -> End {
        within(run, |inner, translator| match translator {
            // A stop in flash changes the table of decoded code.
            Some(translator)
                if (!T::ACTIVE || T::IS_KNOWN)
                    && translator.is_active()
                    && stop.wrapping_sub(translator.shape.flash_base) >= translator.shape.code_size =>
            {
                drive(inner, translator, stop, budget)
            }
            translator => {
                if let Some(translator) = translator {
                    translator.ram_changed(&Blocks::ALL);
                }
                P::run(inner, stop, budget)
            }
        })
    }

    fn step<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Run<'_, '_, Self, T, F, W>,
        from: u32,
    ) -> Result<P::Step, Fault> {
        within(run, |inner, translator| {
            if let Some(translator) = translator {
                translator.ram_changed(&Blocks::ALL);
            }
            P::step(inner, from)
        })
    }

    fn translated_runs(&self) -> u64 {
        self.runs()
    }

    fn ahead<T: FlashTiming, F: Fetch, W: Watch>(run: &mut Run<'_, '_, Self, T, F, W>) -> P::Ahead {
        within(run, |inner, _| P::ahead(inner))
    }

    fn report<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Run<'_, '_, Self, T, F, W>,
        ahead: P::Ahead,
        step: P::Step,
        notes: &mut P::Notes,
        effects: bool,
    ) -> Report {
        run.processor.guest.report_on(run.state, ahead, step, notes, effects)
    }
}
