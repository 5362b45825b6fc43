//! The [`Machine`] that callers drive, around any [`Processor`].

use std::cell::RefCell;

use pennyweight_machine::account::Tally;
use pennyweight_machine::board::MemoryKind;
use pennyweight_machine::guard::{Free, Guard, Watch};
use pennyweight_machine::observe::Noting;
use pennyweight_machine::stack::StackWatch;
use pennyweight_machine::{
    Arg, Board, CallOptions, Exit, Fault, FaultKind, Image, LoadError, Machine, Observer, OutOfMap, Outcome,
};
use pennyweight_memory::bus::{Bus, Word};
use pennyweight_memory::parts::{flash_contents, only, Memories};
use pennyweight_memory::random::RandomDevice;
use pennyweight_memory::timing::{Fetch, FlashModel, FlashTiming, Models, Visit};

use crate::observe::observe;
use crate::processor::{Call, End, Parts, Processor, Run};

/// Everything that a run changes, except RAM.
#[derive(Clone, Debug)]
struct Running<P: Processor> {
    state: P::State,
    history: P::History,
    /// Caches and buffers as the last run left them.
    flash: FlashModel,
    /// The part's random number generator.
    random: Option<RandomDevice>,
}

/// The state that `restore` brings back.
#[derive(Clone, Debug)]
struct Snapshot<P: Processor> {
    ram: Vec<Word>,
    running: Running<P>,
    stack_top: u32,
}

/// A 32-bit core with one flash and one RAM.
#[derive(Clone, Debug)]
pub struct Machine32<P: Processor> {
    processor: P,
    memories: Memories,
    running: Running<P>,
    /// The state after reset.
    fresh: Box<Running<P>>,
    stack_top: u32,
    snapshot: Option<Box<Snapshot<P>>>,
}

impl<P: Processor> Machine32<P> {
    /// The board with the image in its flash, reset.
    ///
    /// # Errors
    /// This simulator does not support the core or a memory, or the image is for another machine or
    /// does not fit.
    pub fn new(board: &Board, image: &Image) -> Result<Self, LoadError> {
        image.require(P::ARCHITECTURE)?;
        let (bytes, used) = flash_contents(board, image)?;
        Self::load(board, &bytes, used, image.entry, Some(image))
    }

    /// Can the board's core be on such a board?
    ///
    /// # Errors
    /// It has none of the board's extensions, or of its memories' timing models; or its file is wrong.
    pub fn check(board: &Board) -> Result<(), LoadError> {
        P::check(&board.core)?;
        board.all_extensions()?;
        only(board, MemoryKind::Ram)?;
        Self::flash(board)?;
        Ok(())
    }

    /// The timing of the board's flash.
    fn flash(board: &Board) -> Result<FlashModel, LoadError> {
        let (flash, models) = (only(board, MemoryKind::Flash)?, P::models(&board.core));
        FlashModel::new(board, flash, models, P::FETCHED_AHEAD)
    }

    /// The board with `bytes` in its flash, of which the first `used` can hold code; reset, to
    /// begin at `entry` unless the core reads that from memory.
    ///
    /// # Errors
    /// This simulator does not support the core or a memory, or `bytes` do not fit.
    pub fn from_flash(board: &Board, bytes: &[u8], used: usize, entry: u32) -> Result<Self, LoadError> {
        Self::load(board, bytes, used, entry, None)
    }

    fn load(
        board: &Board,
        bytes: &[u8],
        used: usize,
        entry: u32,
        image: Option<&Image>,
    ) -> Result<Self, LoadError> {
        P::check(&board.core)?;
        let memories = Memories::new(board, bytes)?;
        let flash = Self::flash(board)?;
        let extensions = board.all_extensions()?;
        let parts =
            Parts { extensions: &extensions, board, memories: &memories, flash: &flash, used, entry, image };
        let processor = P::new(&parts)?;
        let (state, history) = processor.fresh(&memories);
        let stack_top = P::stack_pointer(&state);
        let random = board.random.map(RandomDevice::new);
        let running = Running { state, history, flash, random };
        let fresh = Box::new(running.clone());
        Ok(Machine32 { processor, memories, running, fresh, stack_top, snapshot: None })
    }

