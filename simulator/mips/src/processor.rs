//! A MIPS core as [`Processor`], around which the generic machine is put.

use std::collections::HashSet;

use pennyweight_machine::guard::Watch;
use pennyweight_machine::image::Architecture;
use pennyweight_machine::instruction_set::Simulated;
use pennyweight_machine::{Board, BoardError, CoreFile, Fault, Image, InstructionSet, LoadError};
use pennyweight_machine32::{self as machine32, Abi, Call, End, Machine32, Parts, Processor, Report, O32};
use pennyweight_memory::parts::Memories;
use pennyweight_memory::timing::{Fetch, FlashTiming, Models};

use crate::core::Core;
use crate::observe::{Ahead, Notes};
use crate::op::{Op, Reg};
use crate::run::{decoded, decoded_short, Execution, State};
use crate::short::Short;

/// What the return address register holds when a called function begins: going there ends the call.
/// No part has memory at the end of the address space.
const RETURN: u32 = 0xffff_fffc;

/// Its name in core files.
const NAME: &str = "mips32r2";
/// Code of 16 bits.
pub(crate) const SHORT: &str = "mips16e";

/// This crate's entry in the list of instruction sets.
pub const INSTRUCTION_SET: InstructionSet = InstructionSet {
    package: env!("CARGO_PKG_NAME"),
    names: &[NAME],
    check_core: |core| Ok(Mips::check(core)?),
    random: false,
    check_board: MipsMachine::check,
};

/// The interpreter's board with an image loaded. Compiled where it is used.
///
/// # Errors
/// As for [`Machine32::new`].
#[inline]
pub fn machine(board: &Board, image: &Image) -> Result<Simulated, LoadError> {
    Ok(Box::new(MipsMachine::new(board, image)?))
}

/// A MIPS core with one flash and one RAM.
pub type MipsMachine = Machine32<Mips>;

/// What a run works on.
pub type Run<'r, 'm, T, F, W> = machine32::Run<'r, 'm, Mips, T, F, W>;

/// A MIPS core and its decoded program.
#[derive(Clone, Debug)]
pub struct Mips {
    core: Core,
    ops: Vec<Op>,
    shorts: Vec<Short>,
    has_short: bool,
    /// The addresses of symbols that mark 16-bit code.
    short_code: HashSet<u32>,
    entry: u32,
}

/// Does something with the loop's own variables.
fn executing<T: FlashTiming, F: Fetch, W: Watch, R>(
    run: &mut Run<'_, '_, T, F, W>,
    act: impl FnOnce(&mut Execution<'_, T, W>, &mut State) -> R,
) -> R {
    let Mips { core, ops, shorts, has_short, .. } = &*run.processor;
    let mut execution =
        Execution { core, ops, shorts, has_short: *has_short, bus: run.bus.local(), tally: run.tally };
    let result = act(&mut execution, run.state);
    let Execution { bus, tally, .. } = execution;
    (run.bus.watch, run.bus.timing, run.tally) = (bus.watch, bus.timing, tally);
    result
}

#[cfg(feature = "translator")]
impl Mips {
    /// The core.
    #[must_use]
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// Decoded flash, a word each.
    #[must_use]
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// As [`Execution::run_on`].
    ///
    /// # Errors
    /// The fault of an instruction.
    pub fn run_on<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Run<'_, '_, T, F, W>,
        budget: u64,
    ) -> Result<bool, Fault> {
        executing(run, |execution, state| execution.run_on(state, budget))
    }

    /// The report on the instruction just executed, as [`Processor::report`] makes it.
    pub fn report_single(&self, ahead: Ahead, state: &State, notes: &mut Notes, effects: bool) -> Report {
        notes.report(ahead, &self.core, state, effects)
    }
}

impl Processor for Mips {
    type State = State;
    type History = ();
    type Ahead = Ahead;
    type Step = ();
    type Notes = Notes;

    const ARCHITECTURE: Architecture = Architecture::Mips;
    const MODELS: Models = Models::ZERO_WAIT.union(Models::STREAM);
    const RESULT: u32 = Reg::V0.0 as u32;

    fn check(core: &CoreFile) -> Result<(), BoardError> {
        core.one_of("instruction_set", &core.instruction_set, &[NAME])?;
        core.check_bits(32)?;
        core.check_extensions(&[SHORT])?;
        Abi::of_core(core, &[O32.name])?;
        Core::of_file(core).map(drop)
    }

    /// The part's entry is odd if its code is 16-bit code.
    fn new(parts: &Parts<'_>) -> Result<Self, LoadError> {
        let core = Core::of_file(&parts.board.core)?;
        let has_short = parts.extensions.iter().any(|name| name == SHORT);
        let Memories { flash, flash_base, .. } = parts.memories;
        Ok(Mips {
            core,
            ops: decoded(flash, *flash_base, parts.used),
            shorts: if has_short { decoded_short(flash, *flash_base, parts.used) } else { Vec::new() },
            has_short,
            short_code: parts.image.map(|image: &Image| image.mips16().collect()).unwrap_or_default(),
            entry: parts.entry,
        })
    }

    fn missing_extension(&self, state: &State, _: u32) -> Option<&'static str> {
        (!self.has_short && state.pc & 1 == 1).then_some(SHORT)
    }

    fn abi(&self) -> &Abi {
        &O32
    }

    fn fresh(&self, _: &Memories) -> (State, ()) {
        (State::new(self.counter(self.entry)), ())
    }

    /// Bit 0 is set if it is the address of 16-bit code.
    fn counter(&self, address: u32) -> u32 {
        address | u32::from(self.short_code.contains(&address))
    }

    fn pc(state: &State) -> u32 {
        state.pc & !1
    }

    fn is_at(state: &State, stop: u32) -> bool {
        state.is_at(stop)
    }

    fn stack_pointer(state: &State) -> u32 {
        state.registers[Reg::SP]
    }

    fn register(state: &State, number: u32) -> u32 {
        state.registers[Reg(number as u8)]
    }

    fn enter(&self, state: &mut State, _: &mut (), pc: u32, stack: u32, arguments: &[u32]) -> Call {
        for (number, &word) in (Reg::A0.0..).zip(arguments) {
            state.registers[Reg(number)] = word;
        }
        state.registers[Reg::SP] = stack;
        state.registers[Reg::RA] = RETURN;
        state.jump(pc);
        state.pipeline = Default::default();
        Call { stop: RETURN, result: Self::RESULT }
    }

    fn run<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Run<'_, '_, T, F, W>,
        stop: u32,
        budget: u64,
    ) -> End {
        executing(run, |execution, state| execution.run(state, stop, budget))
    }

    fn step<T: FlashTiming, F: Fetch, W: Watch>(run: &mut Run<'_, '_, T, F, W>, _: u32) -> Result<(), Fault> {
        executing(run, |execution, state| execution.step(state))
    }

    fn ahead<T: FlashTiming, F: Fetch, W: Watch>(run: &mut Run<'_, '_, T, F, W>) -> Ahead {
        executing(run, |execution, state| execution.ahead(state))
    }

    fn report<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Run<'_, '_, T, F, W>,
        ahead: Ahead,
        (): (),
        notes: &mut Notes,
        effects: bool,
    ) -> Report {
        notes.report(ahead, &run.processor.core, run.state, effects)
    }
}
