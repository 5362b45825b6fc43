//! Cortex-M cores as [`Guest`]s.

use pennyweight_machine::board::{MemoryKind, MemoryTiming};
use pennyweight_machine::guard::Watch;
use pennyweight_machine::Fault;
use pennyweight_machine32::{Parts, Processor, Report};
use pennyweight_memory::timing::{Fetch, FetchState, FlashTiming};
use pennyweight_thumb::core::Core;
use pennyweight_thumb::op::{InstructionSet, Work};
use pennyweight_thumb::registers::Reg;
use pennyweight_thumb::run::{refill_of, run_decoded, Single, State};
use pennyweight_thumb::Thumb;

use super::at::{Arrival, At, Came, Conditional, Fetched};
use super::blocks::Decoded;
use super::flags::{Flags, C, DATA, GE, NZ, Q, REGISTERS, V};
use super::lower::number;
use super::operation::Operation;
use crate::blocks::{find, Found, Limits, LONGEST};
use crate::layout::{AheadShape, CacheShape, Shape, SplitShape, StreamShape};
use crate::learned::Learned;
use crate::processor::{Guest, Inner, Paused, Values};

/// The registers that are kept, by their numbers in the instruction set.
const KEPT: u32 = 15;

/// The state of fetching.
fn here<Cpu: Core, T: FlashTiming, F, W>(run: &Inner<'_, '_, Thumb<Cpu>, T, F, W>) -> At {
    let mut timing = run.bus.timing;
    let fetched = timing.fetch_ahead().map(|flash| {
        let FetchState { branched, word, .. } = flash.state();
        Fetched { branched, word, line: None, slack: 0 }
    });
    At { line: timing.line(), prefetch: timing.prefetch(), fetched, ..At::default() }
}

/// The code that is decoded.
fn decoded<'a, Cpu: Core, T: FlashTiming, F: Fetch, W: Watch>(
    run: &'a Inner<'_, '_, Thumb<Cpu>, T, F, W>,
    shape: &Shape,
    learned: &'a Learned,
) -> Decoded<'a, Cpu> {
    let split_shift = shape.split_cache.map(|cache| cache.line_shift);
    let line_shift = shape.cache.map(|cache| cache.line_shift).or(split_shift);
    let stream_shift = shape.stream.map(|stream| stream.line_shift);
    let prefetch = run.bus.timing.prefetch();
    let ram = (shape.ram_base, shape.ram_size);
    Decoded {
        program: run.processor.program(),
        flash: run.bus.flash,
        line_shift,
        is_split: split_shift.is_some(),
        stream_shift,
        ahead_shift: shape.ahead.map(|ahead| ahead.line_shift),
        prefetch,
        ram,
        matrix_shift: shape.matrix_shift,
        shown: shape.shown,
        learned,
    }
}

impl<Cpu: Core<Set: InstructionSet<Code: Operation>>> Guest for Thumb<Cpu> {
    type Pending = At;

