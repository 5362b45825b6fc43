//! MIPS cores as [`Guest`]s.

use pennyweight_machine::board::{MemoryKind, MemoryTiming};
use pennyweight_machine::guard::Watch;
use pennyweight_machine::Fault;
use pennyweight_machine32::{Parts, Processor, Report};
use pennyweight_memory::timing::{Fetch, FlashTiming};
use pennyweight_mips::op::Reg;
use pennyweight_mips::run::State;
use pennyweight_mips::Mips;

use super::at::{At, Came, Slot};
use super::blocks::Decoded;
use super::lower::{HIGH, LOW, REGISTERS, TARGET};
use crate::blocks::{find, Found, Limits};
use crate::layout::{Shape, StreamShape};
use crate::learned::Learned;
use crate::processor::{Guest, Inner, Paused, Values};

/// The code that is decoded.
fn decoded<'a, T: FlashTiming, F: Fetch, W: Watch>(
    run: &'a Inner<'_, '_, Mips, T, F, W>,
    shape: &Shape,
) -> Decoded<'a> {
    Decoded {
        core: run.processor.core(),
        ops: run.processor.ops(),
        base: run.bus.flash_base,
        stream_shift: shape.stream.map(|stream| stream.line_shift),
        reads_lines: shape.stream.is_none_or(|stream| stream.held[1] > 0),
    }
}

impl Guest for Mips {
    type Pending = At;

    fn shape(&self, parts: &Parts<'_>) -> Option<Shape> {
        let flash = parts.board.memories.iter().find(|memory| memory.kind == MemoryKind::Flash)?;
        let stream = match flash.timing {
            MemoryTiming::ZeroWait => None,
            MemoryTiming::Stream { wait_states, line, cached_lines, data_lines } => {
                let held = [cached_lines, data_lines];
                Some(StreamShape { wait_states, line_shift: line.ilog2(), held })
            }
            _ => return None,
        };
        let shape = Shape::plain(parts, REGISTERS, Reg::SP.0.into())?;
        // Code is decoded by words.
        let code_size = shape.code_size.next_multiple_of(4);
        Some(Shape { code_shift: 0, code_size, stream, ..shape })
    }

    fn find<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Inner<'_, '_, Self, T, F, W>,
        shape: &Shape,
        learned: &Learned,
        limits: Limits,
    ) -> Found<At> {
        find(&decoded(run, shape), run.bus.flash_base, &learned.roots, limits)
    }

    fn block<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Inner<'_, '_, Self, T, F, W>,
        shape: &Shape,
        found: &Found<At>,
    ) -> Option<(usize, u32)> {
        let State { pc, next, slot_of, pipeline, .. } = *run.state;
        if pc & 1 != 0 || slot_of.is_some() {
            return None;
        }
        let source = decoded(run, shape);
        let at = At { pipeline, ..At::default() };
        if next == pc.wrapping_add(4) {
            return found.block(&source, pc, &at);
        }
        let slot = |slot| found.block(&source, pc, &At { slot, ..at });
        slot(Slot::To(next)).or_else(|| slot(Slot::Computed))
    }

    fn read(state: &State, values: &mut Values) {
        for number in 1..32 {
            values[usize::from(number)] = state.registers[Reg(number)];
        }
        values[usize::from(HIGH)] = (state.extra.high_low >> 32) as u32;
        values[usize::from(LOW)] = state.extra.high_low as u32;
        values[usize::from(TARGET)] = state.next;
    }

    fn write(state: &mut State, values: &Values) {
        for number in 1..32 {
            state.registers[Reg(number)] = values[usize::from(number)];
        }
        let word = |register| u64::from(values[usize::from(register)]);
        state.extra.high_low = word(HIGH) << 32 | word(LOW);
        state.next = values[usize::from(TARGET)];
    }

    fn go_on<T: FlashTiming, F: Fetch, W: Watch>(run: &mut Inner<'_, '_, Self, T, F, W>, pc: u32, at: At) {
        let next = match at.slot {
            Slot::None => pc.wrapping_add(4),
            Slot::To(target) => target,
            Slot::Computed => run.state.next,
            Slot::Skipped => {
                // Of the branch in front of it, only that was not counted yet.
                run.state.jump(pc.wrapping_add(4));
                run.tally.cycles += 1;
                run.bus.timing.finish(1);
                run.state.next
            }
        };
        if at.slot != Slot::Skipped {
            (run.state.pc, run.state.next, run.state.slot_of) = (pc, next, None);
        }
        run.state.pipeline = at.pipeline;
        run.state.pipeline.now += u64::from(at.slot == Slot::Skipped);
        let in_flash = run.state.pc.wrapping_sub(run.bus.flash_base) >> 2 < run.bus.flash.len() as u32;
        let Some(stream) = run.bus.timing.stream() else { return };
        match at.came {
            Came::Any if in_flash => {}
            Came::From(line) if in_flash => stream.set_current(Some(line)),
            _ => stream.set_current(None),
        }
    }

    fn interpret<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Inner<'_, '_, Self, T, F, W>,
        budget: u64,
        _: bool,
        _: &mut u32,
    ) -> Result<Paused, Fault> {
        Ok(if Mips::run_on(run, budget)? { Paused::Checked } else { Paused::Unchecked })
    }

    fn report_on(
        &self,
        state: &State,
        ahead: Self::Ahead,
        (): (),
        notes: &mut <Self as Processor>::Notes,
        effects: bool,
    ) -> Report {
        self.report_single(ahead, state, notes, effects)
    }
}
