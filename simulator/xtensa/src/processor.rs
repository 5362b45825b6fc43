//! An Xtensa core as [`Processor`], around which the generic machine is put.

use pennyweight_machine::account::Tally;
use pennyweight_machine::guard::Watch;
use pennyweight_machine::image::Architecture;
use pennyweight_machine::instruction_set::Simulated;
use pennyweight_machine::{Board, BoardError, CoreFile, Fault, Image, InstructionSet, LoadError};
use pennyweight_machine32::{Abi, Call, End, Machine32, Parts, Processor, Report, CALL0};
use pennyweight_memory::parts::Memories;
use pennyweight_memory::timing::{Fetch, FlashTiming, Models};

use crate::core::{Core, NAMES};
use crate::decode::plain;
use crate::observe::{self, Ahead, InstructionEffects};
use crate::op::{Code, Reg};
use crate::program::Program;
use crate::run::{self, Run, Single, State};

/// What a0 holds when a called function begins: going there ends the call. No part has memory at
/// the end of the address space.
const RETURN: u32 = 0xffff_fffc;
/// The same of a windowed call, whose return address has no upper two bits: they are those of the
/// code, and no part has memory at the end of a quarter of the address space.
const WINDOWED_RETURN: u32 = 0x3fff_fffc;
/// Windowed calls move the window by so many fours, as compilers do (CALL8).
const STEP: u32 = 2;
/// The first register with an argument, and the one with the result.
const FIRST: u32 = 2;

/// Its name in core files.
const NAME: &str = "xtensa";

/// This crate's entry in the list of instruction sets.
pub const INSTRUCTION_SET: InstructionSet = InstructionSet {
    package: env!("CARGO_PKG_NAME"),
    names: &[NAME],
    check_core: |core| Ok(Xtensa::check(core)?),
    random: false,
    check_board: XtensaMachine::check,
};

/// The interpreter's board with an image loaded. Compiled where it is used.
///
/// # Errors
/// As for [`Machine32::new`].
#[inline]
pub fn machine(board: &Board, image: &Image) -> Result<Simulated, LoadError> {
    Ok(Box::new(XtensaMachine::new(board, image)?))
}

/// An Xtensa core with one flash and one RAM, without wait states.
pub type XtensaMachine = Machine32<Xtensa>;

/// An Xtensa core and its decoded program.
#[derive(Clone, Debug)]
pub struct Xtensa {
    pub(crate) program: Program,
    entry: u32,
}

#[cfg(feature = "translator")]
impl Xtensa {
    /// The decoded program.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The decoded program, to decode more of it.
    pub fn program_mut(&mut self) -> &mut Program {
        &mut self.program
    }

    /// The report on the instruction just executed, as [`Processor::report`] makes it.
    #[must_use]
    pub fn report_single(
        ahead: &Ahead,
        single: Option<Single>,
        state: &State,
        known: &mut InstructionEffects,
        effects: bool,
    ) -> Report {
        observe::report(ahead, single, state, known, effects)
    }
}

impl Processor for Xtensa {
    type State = State;
    type History = ();
    type Ahead = Ahead;
    type Step = Option<Single>;
    type Notes = InstructionEffects;

    const ARCHITECTURE: Architecture = Architecture::Xtensa;
    const MODELS: Models = Models::ZERO_WAIT;
    const RESULT: u32 = FIRST;

    fn check(core: &CoreFile) -> Result<(), BoardError> {
        core.one_of("instruction_set", &core.instruction_set, &[NAME])?;
        core.check_bits(32)?;
        core.check_extensions(&NAMES)?;
        Abi::of_core(core, &[CALL0.name])?;
        Core::of_file(core, &core.extensions).map(drop)
    }

    fn new(parts: &Parts<'_>) -> Result<Self, LoadError> {
        let core = Core::of_file(&parts.board.core, parts.extensions)?;
        let program = Program::new(core, parts.memories.flash_base, parts.used);
        Ok(Xtensa { program, entry: parts.entry })
    }

    fn missing_extension(&self, _: &State, opcode: u32) -> Option<&'static str> {
        let has = self.program.core().options;
        if plain(opcode, 0, has).code != Code::Undefined {
            return None;
        }
        let with = |name: &str| plain(opcode, 0, has.with(name)).code != Code::Undefined;
        NAMES.into_iter().find(|name| with(name))
    }

    fn abi(&self) -> &Abi {
        &CALL0
    }

    fn fresh(&self, _: &Memories) -> (State, ()) {
        (State::new(self.program.core(), self.entry), ())
    }

    fn pc(state: &State) -> u32 {
        state.pc
    }

    fn stack_pointer(state: &State) -> u32 {
        state.registers[Reg::SP]
    }

    fn register(state: &State, number: u32) -> u32 {
        state.registers[Reg(number as u8)]
    }

    /// The windowed ABI if start-up has switched windows on, as it does where functions are compiled for
    /// them: as if CALL8 had just gone to `pc`, where ENTRY is.
    fn enter(&self, state: &mut State, _: &mut (), pc: u32, stack: u32, arguments: &[u32]) -> Call {
        let windowed = state.extra.windows.checked();
        let window = if windowed { 4 * STEP } else { 0 };
        for (number, &word) in (window + FIRST..).zip(arguments) {
            state.registers[Reg(number as u8)] = word;
        }
        let stop = if windowed {
            state.registers[Reg(window as u8)] = STEP << 30 | WINDOWED_RETURN;
            state.extra.windows.set_callinc(STEP);
            pc & 0xc000_0000 | WINDOWED_RETURN
        } else {
            state.registers[Reg::A0] = RETURN;
            RETURN
        };
        state.registers[Reg::SP] = stack;
        state.pc = pc;
        state.before = None;
        Call { stop, result: window + FIRST }
    }

    fn ran(state: &mut State, tally: Tally) {
        state.cycles += tally.cycles;
    }

    fn run<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Run<'_, '_, T, F, W>,
        stop: u32,
        budget: u64,
    ) -> End {
        run.processor.program.set_stop(stop);
        let end = run::run(run, stop, budget);
        run.processor.program.clear_stop();
        end
    }

    fn step<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Run<'_, '_, T, F, W>,
        from: u32,
    ) -> Result<Option<Single>, Fault> {
        run::step(run, from)
    }

    fn ahead<T: FlashTiming, F: Fetch, W: Watch>(run: &mut Run<'_, '_, T, F, W>) -> Ahead {
        let (program, pc) = (&mut run.processor.program, run.state.pc);
        let is_decoded = program.position(pc).is_some() || program.extend(run.bus.flash, pc).is_some();
        Ahead { pc, is_decoded, windows: run.state.extra.windows }
    }

    fn report<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Run<'_, '_, T, F, W>,
        ahead: Ahead,
        single: Option<Single>,
        known: &mut InstructionEffects,
        effects: bool,
    ) -> Report {
        observe::report(&ahead, single, run.state, known, effects)
    }
}
