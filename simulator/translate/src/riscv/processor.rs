//! RISC-V cores as [`Guest`]s.

use pennyweight_machine::guard::Watch;
use pennyweight_machine::Fault;
use pennyweight_machine32::{Parts, Processor, Report};
use pennyweight_memory::timing::{Fetch, FlashTiming};
use pennyweight_riscv::core::{Around, Jumps, LoopState, Looped, Remembered, Tables};
use pennyweight_riscv::decode::is_wide;
use pennyweight_riscv::program::halfword;
use pennyweight_riscv::registers::Reg;
use pennyweight_riscv::run::{around, run_decoded, settle_line, step, Single, State};
use pennyweight_riscv::Riscv;

use super::at::{Arrival, At};
use super::blocks::{split, Decoded};
use super::looped::{is_backward, NONE, REMEMBERED};
use super::shape::shape;
use crate::blocks::{find, Found, Limits};
use crate::code::Predictor;
use crate::layout::Shape;
use crate::learned::Learned;
use crate::processor::{Guest, Inner, Paused, Values};

/// The code that is decoded.
fn decoded<'a, T: FlashTiming, F: Fetch, W: Watch>(
    run: &'a Inner<'_, '_, Riscv, T, F, W>,
    shape: &Shape,
    around: &'a dyn Around,
) -> Decoded<'a> {
    Decoded {
        program: run.processor.program(),
        flash: run.bus.flash,
        base: run.bus.flash_base,
        line_shift: shape.cache.map(|cache| cache.line_shift),
        buffer: run.bus.timing.fetch_buffer(),
        ram: (shape.ram_base, shape.ram_size),
        around,
    }
}

/// The cycles that a jump to `target` loses in addition because it goes there.
fn lost_by_target<T, F, W>(run: &Inner<'_, '_, Riscv, T, F, W>, target: u32) -> u32 {
    let bus = &run.bus;
    let half = halfword(bus.flash, bus.flash_base, target);
    let half = half.or_else(|| halfword(bus.ram, bus.ram_base, target));
    split(run.processor.program().core(), target, half)
}

/// The straight line that begins at the program counter, as blocks have it; none if the code is not entered.
fn line<T, F, W>(run: &Inner<'_, '_, Riscv, T, F, W>, looped: &Looped) -> Option<LoopState> {
    let (pc, state) = (run.state.pc, looped.state());
    // What is remembered has to be found again by its address.
    let is_known = state.remembered.is_none_or(|known| remembered(run, known.branch) == Some(known));
    if !is_known || !run.state.pending.is_empty() {
        return None;
    }
    if state.begin != pc {
        return Some(LoopState::at(pc));
    }
    let remembered = state.remembered.filter(|_| state.queue.is_some());
    Some(LoopState { remembered, ..state })
}

/// The backward branch at this address, if there is one.
fn remembered<T, F, W>(run: &Inner<'_, '_, Riscv, T, F, W>, branch: u32) -> Option<Remembered> {
    let program = run.processor.program();
    let op = &program.ops()[program.position(branch).filter(|_| branch & 1 == 0)?];
    let wide = halfword(run.bus.flash, run.bus.flash_base, branch).is_some_and(is_wide);
    is_backward(op, branch).then_some(Remembered { branch, wide, target: op.imm })
}

/// Continues a straight line, or behind a jump, at the program counter.
fn continue_line<T: FlashTiming, F: Fetch, W: Watch>(
    run: &mut Inner<'_, '_, Riscv, T, F, W>,
    line: LoopState,
    at: &At,
) {
    let pc = run.state.pc;
    if let Arrival::Open(lost) = at.arrival {
        run.tally.cycles += u64::from(lost + lost_by_target(run, pc));
    }
    let Jumps::Looped(looped) = &mut *run.history else { return };
    let mut state = if at.arrival == Arrival::None { line } else { LoopState::at(pc) };
    state.remembered = looped.state().remembered;
    if let Some(lost) = at.forgotten {
        run.tally.cycles += u64::from(lost);
        state.remembered = None;
    }
    looped.set_state(state);
    if state.begin != pc {
        settle_line(run);
    }
}

impl Guest for Riscv {
    type Pending = At;

    fn shape(&self, parts: &Parts<'_>) -> Option<Shape> {
        shape(parts, self.program().core())
    }