    fn shape(&self, parts: &Parts<'_>) -> Option<Shape> {
        let flash = parts.board.memories.iter().find(|memory| memory.kind == MemoryKind::Flash)?;
        let (mut stream, mut split_cache, mut ahead, mut matrix_shift) = (None, None, None, None);
        let cache = match flash.timing {
            MemoryTiming::ZeroWait => None,
            MemoryTiming::Stream { wait_states, line, cached_lines, data_lines } => {
                let held = [cached_lines, data_lines];
                stream = Some(StreamShape { wait_states, line_shift: line.ilog2(), held });
                None
            }
            MemoryTiming::BusMatrix { line, .. } => {
                matrix_shift = Some(line.ilog2());
                None
            }
            // Other cores' time within a block is not constant.
            MemoryTiming::Prefetch { .. } if !Cpu::CONTEXT => None,
            MemoryTiming::Cache { wait_states, line, lines, data_wait_states: None } => {
                Some(CacheShape::new(line.ilog2(), lines, 1, wait_states))
            }
            MemoryTiming::Cache { wait_states, line, lines, data_wait_states: Some(data_wait) }
                if Self::FETCHED_AHEAD == FetchState::ROOM
                    && line >= 4 * FetchState::LEAST_WORDS
                    && lines > 1 =>
            {
                ahead = Some(AheadShape { wait_states, data_wait, line_shift: line.ilog2(), lines });
                None
            }
            MemoryTiming::AssociativeCache { size, data_size, line, ways, miss }
                if data_size > 0 && ways * line >= size.max(data_size) =>
            {
                let held = [size, data_size].map(|size| size / line);
                split_cache = Some(SplitShape { line_shift: line.ilog2(), held, miss });
                None
            }
            MemoryTiming::AssociativeCache { size, data_size: 0, line, ways, miss } => {
                Some(CacheShape::new(line.ilog2(), size >> line.ilog2(), ways, miss))
            }
            _ => return None,
        };
        let cache = cache.map(|cache| CacheShape { shared: true, ..cache });
        let registers = matrix_shift.map_or(REGISTERS, |_| u32::from(DATA) + 1);
        let shape = Shape::plain(parts, registers, number(Reg::Sp).into())?;
        // Code is decoded by words.
        let code_size = shape.code_size.next_multiple_of(4);
        let split = Cpu::busy(&Cpu::Set::LEAVE, Work::Unaligned(1));
        (!cache.is_some_and(|cache| cache.is_too_wide())).then_some(Shape {
            code_size,
            cache,
            split_cache,
            stream,
            ahead,
            matrix_shift,
            split,
            ..shape
        })
    }