    /// The processor, for changes.
    #[cfg(feature = "translator")]
    pub fn processor_mut(&mut self) -> &mut P {
        &mut self.processor
    }

    /// Registers and program counter.
    #[must_use]
    pub fn state(&self) -> &P::State {
        &self.running.state
    }

    /// Registers and program counter, for changes.
    pub fn state_mut(&mut self) -> &mut P::State {
        &mut self.running.state
    }

    /// Executes one instruction; returns its cycles.
    ///
    /// # Errors
    /// The instruction's fault.
    pub fn step(&mut self) -> Result<u64, Fault> {
        self.step_counted().map(|tally| tally.cycles)
    }

    /// Executes one instruction, or enters the handler of an exception that comes before it; then no
    /// instruction is counted.
    ///
    /// # Errors
    /// The instruction's fault.
    pub fn step_counted(&mut self) -> Result<Tally, Fault> {
        let tally = self.visited(Step)?;
        P::ran(&mut self.running.state, tally);
        Ok(tally)
    }

    /// Runs from the current state until the program counter reaches the code at `stop`.
    pub fn run_to(&mut self, stop: u32, options: &CallOptions) -> Outcome {
        let call = Call { stop: self.processor.counter(stop), result: P::RESULT };
        self.finish(call, options)
    }

    fn finish(&mut self, call: Call, options: &CallOptions) -> Outcome {
        let guard = (!options.zones.is_empty()).then(|| self.guard(options));
        let ran = self.visited(Unobserved { guard: guard.as_ref(), call, options });
        self.outcome(ran, call)
    }

    fn guard(&self, options: &CallOptions) -> Guard {
        Guard::new(self.memories.ram_base, self.memories.ram.len() * 4, &options.zones)
    }

    /// Runs `task` with the concrete models of the board's flash timing.
    fn visited<K: Task<P>>(&mut self, task: K) -> K::Output {
        let Running { state, history, flash, random } = &mut self.running;
        let (processor, memories, random) = (&mut self.processor, &mut self.memories, random.as_mut());
        flash.visit(Visitor { processor, memories, state, history, random, task })
    }

    /// The outcome of a run that has ended.
    fn outcome(&mut self, ran: Ran, call: Call) -> Outcome {
        let Ran { end, tally, stack } = ran;
        let state = &mut self.running.state;
        P::ran(state, tally);
        Outcome {
            exit: match end {
                End::Stopped => Exit::Returned,
                End::OutOfCycles => Exit::OutOfCycles { pc: P::pc(state) },
                End::Fault(fault) => Exit::Fault(fault),
            },
            cycles: tally.cycles,
            instructions: tally.instructions,
            stack,
            result: P::register(state, call.result) as i32,
            random: self.running.random.as_ref().map(RandomDevice::drawn).unwrap_or_default(),
        }
    }

    /// Places the arguments as the ABI requires and enters the function.
    fn enter(&mut self, function: u32, args: &[Arg], options: &CallOptions) -> Result<Call, Outcome> {
        let abi = self.processor.abi();
        let arguments = abi.layout(args);
        let size = 4 * arguments.stack.len() as u32;
        let stack = (self.stack_top & !(abi.stack_alignment - 1)).wrapping_sub(size);
        let bytes: Vec<u8> = arguments.stack.iter().flat_map(|word| word.to_le_bytes()).collect();
        let pc = self.processor.counter(function);
        #[cfg(feature = "translator")]
        self.processor.ram_changed(stack, size);
        if stack < options.stack_limit || self.memories.write(stack, &bytes).is_err() {
            let kind = FaultKind::StackOverflow { address: stack, limit: options.stack_limit };
            return Err(Outcome::of(Exit::Fault(Fault { kind, pc: pc & !1 })));
        }
        let Running { state, history, .. } = &mut self.running;
        Ok(self.processor.enter(state, history, pc, stack, &arguments.registers))
    }
}

