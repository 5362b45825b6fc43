//! A lock step of a 32-bit core with QEMU: what each instruction set provides, and what all share.

use pennyweight_machine::account::Tally;
use pennyweight_machine::{CallOptions, Exit, Machine, OutOfMap, Outcome};
#[cfg(not(feature = "translator"))]
pub use pennyweight_machine32::Processor as Guest;
use pennyweight_machine32::{Machine32, Processor};
#[cfg(feature = "translator")]
pub use pennyweight_translate::processor::Guest;
#[cfg(feature = "translator")]
use pennyweight_translate::processor::Translated;
#[cfg(feature = "translator")]
use pennyweight_translate::Engine;

use super::{Log, Qemu};
use crate::lockstep::{Driver, Session, State, Stretch};

/// A program on both sides.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its code, and what surrounds it in flash.
    pub bytes: Vec<u8>,
    /// The address of the first byte.
    pub base: u32,
    /// Where execution begins.
    pub entry: u32,
    /// Where it ends: an instruction that jumps to itself.
    pub end: u32,
    /// The RAM that it uses: first address and size in bytes.
    pub ram: (u32, u32),
}

/// The registers, flags and program counter of a core, interpreted or translated.
pub type StateOf<T> = <<T as Comparison>::Processor as Processor>::State;

/// An instruction set compared with QEMU's.
pub trait Comparison {
    /// Pennyweight's.
    type Processor: Processor;
    /// What QEMU logs before each instruction.
    type State: State;

    /// The length of a short program, as [`Comparison::program`] counts it.
    const SHORT: usize = 4_000;

    /// The random program of `seed`, with about `length` units of body, which it runs `passes` times; a
    /// unit is that in which the instruction set's generator counts. The program loads all of RAM into
    /// registers before its end, which is how memory is compared.
    fn program(&self, seed: u64, length: usize, passes: u32) -> Program;

    /// Starts QEMU with it; `name` distinguishes its file from others.
    ///
    /// # Errors
    /// The code cannot be written, or QEMU not started.
    fn start(&self, qemu: &Qemu, program: &Program, name: &str) -> Result<Log, String>;

    /// The next state of a log; `None` when QEMU has ended.
    ///
    /// # Errors
    /// The pipe broke.
    fn logged(&self, log: &mut Log) -> Result<Option<Self::State>, String>;

    /// Our machine before the program's first instruction, interpreted or translated.
    ///
    /// # Errors
    /// The board refuses the program.
    fn reset<P>(&self, program: &Program) -> Result<Machine32<P>, String>
    where
        P: Processor<State = StateOf<Self>>;

    /// Its state, as QEMU logs it.
    fn state(&self, state: &StateOf<Self>) -> Self::State;

    /// The address of the next instruction.
    fn pc(state: &Self::State) -> u32;

    /// Does QEMU log an extra state before the one to compare with `ours`? `previous` is the address of
    /// the last instruction.
    fn skips(previous: u32, ours: &Self::State, theirs: &Self::State) -> bool {
        let _ = (previous, ours, theirs);
        false
    }

    /// Are two Pennyweight machines in the same state?
    fn same(&self, a: &StateOf<Self>, b: &StateOf<Self>) -> bool {
        self.state(a) == self.state(b)
    }

    /// Runs the program in translated code, which must end as the steps did, at the same cost. Returns how
    /// often translated code ran: never for an instruction set that is not translated.
    ///
    /// # Errors
    /// It ends differently; the message describes the difference.
    fn translated(&self, program: &Program, stepped: &Stepped<'_, Self::Processor>) -> Result<u64, String> {
        let _ = (program, stepped);
        Ok(0)
    }
}

/// The driver that runs a comparison with QEMU.
#[derive(Debug)]
pub struct QemuLockstep<T> {
    qemu: Qemu,
    comparison: T,
    /// How often translated code ran.
    translated: u64,
}

impl<T> QemuLockstep<T> {
    /// A comparison with the QEMU that was found for it.
    ///
    /// # Errors
    /// None was found.
    pub fn open(qemu: Result<Qemu, String>, comparison: T) -> Result<Self, String> {
        Ok(QemuLockstep { qemu: qemu?, comparison, translated: 0 })
    }
}

impl<T: Comparison> Driver for QemuLockstep<T> {
    type Session<'a>
        = Running<'a, T>
    where
        T: 'a;

    fn peer(&self) -> String {
        self.qemu.version.clone()
    }

    fn begin(&mut self, seed: u64, short: bool) -> Result<Running<'_, T>, String> {
        let QemuLockstep { qemu, comparison, translated } = self;
        let (length, passes) = if short { (T::SHORT, 2) } else { (30_000, 4) };
        let program = comparison.program(seed, length, passes);
        let log = comparison.start(qemu, &program, &seed.to_string())?;
        let machine = comparison.reset(&program)?;
        Ok(Running { comparison, translated, log, machine, program, previous: None, begun: false })
    }

    fn remarks(&self) -> Vec<String> {
        entered(self.translated)
    }
}