    fn find<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Inner<'_, '_, Self, T, F, W>,
        shape: &Shape,
        learned: &Learned,
        limits: Limits,
    ) -> Found<At> {
        find(&decoded(run, shape, learned), run.bus.flash_base, &learned.roots, limits)
    }

    fn block<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Inner<'_, '_, Self, T, F, W>,
        shape: &Shape,
        found: &Found<At>,
    ) -> Option<(usize, u32)> {
        // N and Z at once have no representation in translated code; only MSR can set both.
        run.state.flags.nz()?;
        if run.state.it.active() || run.state.registers[Reg::Sp] & 3 != 0 {
            return None;
        }
        found.block(&decoded(run, shape, &Learned::default()), run.state.pc, &here(run))
    }

    /// The instructions from there to the next jump: what reads one constant from flash often reads more.
    fn unusual<T: FlashTiming, F: Fetch, W: Watch>(run: &Inner<'_, '_, Self, T, F, W>, at: &At) -> Vec<u32> {
        let program = run.processor.program();
        let mut next = program.position(run.state.pc).filter(|_| at.is_unusual);
        let mut addresses = Vec::new();
        while let Some(position) = next.filter(|_| addresses.len() < LONGEST as usize) {
            let op = &program.ops()[position];
            addresses.push(program.base().wrapping_add(2 * position as u32));
            let is_jump = Operation::condition(op, &mut Flags::default()).is_some()
                || Operation::target(op, &mut Vec::new()).is_some();
            next = (!is_jump && *op != Cpu::Set::LEAVE).then(|| position + Cpu::Set::width(op) as usize);
        }
        addresses
    }

    fn read(state: &State, values: &mut Values) {
        for reg in (0..KEPT).map(Reg::from_bits) {
            values[usize::from(number(reg))] = state.registers[reg];
        }
        values[usize::from(NZ)] = state.flags.nz().unwrap_or_default();
        values[usize::from(C)] = state.flags.c.into();
        values[usize::from(V)] = state.flags.v.into();
        values[usize::from(Q)] = state.flags.q.into();
        values[usize::from(GE)] = state.flags.ge.into();
    }

    fn write(state: &mut State, values: &Values) {
        for reg in (0..KEPT).map(Reg::from_bits) {
            state.registers[reg] = values[usize::from(number(reg))];
        }
        state.flags.set_nz(values[usize::from(NZ)]);
        state.flags.c = values[usize::from(C)] != 0;
        state.flags.v = values[usize::from(V)] != 0;
        state.flags.q = values[usize::from(Q)] != 0;
        state.flags.ge = values[usize::from(GE)] as u8;
    }

    fn read_history<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Inner<'_, '_, Self, T, F, W>,
        values: &mut Values,
    ) {
        let mut timing = run.bus.timing;
        if let Some(matrix) = timing.bus_matrix() {
            values[usize::from(DATA)] = matrix.data_line();
        }
    }

    fn write_history<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Inner<'_, '_, Self, T, F, W>,
        values: &Values,
    ) {
        if let Some(matrix) = run.bus.timing.bus_matrix() {
            matrix.set_data_line(values[usize::from(DATA)]);
        }
    }

    fn go_on<T: FlashTiming, F: Fetch, W: Watch>(run: &mut Inner<'_, '_, Self, T, F, W>, pc: u32, at: At) {
        run.state.pc = pc;
        if let Some(Conditional { block, index }) = at.inside {
            let block = run.processor.program().block(block);
            run.state.it = block.get(index).map_or_else(Default::default, |each| each.it);
        }
        if let Some(Conditional { block, index }) = at.conditional {
            let block = run.processor.program().block(block);
            run.state.it = block.get(index).map_or_else(Default::default, |each| each.it);
            // It has been counted as if it were skipped.
            run.tally.cycles -= u64::from(Cpu::SKIPPED);
            run.tally.instructions -= 1;
            if let Some(stream) = run.bus.timing.stream() {
                stream.set_back(Cpu::SKIPPED);
            }
            if let Some(flash) = run.bus.timing.fetch_ahead() {
                let state = flash.state();
                flash.set_state(&FetchState { now: state.now - u64::from(Cpu::SKIPPED), ..state });
            }
        }
        if Cpu::CONTEXT && at.arrival == Arrival::Open {
            let refill = refill_of(run.processor.program(), &run.bus, pc);
            run.tally.cycles += u64::from(refill);
            run.bus.timing.finish(refill);
        }
        let in_flash = pc.wrapping_sub(run.bus.flash_base) >> 2 < run.bus.flash.len() as u32;
        let timing = &mut run.bus.timing;
        if let Some(stream) = timing.stream() {
            match at.came {
                Came::Any if in_flash => {}
                Came::From(line) if in_flash => stream.set_current(Some(line)),
                _ => stream.set_current(None),
            }
        }
        if let (Some(flash), Some(fetched)) = (timing.fetch_ahead(), at.fetched) {
            let Fetched { branched, word, line, .. } = match at.arrival {
                Arrival::Counted => Fetched::branch(pc, fetched.line.filter(|_| in_flash)),
                Arrival::None | Arrival::Open => fetched,
            };
            flash.set_state(&FetchState { branched, word, line, ..flash.state() });
            if at.arrival == Arrival::Open {
                timing.jump(pc, in_flash);
            }
        }
        if timing.bus_matrix().is_some() && at.arrival == Arrival::Open {
            timing.jump(pc, in_flash);
        }
        timing.set_line(at.line);
        let Some(prefetch) = at.prefetch else { return };
        timing.set_prefetch(prefetch);
        if at.arrival != Arrival::None {
            let before = timing.stalls();
            timing.jump(pc, in_flash);
            if at.arrival == Arrival::Counted {
                run.tally.cycles -= timing.stalls() - before;
            }
        }
    }

    fn interpret<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Inner<'_, '_, Self, T, F, W>,
        budget: u64,
        is_checked: bool,
        from: &mut u32,
    ) -> Result<Paused, Fault> {
        let program = run.processor.program();
        // Of decoded code, the budget is not checked between instructions that an IT instruction governs.
        let is_inside = !is_checked && run.state.it.active();
        loop {
            let random = run.random.as_deref_mut();
            let accessed =
                run_decoded(program, run.state, &mut run.bus, &mut run.tally, random, budget, from)?;
            if accessed || !is_inside || !run.state.it.active() {
                return Ok(if accessed { Paused::AtDevice } else { Paused::Checked });
            }
        }
    }

    fn report_on(
        &self,
        state: &State,
        ahead: Self::Ahead,
        single: Single<Cpu>,
        known: &mut <Self as Processor>::Notes,
        effects: bool,
    ) -> Report {
        Self::report_single(ahead, &single, state, known, effects)
    }
}
