//! A lock step of a 32-bit core with QEMU: what each instruction set provides, and what all share.

use pennyweight_machine::account::Tally;
use pennyweight_machine::{CallOptions, Exit, Machine};
use pennyweight_machine32::{Machine32, Processor};

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

    /// Our machine before the program's first instruction.
    ///
    /// # Errors
    /// The board refuses the program.
    fn reset(&self, program: &Program) -> Result<Machine32<Self::Processor>, String>;

    /// Its state, as QEMU logs it.
    fn state(&self, machine: &Machine32<Self::Processor>) -> Self::State;

    /// The address of the next instruction.
    fn pc(state: &Self::State) -> u32;

    /// Does QEMU log an extra state before the one to compare with `ours`? `previous` is the address of
    /// the last instruction.
    fn skips(previous: u32, ours: &Self::State, theirs: &Self::State) -> bool {
        let _ = (previous, ours, theirs);
        false
    }

    /// Are two Pennyweight machines in the same state?
    fn same(&self, a: &Machine32<Self::Processor>, b: &Machine32<Self::Processor>) -> bool {
        self.state(a) == self.state(b)
    }
}

/// The driver that runs a comparison with QEMU.
#[derive(Debug)]
pub struct QemuLockstep<T> {
    qemu: Qemu,
    comparison: T,
}

impl<T> QemuLockstep<T> {
    /// A comparison with the QEMU that was found for it.
    ///
    /// # Errors
    /// None was found.
    pub fn open(qemu: Result<Qemu, String>, comparison: T) -> Result<Self, String> {
        Ok(QemuLockstep { qemu: qemu?, comparison })
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
        let comparison = &self.comparison;
        let (length, passes) = if short { (T::SHORT, 2) } else { (30_000, 4) };
        let program = comparison.program(seed, length, passes);
        let log = comparison.start(&self.qemu, &program, &seed.to_string())?;
        let machine = comparison.reset(&program)?;
        Ok(Running { comparison, log, machine, program, previous: None, begun: false })
    }
}

/// A program under way on both sides.
pub struct Running<'a, T: Comparison> {
    comparison: &'a T,
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
            let state = self.comparison.state(&self.machine);
            return Ok(Some(Stretch { executed: Vec::new(), spent: Tally::default(), state }));
        }
        let pc = T::pc(&self.comparison.state(&self.machine));
        if pc == self.program.end {
            return Ok(None);
        }
        let spent = self
            .machine
            .step_counted()
            .map_err(|fault| format!("{} at {:#x}: {}", self.instruction(fault.pc), fault.pc, fault.kind))?;
        self.previous = Some(pc);
        Ok(Some(Stretch { executed: vec![pc], spent, state: self.comparison.state(&self.machine) }))
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
        whole(self.comparison, &self.program, &self.machine, steps)
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

/// A whole run must end in the same state as single steps, at the same cost, and leave the same memory.
///
/// # Errors
/// It does not; the message describes the difference.
pub(crate) fn whole<T: Comparison>(
    comparison: &T,
    program: &Program,
    stepped: &Machine32<T::Processor>,
    steps: Tally,
) -> Result<(), String> {
    let mut machine = comparison.reset(program)?;
    let options = CallOptions { budget: steps.cycles + 1_000_000, ..CallOptions::default() };
    let outcome = machine.run_to(program.end, &options);
    if outcome.exit != Exit::Returned {
        return Err(format!("run as a whole, the program ends with {:?}", outcome.exit));
    }
    if !comparison.same(&machine, stepped) {
        let [mut run, mut step] = [comparison.state(&machine), comparison.state(stepped)];
        let pairs = run.fields().into_iter().zip(step.fields());
        let pairs: Vec<String> = pairs
            .map(|(run, step)| (run.name, run.value.to_string(), step.value.to_string()))
            .filter(|(_, run, step)| run != step)
            .map(|(name, run, step)| format!("{name} is {run}, not {step}"))
            .collect();
        return Err(format!("run as a whole, the program ends in another state: {}", pairs.join(", ")));
    }
    if (outcome.instructions, outcome.cycles) != (steps.instructions, steps.cycles) {
        return Err(format!(
            "run as a whole, the program takes {} instructions and {} cycles, step by step {} and {}",
            outcome.instructions, outcome.cycles, steps.instructions, steps.cycles
        ));
    }
    let bytes = |machine: &Machine32<T::Processor>| {
        let mut bytes = vec![0; program.ram.1 as usize];
        machine.read(program.ram.0, &mut bytes).map(|()| bytes)
    };
    if bytes(&machine) != bytes(stepped) {
        return Err("run as a whole, the program leaves other memory than step by step".into());
    }
    Ok(())
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
    let mut machine = comparison.reset(&program).expect("the board takes the program");
    let (mut steps, mut counted) = (Tally::default(), 0);
    while T::pc(&comparison.state(&machine)) != program.end {
        counted += u64::from(counts(&machine));
        let step = machine.step_counted().unwrap_or_else(|fault| panic!("seed {seed}: {fault:?}"));
        steps.cycles += step.cycles;
        steps.instructions += step.instructions;
    }
    assert!(steps.instructions > 1000, "seed {seed}: {steps:?}");
    whole(comparison, &program, &machine, steps).unwrap_or_else(|what| panic!("seed {seed}: {what}"));
    let dearer = Tally { cycles: steps.cycles + 1, ..steps };
    let found = whole(comparison, &program, &machine, dearer).expect_err("a wrong number of cycles is found");
    assert!(found.contains("cycles, step by step"), "{found}");
    counted
}
