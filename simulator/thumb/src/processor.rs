//! A Cortex-M core as [`Processor`], around which the generic machine is put.

use pennyweight_machine::guard::Watch;
use pennyweight_machine::image::Architecture;
use pennyweight_machine::{Access, BoardError, CoreFile, Fault, FaultKind, LoadError};
use pennyweight_machine32::{self as machine32, Abi, Call, End, Machine32, Parts, Processor, Report, AAPCS};
use pennyweight_memory::parts::Memories;
use pennyweight_memory::timing::{Fetch, FlashTiming, Models};

use crate::core::Core;
use crate::effects::{InstructionEffects, ItCondition};
use crate::observe::{self, Ahead};
use crate::op::{InstructionSet as _, ItState};
use crate::program::Program;
use crate::registers::Reg;
use crate::run::{self, Single, State};
use crate::v6m::Code;
use crate::v7m::{Kind, V7em, V7m, V8m};

/// What LR holds when a called function begins: going there ends the call. No part has memory
/// there (DDI 0419, B3.1: System space).
const RETURN: u32 = 0xffff_fffe;

/// A Cortex-M core with one flash and one RAM.
pub type ThumbMachine<C> = Machine32<Thumb<C>>;

/// What a run works on.
pub type Run<'r, 'm, C, T, F, W> = machine32::Run<'r, 'm, Thumb<C>, T, F, W>;

/// A Cortex-M core and its decoded program.
#[derive(Clone, Debug)]
pub struct Thumb<C: Core> {
    program: Program<C>,
}

#[cfg(feature = "translator")]
impl<C: Core> Thumb<C> {
    /// The decoded program.
    #[must_use]
    pub fn program(&self) -> &Program<C> {
        &self.program
    }

    /// The report on the instruction just executed, as [`Processor::report`] makes it.
    #[must_use]
    pub fn report_single(
        ahead: Ahead,
        single: &Single<C>,
        state: &State,
        known: &mut InstructionEffects,
        effects: bool,
    ) -> Report {
        observe::report(ahead, single, state, known, effects)
    }
}

/// What a core's file describes, if that is a core of this kind.
fn core_of<C: Core>(core: &CoreFile) -> Result<C, BoardError> {
    core.one_of("instruction_set", &core.instruction_set, &[C::Set::NAME])?;
    core.one_of("[timing]: model", &core.timing, &[C::MODEL])?;
    core.check_bits(32)?;
    core.check_extensions(&[])?;
    Abi::of_core(core, &[AAPCS.name])?;
    let mut parameters = core.parameters();
    let found = C::new(&mut parameters)?;
    parameters.finish()?;
    Ok(found)
}

impl<C: Core> Processor for Thumb<C> {
    type State = State;
    type History = ();
    type Ahead = Ahead;
    type Step = Single<C>;
    type Notes = InstructionEffects;

    const ARCHITECTURE: Architecture = Architecture::Arm;
    const MODELS: Models = Models::ZERO_WAIT
        .union(Models::PREFETCH)
        .union(Models::STREAM)
        .union(Models::BUS_MATRIX)
        .union(Models::CACHE)
        .union(Models::ASSOCIATIVE_CACHE);
    const FETCHED_AHEAD: u32 = C::FETCHED_AHEAD;
    const COLD_AFTER_RESTORE: bool = true;
    const RESULT: u32 = Reg::R0 as u32;

    fn check(core: &CoreFile) -> Result<(), BoardError> {
        core_of::<C>(core).map(drop)
    }

    fn new(parts: &Parts<'_>) -> Result<Self, LoadError> {
        let core = core_of::<C>(&parts.board.core)?;
        // Literals that a buffer of data may hold are looked up by their address.
        let fold = !parts.flash.looks_up_data();
        let Memories { flash, flash_base, .. } = parts.memories;
        Ok(Thumb { program: Program::new(core, flash, *flash_base, parts.used.div_ceil(4), fold) })
    }