    fn find<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Inner<'_, '_, Self, T, F, W>,
        shape: &Shape,
        learned: &Learned,
        limits: Limits,
    ) -> Found<At> {
        let around = around(run);
        find(&decoded(run, shape, &*around), run.bus.flash_base, &learned.roots, limits)
    }

    fn block<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Inner<'_, '_, Self, T, F, W>,
        shape: &Shape,
        found: &Found<At>,
    ) -> Option<(usize, u32)> {
        let buffer = run.bus.timing.fetch_buffer();
        let mut at = At { buffer, ..At::pending(run.state.pending) };
        if let Jumps::Looped(looped) = &*run.history {
            at.line = Some(line(run, looped)?);
        }
        let around = around(run);
        found.block(&decoded(run, shape, &*around), run.state.pc, &at)
    }

    fn read(state: &State, values: &mut Values) {
        for (number, value) in (0..32).zip(values) {
            *value = state.registers[Reg::source(number)];
        }
    }

    fn write(state: &mut State, values: &Values) {
        for (number, &value) in (0..32).zip(values).skip(1) {
            state.registers[Reg::source(number)] = value;
        }
    }

    fn read_history<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Inner<'_, '_, Self, T, F, W>,
        values: &mut Values,
    ) {
        if let Jumps::Looped(looped) = &*run.history {
            values[usize::from(REMEMBERED)] = looped.state().remembered.map_or(NONE, |known| known.branch);
        }
    }

    fn write_history<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Inner<'_, '_, Self, T, F, W>,
        values: &Values,
    ) {
        let known = remembered(run, values[usize::from(REMEMBERED)]);
        if let Jumps::Looped(looped) = &mut *run.history {
            looped.set_state(LoopState { remembered: known, ..looped.state() });
        }
    }

    fn go_on<T: FlashTiming, F: Fetch, W: Watch>(run: &mut Inner<'_, '_, Self, T, F, W>, pc: u32, at: At) {
        run.state.pc = pc;
        run.state.pending = at.pending;
        if let Some(line) = at.line {
            return continue_line(run, line, &at);
        }
        let Some(buffer) = at.buffer else { return };
        if at.arrival == Arrival::None {
            return run.bus.timing.set_fetch_buffer(buffer);
        }
        let in_flash = pc.wrapping_sub(run.bus.flash_base) >> 2 < run.bus.flash.len() as u32;
        let more = lost_by_target(run, pc);
        run.bus.timing.set_fetch_buffer(buffer.led_to(pc, in_flash, more));
        if let Arrival::Open(lost) = at.arrival {
            run.tally.cycles += u64::from(lost + more);
        }
    }

    fn read_predictor(history: &Jumps, predictor: &mut Predictor) -> bool {
        let Jumps::Predicted(known) = history else { return false };
        let tables = known.tables();
        predictor.targets.clone_from(&tables.targets);
        predictor.clock = tables.clock;
        predictor.taken.clear();
        predictor.taken.extend_from_slice(tables.taken);
        predictor.history = tables.history;
        predictor.returns.clear();
        predictor.returns.extend_from_slice(tables.returns);
        predictor.top = tables.top as u32;
        predictor.depth = tables.depth as u32;
        true
    }

    fn write_predictor(history: &mut Jumps, predictor: &Predictor) {
        let Jumps::Predicted(known) = history else { return };
        known.set_tables(&Tables {
            targets: predictor.targets.clone(),
            clock: predictor.clock,
            taken: &predictor.taken,
            history: predictor.history,
            returns: &predictor.returns,
            top: predictor.top as usize,
            depth: predictor.depth as usize,
        });
    }

    fn interpret<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Inner<'_, '_, Self, T, F, W>,
        budget: u64,
        _: bool,
        from: &mut u32,
    ) -> Result<Paused, Fault> {
        let pc = run.state.pc;
        let (program, flash) = (run.processor.program_mut(), run.bus.flash);
        let position = program.position(pc).or_else(|| program.extend(flash, pc));
        // As the interpreter does: where a line of code begins for fetch, nothing is pending.
        let pends = matches!(run.history, Jumps::Looped(_)) && !run.state.pending.is_empty();
        match position.filter(|_| !pends) {
            Some(position) => run_decoded(run, position, budget, from)?,
            None => {
                let result = step(run, *from);
                *from = pc;
                result.map(drop)?;
            }
        }
        Ok(Paused::Checked)
    }

    fn report_on(
        &self,
        _: &State,
        is_decoded: bool,
        single: Single,
        known: &mut <Riscv as Processor>::Notes,
        effects: bool,
    ) -> Report {
        self.report_single(is_decoded, &single, known, effects)
    }
}
