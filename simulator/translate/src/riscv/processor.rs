//! RISC-V cores as [`Guest`]s.

use std::collections::BTreeSet;

use pennyweight_machine::guard::Watch;
use pennyweight_machine::Fault;
use pennyweight_machine32::{Parts, Processor, Report};
use pennyweight_memory::timing::{Fetch, FlashTiming};
use pennyweight_riscv::core::{Jumps, Tables};
use pennyweight_riscv::pipeline::Pending;
use pennyweight_riscv::registers::Reg;
use pennyweight_riscv::run::{run_decoded, step, Single, State};
use pennyweight_riscv::Riscv;

use super::blocks::Decoded;
use super::shape::shape;
use crate::blocks::{find, Found, Limits};
use crate::code::Predictor;
use crate::layout::Shape;
use crate::processor::{Guest, Inner, Values};

/// The code that is decoded.
fn decoded<'a, T: FlashTiming, F: Fetch, W: Watch>(
    run: &'a Inner<'_, '_, Riscv, T, F, W>,
    shape: &Shape,
) -> Decoded<'a> {
    let line_shift = shape.cache.map(|cache| cache.line_shift);
    Decoded { program: run.processor.program(), flash: run.bus.flash, base: run.bus.flash_base, line_shift }
}

impl Guest for Riscv {
    type Pending = Pending;

    fn shape(&self, parts: &Parts<'_>) -> Option<Shape> {
        shape(parts, self.program().core())
    }

    fn find<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Inner<'_, '_, Self, T, F, W>,
        shape: &Shape,
        roots: &BTreeSet<u32>,
        limits: Limits,
    ) -> Found<Pending> {
        find(&decoded(run, shape), run.bus.flash_base, roots, limits)
    }

    fn block<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Inner<'_, '_, Self, T, F, W>,
        shape: &Shape,
        found: &Found<Pending>,
    ) -> Option<(usize, u32)> {
        found.block(&decoded(run, shape), run.state.pc, &run.state.pending)
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

    fn go_on<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Inner<'_, '_, Self, T, F, W>,
        pc: u32,
        pending: Pending,
    ) {
        run.state.pc = pc;
        run.state.pending = pending;
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
        from: &mut u32,
    ) -> Result<(), Fault> {
        let pc = run.state.pc;
        let (program, flash) = (run.processor.program_mut(), run.bus.flash);
        let position = program.position(pc).or_else(|| program.extend(flash, pc));
        match position {
            Some(position) => run_decoded(run, position, budget, from),
            None => {
                let result = step(run, *from);
                *from = pc;
                result.map(drop)
            }
        }
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