/// The result of a run; the tally includes all waits.
struct Ran {
    end: End,
    tally: Tally,
    stack: u32,
}

/// An operation on a machine, for any flash timing.
trait Task<P: Processor> {
    type Output;

    fn perform<T: FlashTiming, F: Fetch>(self, context: Context<'_, P, F>, timing: T) -> (T, Self::Output);
}

/// The parts of a machine, borrowed for a [`Task`].
struct Context<'r, P: Processor, F> {
    processor: &'r mut P,
    memories: &'r mut Memories,
    state: &'r mut P::State,
    history: &'r mut P::History,
    random: Option<&'r mut RandomDevice>,
    fetch: &'r mut F,
}

impl<'r, P: Processor, F> Context<'r, P, F> {
    fn run<T, W>(self, timing: T, guard: W, watch: StackWatch) -> Run<'r, 'r, P, T, F, W> {
        let Memories { flash, flash_base, ram, ram_base } = self.memories;
        let (flash_base, ram_base) = (*flash_base, *ram_base);
        let mut random = self.random;
        if let Some(device) = &mut random {
            device.begin();
        }
        Run {
            processor: self.processor,
            state: self.state,
            history: self.history,
            bus: Bus { ram, ram_base, flash, flash_base, watch, guard, timing },
            fetch: self.fetch,
            random,
            tally: Tally::default(),
        }
    }

    /// A watch on the stack, from its limit up to the stack pointer.
    fn watch(&self, options: &CallOptions) -> StackWatch {
        StackWatch::new(options.stack_limit, P::stack_pointer(self.state))
    }
}

/// Runs a task with the flash's concrete model.
struct Visitor<'r, P: Processor, K> {
    processor: &'r mut P,
    memories: &'r mut Memories,
    state: &'r mut P::State,
    history: &'r mut P::History,
    random: Option<&'r mut RandomDevice>,
    task: K,
}

impl<P: Processor, K: Task<P>> Visit for Visitor<'_, P, K> {
    type Output = K::Output;

    const MODELS: Models = P::MODELS;

    fn visit<T: FlashTiming, F: Fetch>(self, timing: T, fetch: &mut F) -> (T, K::Output) {
        let Visitor { processor, memories, state, history, random, task } = self;
        task.perform(Context { processor, memories, state, history, random, fetch }, timing)
    }
}

/// One instruction; the flash's clock continues from the previous one.
struct Step;

impl<P: Processor> Task<P> for Step {
    type Output = Result<Tally, Fault>;

    fn perform<T: FlashTiming, F: Fetch>(self, context: Context<'_, P, F>, timing: T) -> (T, Self::Output) {
        let watch = StackWatch::new(0, context.memories.ram_base);
        let from = P::pc(context.state);
        let waited = timing.stalls();
        let mut run = context.run(timing, Free, watch);
        let result = P::step(&mut run, from);
        let mut tally = run.tally;
        tally.cycles += run.bus.timing.stalls() - waited;
        (run.bus.timing, result.map(|_| tally))
    }
}

/// A run at full speed.
struct Unobserved<'a> {
    guard: Option<&'a Guard>,
    call: Call,
    options: &'a CallOptions,
}

impl Unobserved<'_> {
    fn watched<P: Processor, T: FlashTiming, F: Fetch, W: Watch>(
        &self,
        context: Context<'_, P, F>,
        timing: T,
        guard: W,
    ) -> (T, Ran) {
        let watch = context.watch(self.options);
        let mut run = context.run(timing, guard, watch);
        run.bus.timing.start(P::pc(run.state));
        let end = P::run(&mut run, self.call.stop, self.options.budget);
        ran(end, &run)
    }
}

impl<P: Processor> Task<P> for Unobserved<'_> {
    type Output = Ran;

    fn perform<T: FlashTiming, F: Fetch>(self, context: Context<'_, P, F>, timing: T) -> (T, Ran) {
        match self.guard {
            Some(guard) => self.watched(context, timing, guard),
            None => self.watched(context, timing, Free),
        }
    }
}

