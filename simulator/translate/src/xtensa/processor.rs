//! Xtensa cores as [`Guest`]s.

use pennyweight_machine::guard::Watch;
use pennyweight_machine::Fault;
use pennyweight_machine32::{Parts, Processor, Report};
use pennyweight_memory::timing::{Fetch, FlashTiming};
use pennyweight_xtensa::op::Reg;
use pennyweight_xtensa::run::{run_decoded, step, Single, State};
use pennyweight_xtensa::special::Extra;
use pennyweight_xtensa::Xtensa;

use super::at::{At, Mode};
use super::blocks::Decoded;
use super::lower::number;
use super::shifts::{REGISTERS, SAR};
use super::{loops, windows};
use crate::blocks::{find, Found, Limits};
use crate::layout::{Shape, FIRST_BANKED};
use crate::learned::Learned;
use crate::processor::{Guest, Inner, Paused, Values};

/// The code that is decoded.
fn decoded<'a, T: FlashTiming, F: Fetch, W: Watch>(run: &'a Inner<'_, '_, Xtensa, T, F, W>) -> Decoded<'a> {
    let mode = Mode::usual(&run.state.extra.windows);
    Decoded { program: run.processor.program(), flash: run.bus.flash, base: run.bus.flash_base, mode }
}

impl Guest for Xtensa {
    type Pending = At;

    fn shape(&self, parts: &Parts<'_>) -> Option<Shape> {
        let core = self.program().core();
        let shape = Shape::plain(parts, REGISTERS, number(Reg::SP).into())?;
        let shape = Shape { code_shift: 0, ..shape };
        if !core.options.loops && core.registers == 0 {
            return Some(shape);
        }
        let (registers, lowest) = (windows::REGISTERS, windows::LOWEST.into());
        Some(Shape { registers, lowest, banks: core.registers / 4, ..shape })
    }

    /// Computed calls may go to each function that is decoded.
    fn find<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Inner<'_, '_, Self, T, F, W>,
        _: &Shape,
        learned: &Learned,
        limits: Limits,
    ) -> Found<At> {
        let source = decoded(run);
        let code = source.program.ops().iter().zip(source.program.places());
        let functions = code.filter(|(op, _)| windows::is_entry(op)).map(|(_, place)| place.address);
        let roots = functions.chain(learned.roots.iter().copied()).collect();
        find(&source, run.bus.flash_base, &roots, limits)
    }

    fn block<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Inner<'_, '_, Self, T, F, W>,
        _: &Shape,
        found: &Found<At>,
    ) -> Option<(usize, u32)> {
        let (State { pc, before, extra, .. }, source) = (&*run.state, decoded(run));
        let Extra { windows, loops, .. } = extra;
        // Code is translated for windows without registers of other calls, and for loops whose ends are known.
        if windows.usable() != 4 || loops.count != 0 && !source.program.is_loop_end(loops.end) {
            return None;
        }
        let (mode, step) = (Some(Mode::of(windows)), Some(windows.callinc() as u8));
        found.block(&source, *pc, &At { before: *before, mode, step, ..At::default() })
    }

    fn read(state: &State, values: &mut Values) {
        for reg in (0..16).map(Reg) {
            values[usize::from(number(reg))] = state.registers[reg];
        }
        values[usize::from(SAR)] = state.sar;
        let Extra { windows, loops, .. } = &state.extra;
        let start = windows::repeated(windows.start, windows.registers() / 4);
        for (register, value) in [
            (windows::BASE, windows.base),
            (windows::LIVE, start.rotate_right(windows.base)),
            (windows::STEP, windows.callinc()),
            (loops::BEGIN, loops.begin),
            (loops::END, loops.end),
            (loops::COUNT, loops.count),
        ] {
            values[usize::from(register)] = value;
        }
        if windows.checked() {
            values[FIRST_BANKED as usize..].copy_from_slice(windows.file().as_flattened());
        }
    }

    fn write(state: &mut State, values: &Values) {
        for reg in (0..16).map(Reg) {
            state.registers[reg] = values[usize::from(number(reg))];
        }
        state.sar = values[usize::from(SAR)];
        let value = |register| values[usize::from(register)];
        let Extra { windows, loops, .. } = &mut state.extra;
        let fours = windows.registers() / 4;
        windows.base = value(windows::BASE) & (fours - 1);
        windows.start = value(windows::LIVE).rotate_left(windows.base) & ((1 << fours) - 1);
        windows.set_callinc(value(windows::STEP));
        loops.begin = value(loops::BEGIN);
        loops.end = value(loops::END);
        loops.count = value(loops::COUNT);
        if windows.checked() {
            windows.file_mut().as_flattened_mut().copy_from_slice(&values[FIRST_BANKED as usize..]);
        }
    }

    fn read_history<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Inner<'_, '_, Self, T, F, W>,
        values: &mut Values,
    ) {
        values[usize::from(windows::LOWEST)] = run.bus.watch.lowest();
    }

    fn go_on<T: FlashTiming, F: Fetch, W: Watch>(run: &mut Inner<'_, '_, Self, T, F, W>, pc: u32, at: At) {
        run.state.pc = pc;
        run.state.before = at.before;
    }

    fn interpret<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Inner<'_, '_, Self, T, F, W>,
        budget: u64,
        _: bool,
        from: &mut u32,
    ) -> Result<Paused, Fault> {
        let pc = run.state.pc;
        let loops = run.state.extra.loops;
        let (program, flash) = (run.processor.program_mut(), run.bus.flash);
        if loops.count != 0 && !program.is_loop_end(loops.end) {
            program.add_end(loops.end);
        }
        let position = program.position(pc).or_else(|| program.extend(flash, pc));
        match position {
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
        state: &State,
        ahead: Self::Ahead,
        single: Option<Single>,
        known: &mut <Xtensa as Processor>::Notes,
        effects: bool,
    ) -> Report {
        Xtensa::report_single(&ahead, single, state, known, effects)
    }
}
