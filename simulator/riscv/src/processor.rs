//! A RISC-V core as [`Processor`], around which the generic machine is put.

use pennyweight_machine::account::Tally;
use pennyweight_machine::board::BoardError;
use pennyweight_machine::guard::Watch;
use pennyweight_machine::image::Architecture;
use pennyweight_machine::{Fault, LoadError};
use pennyweight_machine32::{Abi, Call, End, Machine32, Parts, Processor, Report, ILP32};
use pennyweight_memory::parts::Memories;
use pennyweight_memory::timing::{Fetch, FlashTiming, Models};

use crate::core::{Core, Predictor, CORES};
use crate::effects::Known;
use crate::extensions::Extensions;
use crate::observe;
use crate::pipeline::Pending;
use crate::program::Program;
use crate::registers::Reg;
use crate::run::{self, Run, Single, State};

/// What RA holds when a called function begins: going there ends the call. The last halfword of
/// the address space is no part's memory.
const RETURN: u32 = 0xffff_fffe;

/// A RISC-V core with one flash and one RAM.
pub type RiscvMachine = Machine32<Riscv>;

/// A RISC-V core and its decoded program.
#[derive(Clone, Debug)]
pub struct Riscv {
    pub(crate) program: Program,
    entry: u32,
}

impl Processor for Riscv {
    type State = State;
    type History = Predictor;
    /// Is the instruction in the table of decoded code?
    type Ahead = bool;
    type Step = Single;
    type Notes = Known;

    const ARCHITECTURE: Architecture = Architecture::RiscV;
    const MODELS: Models = Models::ZERO_WAIT.and(Models::INSTRUCTION_CACHE);
    const RESULT: u32 = Reg::A0 as u32;

    fn new(parts: &Parts<'_>) -> Result<Self, LoadError> {
        let board = parts.board;
        let refuse_core =
            |what: String| LoadError::Board(BoardError(format!("board {}: core.{what}", board.id)));
        let core = Core::find(&board.core).ok_or_else(|| {
            let names: Vec<&str> = CORES.iter().map(|core| core.name).collect();
            let (name, known) = (&board.core, names.join(", "));
            refuse_core(format!("name is {name:?}, but the RISC-V simulator has only {known}; correct it"))
        })?;
        let extensions = Extensions::from_names(&board.extensions).map_err(|name| {
            refuse_core(format!(
                "extensions has {name:?}, which is none of \"zba\", \"zbb\", \"zbkb\"; correct it"
            ))
        })?;
        let (line_shift, base) = (parts.flash.line_shift(), parts.memories.flash_base);
        Ok(Riscv {
            program: Program::new(core, extensions, line_shift, base, parts.used),
            entry: parts.entry,
        })
    }

    fn abi(&self) -> &Abi {
        &ILP32
    }

    fn fresh(&self, _: &Memories) -> (State, Predictor) {
        let core = self.program.core();
        let state = State { pc: self.entry, ..State::default() };
        (state, Predictor::new(core.predictor, core.mispredicted))
    }

    fn counter(&self, address: u32) -> u32 {
        address & !1
    }

    fn pc(state: &State) -> u32 {
        state.pc
    }

    fn stack_pointer(state: &State) -> u32 {
        state.registers[Reg::SP]
    }

    fn register(state: &State, number: u32) -> u32 {
        state.registers[Reg::source(number)]
    }

    fn enter(
        &self,
        state: &mut State,
        predictor: &mut Predictor,
        pc: u32,
        stack: u32,
        arguments: &[u32],
    ) -> Call {
        for (number, &word) in (Reg::A0 as u32..).zip(arguments) {
            state.registers[Reg::source(number)] = word;
        }
        state.registers[Reg::SP] = stack;
        state.registers[Reg::RA] = RETURN;
        state.pc = pc;
        state.pending = Pending::default();
        state.reserved = None;
        // As the call instruction would have done.
        predictor.push(RETURN);
        Call { stop: RETURN, result: Self::RESULT }
    }

    fn ran(state: &mut State, tally: Tally) {
        state.csrs.cycles += tally.cycles;
        state.csrs.instructions += tally.instructions;
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
    ) -> Result<Single, Fault> {
        run::step(run, from)
    }

    fn ahead<T: FlashTiming, F: Fetch, W: Watch>(run: &mut Run<'_, '_, T, F, W>) -> bool {
        let (program, pc) = (&mut run.processor.program, run.state.pc);
        program.position(pc).is_some() || program.extend(run.bus.flash, pc).is_some()
    }

    fn report<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Run<'_, '_, T, F, W>,
        is_decoded: bool,
        single: Single,
        known: &mut Known,
        effects: bool,
    ) -> Report {
        observe::report(run.processor.program.core(), is_decoded, &single, known, effects)
    }
}