/// A run of one instruction at a time, each reported to an observer.
struct Observed<'a> {
    guard: &'a Guard,
    call: Call,
    options: &'a CallOptions,
    observer: &'a mut dyn Observer,
}

impl<P: Processor> Task<P> for Observed<'_> {
    type Output = Ran;

    fn perform<T: FlashTiming, F: Fetch>(self, context: Context<'_, P, F>, timing: T) -> (T, Ran) {
        let seen = RefCell::default();
        let watch = context.watch(self.options);
        let mut run = context.run(timing, Noting::new(self.guard, &seen), watch);
        run.bus.timing.start(P::pc(run.state));
        let end = observe(&mut run, self.call.stop, self.options.budget, &seen, self.observer);
        ran(end, &run)
    }
}

fn ran<P: Processor, T: FlashTiming, F, W: Watch>(end: End, run: &Run<'_, '_, P, T, F, W>) -> (T, Ran) {
    let Tally { cycles, instructions } = run.tally;
    let tally = Tally { cycles: cycles + run.bus.timing.stalls(), instructions };
    (run.bus.timing, Ran { end, tally, stack: run.bus.watch.high_water() })
}

impl<P: Processor> Machine for Machine32<P> {
    fn boot(&mut self, ready: u32, budget: u64) -> Outcome {
        self.running = (*self.fresh).clone();
        if let Err(fault) = self.processor.begin(&mut self.running.state) {
            return Outcome::of(Exit::Fault(fault));
        }
        let options = CallOptions { budget, stack_limit: P::boot_limit(&self.memories), zones: Vec::new() };
        let outcome = self.run_to(ready, &options);
        self.stack_top = P::stack_pointer(&self.running.state);
        outcome
    }

    fn call(&mut self, function: u32, args: &[Arg], options: &CallOptions) -> Outcome {
        match self.enter(function, args, options) {
            Ok(call) => self.finish(call, options),
            Err(refused) => refused,
        }
    }

    fn call_observed(
        &mut self,
        function: u32,
        args: &[Arg],
        options: &CallOptions,
        observer: &mut dyn Observer,
    ) -> Option<Outcome> {
        Some(match self.enter(function, args, options) {
            Ok(call) => {
                let guard = self.guard(options);
                let ran = self.visited(Observed { guard: &guard, call, options, observer });
                self.outcome(ran, call)
            }
            Err(refused) => refused,
        })
    }

    fn missing_extension(&self, opcode: u32) -> Option<&'static str> {
        self.processor.missing_extension(&self.running.state, opcode)
    }

    fn read(&self, address: u32, out: &mut [u8]) -> Result<(), OutOfMap> {
        self.memories.read(address, out)
    }

    fn write(&mut self, address: u32, data: &[u8]) -> Result<(), OutOfMap> {
        #[cfg(feature = "translator")]
        self.processor.ram_changed(address, data.len() as u32);
        self.memories.write(address, data)
    }

    fn stack_top(&self) -> u32 {
        self.stack_top
    }

    fn translated_runs(&self) -> u64 {
        self.processor.translated_runs()
    }

    fn snapshot(&mut self) {
        let (ram, running) = (self.memories.ram.clone(), self.running.clone());
        self.snapshot = Some(Box::new(Snapshot { ram, running, stack_top: self.stack_top }));
    }

    fn restore(&mut self) {
        #[cfg(feature = "translator")]
        self.processor.ram_changed(self.memories.ram_base, u32::MAX);
        let Running { state, history, flash, random } = if let Some(snapshot) = &self.snapshot {
            self.memories.ram.copy_from_slice(&snapshot.ram);
            self.stack_top = snapshot.stack_top;
            &snapshot.running
        } else {
            self.memories.ram.fill([0; 4]);
            self.stack_top = P::stack_pointer(&self.fresh.state);
            &*self.fresh
        };
        let flash = if P::COLD_AFTER_RESTORE { &self.fresh.flash } else { flash };
        self.running = Running {
            state: state.clone(),
            history: history.clone(),
            flash: flash.clone(),
            random: random.clone(),
        };
    }
}
