//! Xtensa cores as [`Guest`]s.

use pennyweight_machine::guard::Watch;
use pennyweight_machine::Fault;
use pennyweight_machine32::{Parts, Processor, Report};
use pennyweight_memory::timing::{Fetch, FlashTiming};
use pennyweight_xtensa::op::Reg;
use pennyweight_xtensa::run::{run_decoded, step, Single, State};
use pennyweight_xtensa::Xtensa;

use super::blocks::{Before, Decoded};
use super::lower::number;
use super::shifts::{REGISTERS, SAR};
use crate::blocks::{find, Found, Limits};
use crate::layout::Shape;
use crate::learned::Learned;
use crate::processor::{Guest, Inner, Values};

/// The code that is decoded.
fn decoded<'a, T: FlashTiming, F: Fetch, W: Watch>(run: &'a Inner<'_, '_, Xtensa, T, F, W>) -> Decoded<'a> {
    Decoded { program: run.processor.program(), flash: run.bus.flash, base: run.bus.flash_base }
}

impl Guest for Xtensa {
    type Pending = Before;

    /// Loops without branches and windows of registers are not translated.
    fn shape(&self, parts: &Parts<'_>) -> Option<Shape> {
        let core = self.program().core();
        let shape = Shape::plain(parts, REGISTERS, number(Reg::SP).into())?;
        let is_plain = !core.options.loops && core.registers == 0;
        is_plain.then_some(Shape { code_shift: 0, ..shape })
    }

    fn find<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Inner<'_, '_, Self, T, F, W>,
        _: &Shape,
        learned: &Learned,
        limits: Limits,
    ) -> Found<Before> {
        find(&decoded(run), run.bus.flash_base, &learned.roots, limits)
    }

    fn block<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Inner<'_, '_, Self, T, F, W>,
        _: &Shape,
        found: &Found<Before>,
    ) -> Option<(usize, u32)> {
        found.block(&decoded(run), run.state.pc, &Before(run.state.before))
    }

    fn read(state: &State, values: &mut Values) {
        for reg in (0..16).map(Reg) {
            values[usize::from(number(reg))] = state.registers[reg];
        }
        values[usize::from(SAR)] = state.sar;
    }

    fn write(state: &mut State, values: &Values) {
        for reg in (0..16).map(Reg) {
            state.registers[reg] = values[usize::from(number(reg))];
        }
        state.sar = values[usize::from(SAR)];
    }

    fn go_on<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Inner<'_, '_, Self, T, F, W>,
        pc: u32,
        before: Before,
    ) {
        run.state.pc = pc;
        run.state.before = before.0;
    }

    fn interpret<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Inner<'_, '_, Self, T, F, W>,
        budget: u64,
        _: bool,
        from: &mut u32,
    ) -> Result<bool, Fault> {
        let pc = run.state.pc;
        let (program, flash) = (run.processor.program_mut(), run.bus.flash);
        let position = program.position(pc).or_else(|| program.extend(flash, pc));
        match position {
            Some(position) => run_decoded(run, position, budget, from)?,
            None => {
                let result = step(run, *from);
                *from = pc;
                result.map(drop)?;
            }
        }
        Ok(false)
    }

    fn report_on(
        &self,
        state: &State,
        ahead: Self::Ahead,
        single: Option<Single>,
        known: &mut <Xtensa as Processor>::Notes,
        effects: bool,
    ) -> Report {
        Xtensa::report_single(&ahead, single, state, known, effects)
    }
}