/// The remark on programs that also ran as translated code, which was entered so often.
pub(crate) fn entered(runs: u64) -> Vec<String> {
    match runs {
        0 => Vec::new(),
        runs => vec![format!("every program ended the same in translated code, entered {runs} times")],
    }
}

/// A program under way on both sides.
pub struct Running<'a, T: Comparison> {
    comparison: &'a T,
    translated: &'a mut u64,
    log: Log,
    machine: Machine32<T::Processor>,
    program: Program,
    /// The address of the last instruction.
    previous: Option<u32>,
    begun: bool,
}

impl<T: Comparison> Session for Running<'_, T> {
    type State = T::State;

    fn ours(&mut self) -> Result<Option<Stretch<T::State>>, String> {
        if !self.begun {
            self.begun = true;
            let state = self.comparison.state(self.machine.state());
            return Ok(Some(Stretch { executed: Vec::new(), spent: Tally::default(), state }));
        }
        let pc = T::pc(&self.comparison.state(self.machine.state()));
        if pc == self.program.end {
            return Ok(None);
        }
        let spent = self
            .machine
            .step_counted()
            .map_err(|fault| format!("{} at {:#x}: {}", self.instruction(fault.pc), fault.pc, fault.kind))?;
        self.previous = Some(pc);
        Ok(Some(Stretch { executed: vec![pc], spent, state: self.comparison.state(self.machine.state()) }))
    }

    fn theirs(&mut self, ours: &T::State) -> Result<T::State, String> {
        let mut next = || self.comparison.logged(&mut self.log)?.ok_or_else(|| "QEMU ended".to_owned());
        let theirs = next()?;
        match self.previous {
            Some(previous) if T::skips(previous, ours, &theirs) => next(),
            _ => Ok(theirs),
        }
    }

    fn whole(&mut self, steps: Tally) -> Result<(), String> {
        let stepped = Stepped { machine: &self.machine, steps };
        whole(self.comparison, &self.program, &stepped)?;
        *self.translated += self.comparison.translated(&self.program, &stepped)?;
        Ok(())
    }

    fn instruction(&self, address: u32) -> String {
        let start = address.wrapping_sub(self.program.base) as usize;
        match self.program.bytes.get(start..start.saturating_add(4)) {
            Some(&[a, b, c, d]) => {
                format!("{:04x} {:04x}", u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]))
            }
            _ => "an instruction outside the program".into(),
        }
    }
}

/// A program after single steps.
#[derive(Debug)]
pub struct Stepped<'a, P: Processor> {
    /// The machine at the program's end.
    pub machine: &'a Machine32<P>,
    /// Instructions and cycles.
    pub steps: Tally,
}

/// A whole run must end in the same state as single steps, at the same cost, and leave the same memory.
///
/// # Errors
/// It does not; the message describes the difference.
pub(crate) fn whole<T: Comparison>(
    comparison: &T,
    program: &Program,
    stepped: &Stepped<'_, T::Processor>,
) -> Result<(), String> {
    let mut machine = comparison.reset::<T::Processor>(program)?;
    let options = CallOptions { budget: stepped.steps.cycles + 1_000_000, ..CallOptions::default() };
    let outcome = machine.run_to(program.end, &options);
    match outcome.exit {
        Exit::Returned => ends_as(comparison, program, &machine, &outcome, stepped),
        exit => Err(format!("the program ends with {exit:?}")),
    }
    .map_err(|what| format!("run as a whole, {what}"))
}

/// The same for translated code. Returns how often it ran.
///
/// Code is not translated while a stop is set in it, so the budget ends the program, in the jump to itself: the
/// cost is compared with that of an interpreted run that ends there.
///
/// # Errors
/// As [`whole`].
#[cfg(feature = "translator")]
pub(crate) fn whole_translated<T: Comparison<Processor: Guest>>(
    comparison: &T,
    program: &Program,
    stepped: &Stepped<'_, T::Processor>,
) -> Result<u64, String> {
    let mut interpreter = comparison.reset::<T::Processor>(program)?;
    let mut translator = comparison.reset::<Translated<T::Processor>>(program)?;
    translator.processor_mut().set_engine(Engine::Translator);
    let options = CallOptions { budget: stepped.steps.cycles, ..CallOptions::default() };
    let interpreted = interpreter.run_to(NOWHERE, &options);
    let translated = translator.run_to(NOWHERE, &options);
    if translated.exit != interpreted.exit {
        return Err(format!("translated, the program ends with {:?}", translated.exit));
    }
    let steps = Tally { cycles: interpreted.cycles, instructions: interpreted.instructions };
    let stepped = Stepped { machine: stepped.machine, steps };
    ends_as(comparison, program, &translator, &translated, &stepped)
        .map_err(|what| format!("translated, {what}"))?;
    Ok(translator.processor_mut().runs())
}

