//! RISC-V cores as [`Guest`]s.

use std::collections::BTreeSet;

use pennyweight_machine::guard::Watch;
use pennyweight_machine::Fault;
use pennyweight_machine32::{Parts, Processor, Report};
use pennyweight_memory::timing::{Fetch, FlashTiming};
use pennyweight_riscv::core::{Jumps, Tables};
use pennyweight_riscv::program::halfword;
use pennyweight_riscv::registers::Reg;
use pennyweight_riscv::run::{run_decoded, step, Single, State};
use pennyweight_riscv::Riscv;

use super::at::{Arrival, At};
use super::blocks::{split, Decoded};
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
    Decoded {
        program: run.processor.program(),
        flash: run.bus.flash,
        base: run.bus.flash_base,
        line_shift: shape.cache.map(|cache| cache.line_shift),
        buffer: run.bus.timing.fetch_buffer(),
        ram: (shape.ram_base, shape.ram_size),
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
        roots: &BTreeSet<u32>,
        limits: Limits,
    ) -> Found<At> {
        find(&decoded(run, shape), run.bus.flash_base, roots, limits)
    }

    fn block<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Inner<'_, '_, Self, T, F, W>,
        shape: &Shape,
        found: &Found<At>,
    ) -> Option<(usize, u32)> {
        let buffer = run.bus.timing.fetch_buffer();
        let at = At { buffer, ..At::pending(run.state.pending) };
        found.block(&decoded(run, shape), run.state.pc, &at)
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

    fn go_on<T: FlashTiming, F: Fetch, W: Watch>(run: &mut Inner<'_, '_, Self, T, F, W>, pc: u32, at: At) {
        run.state.pc = pc;
        run.state.pending = at.pending;
        let Some(buffer) = at.buffer else { return };
        if at.arrival == Arrival::None {
            return run.bus.timing.set_fetch_buffer(buffer);
        }
        let in_flash = pc.wrapping_sub(run.bus.flash_base) >> 2 < run.bus.flash.len() as u32;
        let bus = &run.bus;
        let half = halfword(bus.flash, bus.flash_base, pc).or_else(|| halfword(bus.ram, bus.ram_base, pc));
        let more = split(run.processor.program().core(), pc, half);
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
