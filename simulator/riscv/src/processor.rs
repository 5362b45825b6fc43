//! A RISC-V core as [`Processor`], around which the generic machine is put.

use pennyweight_machine::account::Tally;
use pennyweight_machine::guard::Watch;
use pennyweight_machine::image::Architecture;
use pennyweight_machine::instruction_set::Simulated;
use pennyweight_machine::{Board, BoardError, CoreFile, Fault, Image, InstructionSet, LoadError};
use pennyweight_machine32::{Abi, Call, End, Machine32, Parts, Processor, Report, ILP32, ILP32E};
use pennyweight_memory::parts::Memories;
use pennyweight_memory::timing::{Fetch, FlashTiming, Models};

use crate::core::{Core, Jumps};
use crate::csr::Csrs;
use crate::decode::decode;
use crate::effects::InstructionEffects;
use crate::extensions::{self, Extensions};
use crate::observe;
use crate::op::Code;
use crate::pipeline::Pending;
use crate::program::Program;
use crate::registers::Reg;
use crate::run::{self, Run, Single, State};

/// What RA holds when a called function begins: going there ends the call. The last halfword of
/// the address space is not memory on any part.
const RETURN: u32 = 0xffff_fffe;

/// RV32E's name in core files.
const EMBEDDED: &str = "rv32e";
/// The bases that there are.
const SETS: [&str; 2] = ["rv32i", EMBEDDED];

/// This crate's entry in the list of instruction sets.
pub const INSTRUCTION_SET: InstructionSet = InstructionSet {
    package: env!("CARGO_PKG_NAME"),
    names: &SETS,
    check_core: |core| Ok(Riscv::check(core)?),
    random: false,
    check_board: RiscvMachine::check,
};

/// The interpreter's board with an image loaded. Compiled where it is used.
///
/// # Errors
/// As for [`Machine32::new`].
#[inline]
pub fn machine(board: &Board, image: &Image) -> Result<Simulated, LoadError> {
    Ok(Box::new(RiscvMachine::new(board, image)?))
}

/// A RISC-V core with one flash and one RAM.
pub type RiscvMachine = Machine32<Riscv>;

/// A RISC-V core and its decoded program.
#[derive(Clone, Debug)]
pub struct Riscv {
    pub(crate) program: Program,
    abi: &'static Abi,
    entry: u32,
}

#[cfg(feature = "translator")]
impl Riscv {
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
        &self,
        is_decoded: bool,
        single: &Single,
        known: &mut InstructionEffects,
        effects: bool,
    ) -> Report {
        observe::report(self.program.core(), is_decoded, single, known, effects)
    }
}

impl Processor for Riscv {
    type State = State;
    type History = Jumps;
    /// Is the instruction in the table of decoded code?
    type Ahead = bool;
    type Step = Single;
    type Notes = InstructionEffects;

    const ARCHITECTURE: Architecture = Architecture::RiscV;
    const MODELS: Models = Models::ZERO_WAIT.union(Models::INSTRUCTION_CACHE).union(Models::FETCH_BUFFER);
    const RESULT: u32 = Reg::A0 as u32;

    fn check(core: &CoreFile) -> Result<(), BoardError> {
        let set = core.one_of("instruction_set", &core.instruction_set, &SETS)?;
        core.check_bits(32)?;
        core.check_extensions(&extensions::NAMES)?;
        Abi::of_core(core, &[if set == EMBEDDED { ILP32E.name } else { ILP32.name }])?;
        Core::of_file(core).map(drop)
    }

    fn models(core: &CoreFile) -> Models {
        Core::flash_models(&core.timing)
    }

    fn new(parts: &Parts<'_>) -> Result<Self, LoadError> {
        let embedded = parts.board.core.instruction_set == EMBEDDED;
        let extensions = Extensions::new(embedded, parts.extensions);
        let (line_shift, base) = (parts.flash.line_shift(), parts.memories.flash_base);
        let core = Core::of_file(&parts.board.core)?;
        Ok(Riscv {
            program: Program::new(core, extensions, line_shift, base, parts.used),
            abi: if embedded { &ILP32E } else { &ILP32 },
            entry: parts.entry,
        })
    }

    fn missing_extension(&self, _: &State, opcode: u32) -> Option<&'static str> {
        let has = self.program.extensions();
        let (first, second) = (opcode as u16, (opcode >> 16) as u16);
        if decode(first, second, 0, has).code != Code::Undefined {
            return None;
        }
        let with = |name: &str| decode(first, second, 0, has.with(name)).code != Code::Undefined;
        let any = Extensions { embedded: false, ..has };
        if has.embedded && decode(first, second, 0, any).code != Code::Undefined {
            return Some("i");
        }
        // XW and Zcb share encodings. On RV32I those of XW are the extension D's loads and stores.
        let xw = has.embedded.then_some(extensions::XW);
        let names = extensions::NAMES.into_iter().filter(|name| *name != extensions::XW);
        xw.into_iter().chain(names).find(|name| with(name))
    }

    fn abi(&self) -> &Abi {
        self.abi
    }

    fn fresh(&self, _: &Memories) -> (State, Jumps) {
        let core = self.program.core();
        let csrs = Csrs::new(self.program.extensions());
        let state = State { pc: self.entry, csrs, ..State::default() };
        (state, Jumps::new(core.jumps))
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

    fn enter(&self, state: &mut State, jumps: &mut Jumps, pc: u32, stack: u32, arguments: &[u32]) -> Call {
        for (number, &word) in (Reg::A0 as u32..).zip(arguments) {
            state.registers[Reg::source(number)] = word;
        }
        state.registers[Reg::SP] = stack;
        state.registers[Reg::RA] = RETURN;
        state.pc = pc;
        state.pending = Pending::default();
        state.reserved = None;
        // As the call instruction would have done.
        jumps.called(pc, RETURN);
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
        known: &mut InstructionEffects,
        effects: bool,
    ) -> Report {
        observe::report(run.processor.program.core(), is_decoded, &single, known, effects)
    }
}