/// An address that no program reaches.
#[cfg(feature = "translator")]
const NOWHERE: u32 = 0xffff_fff0;

/// Compares the end of a run with that of single steps.
fn ends_as<T, P>(
    comparison: &T,
    program: &Program,
    machine: &Machine32<P>,
    outcome: &Outcome,
    &Stepped { machine: stepped, steps }: &Stepped<'_, T::Processor>,
) -> Result<(), String>
where
    T: Comparison,
    P: Processor<State = StateOf<T>>,
{
    if !comparison.same(machine.state(), stepped.state()) {
        let [mut run, mut step] = [machine.state(), stepped.state()].map(|state| comparison.state(state));
        let pairs = run.fields().into_iter().zip(step.fields());
        let pairs: Vec<String> = pairs
            .map(|(run, step)| (run.name, run.value.to_string(), step.value.to_string()))
            .filter(|(_, run, step)| run != step)
            .map(|(name, run, step)| format!("{name} is {run}, not {step}"))
            .collect();
        return Err(format!("the program ends in another state: {}", pairs.join(", ")));
    }
    if (outcome.instructions, outcome.cycles) != (steps.instructions, steps.cycles) {
        return Err(format!(
            "the program takes {} instructions and {} cycles, step by step {} and {}",
            outcome.instructions, outcome.cycles, steps.instructions, steps.cycles
        ));
    }
    if ram(machine, program) != ram(stepped, program) {
        return Err("the program leaves other memory than step by step".into());
    }
    Ok(())
}

/// What a program left in RAM.
fn ram<P: Processor>(machine: &Machine32<P>, program: &Program) -> Result<Vec<u8>, OutOfMap> {
    let mut bytes = vec![0; program.ram.1 as usize];
    machine.read(program.ram.0, &mut bytes).map(|()| bytes)
}

/// Without QEMU: a program run as a whole must agree with its single steps, to the cycle. Returns before
/// how many of the steps `counts` is true.
#[cfg(test)]
pub(crate) fn check_run<T: Comparison>(
    comparison: &T,
    seed: u64,
    (length, passes): (usize, u32),
    counts: impl Fn(&Machine32<T::Processor>) -> bool,
) -> u64 {
    let program = comparison.program(seed, length, passes);
    let (machine, steps, counted) = stepped(comparison, &program, seed, counts);
    let ends = |steps| whole(comparison, &program, &Stepped { machine: &machine, steps });
    ends(steps).unwrap_or_else(|what| panic!("seed {seed}: {what}"));
    let dearer = Tally { cycles: steps.cycles + 1, ..steps };
    let found = ends(dearer).expect_err("a wrong number of cycles is found");
    assert!(found.contains("cycles, step by step"), "{found}");
    counted
}

/// Without QEMU: translated code must end a program as single steps do.
#[cfg(all(test, feature = "translator"))]
pub(crate) fn check_translated<T: Comparison<Processor: Guest>>(
    comparison: &T,
    seed: u64,
    (length, passes): (usize, u32),
) {
    let program = comparison.program(seed, length, passes);
    let (machine, steps, _) = stepped(comparison, &program, seed, |_| false);
    let ends = |steps| whole_translated(comparison, &program, &Stepped { machine: &machine, steps });
    let runs = ends(steps).unwrap_or_else(|what| panic!("seed {seed}: {what}"));
    assert!(runs > 0, "seed {seed}: nothing was translated");
    let half = Tally { cycles: steps.cycles / 2, ..steps };
    let found = ends(half).expect_err("the middle of the program is not its end");
    assert!(found.starts_with("translated, the program ends in another state"), "{found}");
}

/// The machine after single steps to the program's end, their cost, and before how many `counts` is true.
#[cfg(test)]
fn stepped<T: Comparison>(
    comparison: &T,
    program: &Program,
    seed: u64,
    counts: impl Fn(&Machine32<T::Processor>) -> bool,
) -> (Machine32<T::Processor>, Tally, u64) {
    let mut machine = comparison.reset::<T::Processor>(program).expect("the board takes the program");
    let (mut steps, mut counted) = (Tally::default(), 0);
    while T::pc(&comparison.state(machine.state())) != program.end {
        counted += u64::from(counts(&machine));
        let step = machine.step_counted().unwrap_or_else(|fault| panic!("seed {seed}: {fault:?}"));
        steps.cycles += step.cycles;
        steps.instructions += step.instructions;
    }
    assert!(steps.instructions > 1000, "seed {seed}: {steps:?}");
    (machine, steps, counted)
}