    /// What another set of the family has.
    fn missing_extension(&self, _: &State, opcode: u32) -> Option<&'static str> {
        // A halfword alone is an instruction of 16 bits.
        let (first, second) = if opcode >> 16 == 0 { (opcode, 0) } else { (opcode >> 16, opcode) };
        let (first, second) = (first as u16, second as u16);
        let defined = |kind| !matches!(kind, Kind::Base(Code::Undefined));
        if !C::Set::is_undefined(&C::Set::decode(first, second, 0, false)) {
            None
        } else if defined(V7m::decode(first, second, 0, false).code.kind) {
            Some(V7m::NAME)
        } else if defined(V7em::decode(first, second, 0, false).code.kind) {
            Some(V7em::NAME)
        } else if defined(V8m::decode(first, second, 0, false).code.kind) {
            Some(V8m::NAME)
        } else {
            None
        }
    }

    fn abi(&self) -> &Abi {
        &AAPCS
    }

    fn fresh(&self, memories: &Memories) -> (State, ()) {
        (State::at_reset(&memories.flash), ())
    }

    fn begin(&self, state: &mut State) -> Result<(), Fault> {
        let pc = state.pc;
        if pc & 1 == 0 {
            let kind = FaultKind::Unmapped { address: pc, size: 2, access: Access::Execute };
            return Err(Fault { kind, pc });
        }
        state.pc = pc & !1;
        Ok(())
    }

    fn boot_limit(memories: &Memories) -> u32 {
        memories.ram_base
    }

    fn counter(&self, address: u32) -> u32 {
        address & !1
    }

    fn pc(state: &State) -> u32 {
        state.pc
    }

    fn stack_pointer(state: &State) -> u32 {
        state.registers[Reg::Sp]
    }

    fn register(state: &State, number: u32) -> u32 {
        state.registers[Reg::from_bits(number)]
    }

    fn enter(&self, state: &mut State, _: &mut (), pc: u32, stack: u32, arguments: &[u32]) -> Call {
        for (number, &word) in (0..).zip(arguments) {
            state.registers[Reg::from_bits(number)] = word;
        }
        state.registers[Reg::Sp] = stack;
        state.registers[Reg::Lr] = RETURN | 1;
        state.pc = pc;
        state.it = ItState::default();
        Call { stop: RETURN, result: Self::RESULT }
    }

    fn run<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Run<'_, '_, C, T, F, W>,
        stop: u32,
        budget: u64,
    ) -> End {
        let replaced = run.processor.program.set_stop(run.bus.flash, stop);
        let program = &run.processor.program;
        let random = run.random.as_deref_mut();
        let end = run::run(program, run.state, &mut run.bus, &mut run.tally, random, stop, budget);
        run.processor.program.clear_stop(replaced);
        end
    }

    fn step<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Run<'_, '_, C, T, F, W>,
        from: u32,
    ) -> Result<Single<C>, Fault> {
        let core = run.processor.program.core();
        let result = run::step::<C, T, W>(core, run.state, &mut run.bus, &mut run.tally, from);
        match (result, run.random.as_deref_mut()) {
            (Err(fault), Some(device)) if device.takes(fault.kind) => {
                run::step_with_random(core, run.state, &mut run.bus, &mut run.tally, device)
            }
            (result, _) => result,
        }
    }

    fn ahead<T: FlashTiming, F: Fetch, W: Watch>(run: &mut Run<'_, '_, C, T, F, W>) -> Ahead {
        let (program, state) = (&run.processor.program, &run.state);
        let condition = state.it.condition();
        let it_condition =
            state.it.active().then(|| ItCondition { condition, holds: state.flags.holds(condition) });
        let is_decoded = program.position(state.pc).is_some_and(|p| program.ops()[p] != C::Set::LEAVE);
        Ahead { pc: state.pc, is_decoded, it_condition }
    }

    fn report<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Run<'_, '_, C, T, F, W>,
        ahead: Ahead,
        single: Single<C>,
        known: &mut InstructionEffects,
        effects: bool,
    ) -> Report {
        observe::report(ahead, &single, run.state, known, effects)
    }
}
