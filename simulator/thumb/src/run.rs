//! The two loops: over predecoded flash, fast; over anything else, an instruction at a time.

use pennyweight_machine::account::Tally;
use pennyweight_machine::fault::NO_FAULT;
use pennyweight_machine::guard::Watch;
use pennyweight_machine::{Access, Fault, FaultKind};
use pennyweight_machine32::End;
use pennyweight_memory::bus::{Bus, Word};
use pennyweight_memory::random::{RandomDevice, WithRandom};
use pennyweight_memory::timing::FlashTiming;

use crate::core::{Core, OpOf};
use crate::op::{Flow, InstructionSet, ItState, Reason};
use crate::place::Place;
use crate::program::{cycles_at, decode, halfword, refill, Program};
use crate::registers::{Flags, Reg, Registers};
use crate::system::System;

/// A core's state between runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// General registers.
    pub registers: Registers,
    /// Condition flags.
    pub flags: Flags,
    /// Special registers.
    pub system: System,
    /// Which of the next instructions are executed.
    pub it: ItState,
    /// Address of the next instruction.
    pub pc: u32,
}

impl State {
    /// Stack pointer and program counter from the vector table at the start of flash; bit 0 of the program
    /// counter is that of the vector (DDI 0419, B1.5.5).
    #[must_use]
    pub fn at_reset(flash: &[Word]) -> State {
        let vector = |i: usize| flash.get(i).map_or(u32::MAX, |word| u32::from_le_bytes(*word));
        let mut state = State { pc: vector(1), ..State::default() };
        state.registers[Reg::Sp] = vector(0) & !3;
        state.registers[Reg::Lr] = u32::MAX;
        state
    }
}

/// Runs until the program counter is `stop`, a fault, or `budget` cycles. The tally's cycles are
/// without wait states; those are in the bus's timing. Accesses to the registers of `random` fault in the
/// loops, and are then made alone.
pub fn run<C: Core, T: FlashTiming, W: Watch>(
    program: &Program<C>,
    state: &mut State,
    bus: &mut Bus<'_, T, W>,
    tally: &mut Tally,
    mut random: Option<&mut RandomDevice>,
    stop: u32,
    budget: u64,
) -> End {
    let mut from = state.pc;
    loop {
        if state.pc == stop {
            return End::Stopped;
        }
        if tally.cycles.saturating_add(bus.timing.stalls()) >= budget {
            return End::OutOfCycles;
        }
        // A LEAVE that is not a stop: a wide instruction that begins in the table and ends behind it.
        let ready = |&p: &usize| !state.it.active() && program.ops()[p] != C::Set::LEAVE;
        let result = match program.position(state.pc).filter(ready) {
            Some(position) if const { C::Set::FAULTS_WITHIN && !T::ACTIVE } => {
                run_flash::<C, T, W, FaultKind>(program, position, state, bus, tally, budget, &mut from)
            }
            Some(position) => {
                run_flash::<C, T, W, ()>(program, position, state, bus, tally, budget, &mut from)
            }
            None => {
                let before = state.pc;
                let result = step::<C, T, W>(program.core(), state, bus, tally, from);
                from = before;
                result.map(|_| ())
            }
        };
        let Err(fault) = result else { continue };
        let result = match random.as_deref_mut() {
            Some(device) if device.takes(fault.kind) => {
                step_with_random(program.core(), state, bus, tally, device).map(drop)
            }
            _ => Err(fault),
        };
        from = fault.pc;
        if let Err(fault) = result {
            return End::Fault(fault);
        }
    }
}

/// Runs decoded code until the next jump after so many cycles, or one instruction that is not decoded. `from`
/// is the address of the instruction that led to the program counter, before and afterwards. Returns whether the
/// last instruction accessed a register of `random`.
///
/// # Errors
/// The fault of an instruction.
#[cfg(feature = "translator")]
pub fn run_decoded<C: Core, T: FlashTiming, W: Watch>(
    program: &Program<C>,
    state: &mut State,
    bus: &mut Bus<'_, T, W>,
    tally: &mut Tally,
    random: Option<&mut RandomDevice>,
    budget: u64,
    from: &mut u32,
) -> Result<bool, Fault> {
    let is_decoded = |&p: &usize| !state.it.active() && program.ops()[p] != C::Set::LEAVE;
    let result = match program.position(state.pc).filter(is_decoded) {
        Some(position) => run_flash::<C, T, W, ()>(program, position, state, bus, tally, budget, from),
        None => {
            let before = state.pc;
            let result = step::<C, T, W>(program.core(), state, bus, tally, *from);
            *from = before;
            result.map(drop)
        }
    };
    let Err(fault) = result else { return Ok(false) };
    *from = fault.pc;
    match random {
        Some(device) if device.takes(fault.kind) => {
            step_with_random(program.core(), state, bus, tally, device).map(|_| true)
        }
        _ => Err(fault),
    }
}

/// What was executed alone.
#[derive(Clone, Copy, Debug)]
pub struct Single<C: Core> {
    /// The instruction.
    pub op: OpOf<C>,
    /// Did it branch?
    pub jumped: bool,
    /// Cycles that it takes when it is executed, and when it does not branch if it need not.
    pub cycles: u32,
}

/// Decodes and executes one instruction, wherever it is. Slower than predecoded code, but right
/// even if the program just wrote the instruction. `from` is the instruction that led here.
///
/// # Errors
/// The instruction's fault; the state is then that before it, except for a partly done LDM.
pub fn step<C: Core, T: FlashTiming, W: Watch>(
    core: &C,
    state: &mut State,
    bus: &mut Bus<'_, T, W>,
    tally: &mut Tally,
    from: u32,
) -> Result<Single<C>, Fault> {
    let Some(Decoded { op, execute, cycles, in_flash, after }) = decoded::<C, T, W>(core, state, bus) else {
        let kind = FaultKind::Unmapped { address: state.pc, size: 2, access: Access::Execute };
        return Err(Fault { kind, pc: from });
    };
    let jumped = single::<C, T, W>(&op, execute, cycles, in_flash, state, bus, tally)?;
    state.it = after;
    Ok(Single { op, jumped, cycles })
}

/// An instruction that has been decoded alone.
struct Decoded<C: Core> {
    op: OpOf<C>,
    /// Does its condition hold?
    execute: bool,
    /// What it takes if it is executed, a conditional branch if it is not taken.
    cycles: u32,
    in_flash: bool,
    /// Which instructions after it are executed.
    after: ItState,
}

/// The instruction at the program counter, if there is memory.
fn decoded<C: Core, T: FlashTiming, W: Watch>(
    core: &C,
    state: &State,
    bus: &Bus<'_, T, W>,
) -> Option<Decoded<C>> {
    let pc = state.pc;
    let in_flash = halfword(bus.flash, bus.flash_base, pc).is_some();
    let (memory, base) = if in_flash { (bus.flash, bus.flash_base) } else { (&*bus.ram, bus.ram_base) };
    let conditional = state.it.active();
    let op = decode::<C>(memory, base, pc, conditional)?;
    let after = if conditional { state.it.advanced() } else { C::Set::block(&op).unwrap_or_default() };
    let place = Place::new(memory, base, pc, state.it);
    let cycles = cycles_at::<C>(core, &op, &place);
    let op = if C::CONTEXT { C::settled(op, &place) } else { op };
    let execute = !conditional || state.flags.holds(state.it.condition());
    Some(Decoded { op, execute, cycles, in_flash, after })
}

/// Executes the instruction at the program counter, whose access to a register of `device` has faulted
/// just before. The memories' timing has already received the instruction. The access to the register
/// takes as long as one to RAM; the guard only records it.
///
/// # Errors
/// Another fault of the instruction.
#[cold]
#[inline(never)]
pub fn step_with_random<C: Core, T: FlashTiming, W: Watch>(
    core: &C,
    state: &mut State,
    bus: &mut Bus<'_, T, W>,
    tally: &mut Tally,
    device: &mut RandomDevice,
) -> Result<Single<C>, Fault> {
    let pc = state.pc;
    let Some(Decoded { op, cycles, after, .. }) = decoded::<C, T, W>(core, state, bus) else {
        let kind = FaultKind::Unmapped { address: pc, size: 2, access: Access::Execute };
        return Err(Fault { kind, pc });
    };
    let now = tally.cycles.saturating_add(bus.timing.stalls());
    let mut fault = NO_FAULT;
    let State { registers, flags, system, .. } = state;
    let mut all = WithRandom { bus: &mut *bus, device, now, accessed: None };
    let flow = C::Set::execute::<_, ()>(&op, pc, registers, flags, system, &mut all, &mut fault);
    if let Flow::Fault(()) = flow {
        return Err(Fault { kind: fault, pc });
    }
    match all.accessed {
        Some((address, size, Access::Write)) => {
            bus.guard.may_write(address, size);
            bus.timing.ram_access();
        }
        Some((address, size, _)) => {
            bus.guard.may_read(address, size);
            bus.timing.ram_read();
        }
        None => {}
    }
    let jumped = settle::<C, T, W>(&op, flow, cycles, state, bus, tally);
    state.it = after;
    Ok(Single { op, jumped, cycles })
}

/// Executes `op` at the program counter, or skips it; `cycles` is what it takes if it is executed,
/// a conditional branch if it is not taken. Returns whether it branched.
///
/// # Errors
/// The instruction's fault.
#[inline(never)]
fn single<C: Core, T: FlashTiming, W: Watch>(
    op: &OpOf<C>,
    execute: bool,
    cycles: u32,
    in_flash: bool,
    state: &mut State,
    bus: &mut Bus<'_, T, W>,
    tally: &mut Tally,
) -> Result<bool, Fault> {
    let pc = state.pc;
    if T::ACTIVE && in_flash {
        bus.timing.instruction(pc, C::Set::width(op));
    }
    let State { registers, flags, system, .. } = state;
    let mut fault = NO_FAULT;
    if !execute {
        return Ok(settle::<C, T, W>(op, Flow::Next, C::SKIPPED, state, bus, tally));
    }
    match C::Set::execute(op, pc, registers, flags, system, bus, &mut fault) {
        Flow::Fault(()) => Err(Fault { kind: fault, pc }),
        flow => Ok(settle::<C, T, W>(op, flow, cycles, state, bus, tally)),
    }
}

/// Continues after `op` has been executed or skipped; `cycles` is what that takes, a conditional branch if
/// it is not taken. Returns whether it branched.
#[inline(always)]
fn settle<C: Core, T: FlashTiming, W: Watch>(
    op: &OpOf<C>,
    flow: Flow<()>,
    cycles: u32,
    state: &mut State,
    bus: &mut Bus<'_, T, W>,
    tally: &mut Tally,
) -> bool {
    let pc = state.pc;
    let next = pc.wrapping_add(2 * C::Set::width(op));
    let (next, cycles, jumps) = match flow {
        Flow::Next | Flow::NextWide | Flow::Block(_) => (next, cycles, false),
        Flow::Busy(work) => (next, cycles + C::busy(op, work), false),
        Flow::Taken(target, _) => (target, cycles + C::taken(op), true),
        Flow::Go(target, _) => (target, cycles, true),
        // Decoding never makes the one, and the other does not come here.
        Flow::Leave | Flow::Fault(()) => (pc, 0, false),
    };
    let mut cycles = cycles;
    if jumps && C::CONTEXT {
        cycles += refill_at::<C, T, W>(bus, next);
    }
    tally.cycles += u64::from(cycles);
    tally.instructions += 1;
    if T::ACTIVE {
        bus.timing.finish(cycles);
        if jumps {
            bus.timing.jump(next, halfword(bus.flash, bus.flash_base, next).is_some());
        }
    }
    state.pc = next;
    jumps
}

/// Cycles that a taken branch waits for its target, wherever that is.
#[cold]
fn refill_at<C: Core, T: FlashTiming, W: Watch>(bus: &Bus<'_, T, W>, target: u32) -> u32 {
    if halfword(bus.ram, bus.ram_base, target).is_some() {
        refill::<C>(bus.ram, bus.ram_base, target)
    } else {
        refill::<C>(bus.flash, bus.flash_base, target)
    }
}

/// Cycles that a taken branch waits for its target.
#[cfg(feature = "translator")]
pub fn refill_of<C: Core, T: FlashTiming, W: Watch>(
    program: &Program<C>,
    bus: &Bus<'_, T, W>,
    target: u32,
) -> u32 {
    match program.position(target) {
        Some(position) => program.refill(position),
        None if C::CONTEXT => refill_at::<C, T, W>(bus, target),
        None => 0,
    }
}

/// Runs predecoded code until it leaves the table, meets the stop or reaches the budget.
#[allow(clippy::too_many_arguments)]
#[inline(never)]
fn run_flash<C: Core, T: FlashTiming, W: Watch, R: Reason>(
    program: &Program<C>,
    position: usize,
    state: &mut State,
    bus: &mut Bus<'_, T, W>,
    tally: &mut Tally,
    budget: u64,
    from: &mut u32,
) -> Result<(), Fault> {
    let (ops, remaining, base) = (program.ops(), program.remaining(), program.base());
    // Locals, so that they live in host registers.
    let mut cpu = *state;
    let mut local = bus.local();
    let mut count = *tally;
    let mut position = position;
    let mut start = position;
    let mut fault = NO_FAULT;

    let (pc, result) = loop {
        let op = &ops[position];
        let pc = base.wrapping_add(2 * position as u32);
        if T::ACTIVE {
            local.timing.instruction(pc, C::Set::width(op));
        }
        let (target, width, penalty) = match C::Set::execute::<_, R>(
            op,
            pc,
            &mut cpu.registers,
            &mut cpu.flags,
            &mut cpu.system,
            &mut local,
            &mut fault,
        ) {
            Flow::Next => {
                let width = C::Set::advance(op);
                if T::ACTIVE {
                    local.timing.finish(program.cycles(position, width));
                }
                position += width;
                continue;
            }
            Flow::NextWide => {
                if T::ACTIVE {
                    local.timing.finish(program.cycles(position, 2));
                }
                position += 2;
                continue;
            }
            Flow::Busy(work) => {
                let width = C::Set::advance(op);
                let more = C::busy(op, work);
                count.cycles += u64::from(more);
                if T::ACTIVE {
                    local.timing.finish(program.cycles(position, width) + more);
                }
                position += width;
                continue;
            }
            Flow::Taken(target, width) => (target, width, C::taken(op)),
            Flow::Go(target, width) => (target, width, 0),
            Flow::Block(number) => {
                count.add_stretch(remaining[start], remaining[position + 1]);
                if T::ACTIVE {
                    local.timing.finish(program.cycles(position, 1));
                }
                cpu.pc = pc.wrapping_add(2);
                let (last, done) = conditionals(program, number, &mut cpu, &mut local, &mut count);
                let next = program.position(cpu.pc).filter(|_| count.cycles + local.timing.stalls() < budget);
                match (done, next) {
                    (Ok(()), Some(next)) => {
                        position = next;
                        start = next;
                        continue;
                    }
                    (result, _) => {
                        *from = last;
                        break (cpu.pc, result);
                    }
                }
            }
            Flow::Leave => {
                count.add_stretch(remaining[start], remaining[position]);
                *from = pc.wrapping_sub(2);
                break (pc, Ok(()));
            }
            Flow::Fault(reason) => {
                count.add_stretch(remaining[start], remaining[position]);
                break (pc, Err(Fault { kind: Reason::kind(reason, fault), pc }));
            }
        };
        count.add_stretch(remaining[start], remaining[position + width as usize]);
        let next = program.position(target);
        let wait = penalty
            + match next {
                Some(next) => program.refill(next),
                None if C::CONTEXT => refill_at::<C, T, W>(&local, target),
                None => 0,
            };
        count.cycles += u64::from(wait);
        if T::ACTIVE {
            local.timing.finish(program.cycles(position, width as usize) + wait);
            local.timing.jump(target, target.wrapping_sub(local.flash_base) >> 2 < local.flash.len() as u32);
        }
        if count.cycles + local.timing.stalls() >= budget {
            *from = pc;
            break (target, Ok(()));
        }
        match next {
            Some(next) => {
                position = next;
                start = next;
            }
            None => {
                *from = pc;
                break (target, Ok(()));
            }
        }
    };

    (bus.watch, bus.timing) = (local.watch, local.timing);
    *tally = count;
    *state = cpu;
    state.pc = pc;
    result
}

/// Runs the instructions behind an IT instruction; returns the last one's address. A branch among
/// them ends the block.
#[inline(never)]
fn conditionals<C: Core, T: FlashTiming, W: Watch>(
    program: &Program<C>,
    number: u32,
    cpu: &mut State,
    bus: &mut Bus<'_, T, W>,
    count: &mut Tally,
) -> (u32, Result<(), Fault>) {
    let mut last = cpu.pc;
    for each in program.block(number) {
        last = cpu.pc;
        let next = last.wrapping_add(2 * C::Set::width(&each.op));
        let execute = cpu.flags.holds(each.condition);
        if let Err(fault) = single::<C, T, W>(&each.op, execute, each.cycles, true, cpu, bus, count) {
            cpu.it = each.it;
            return (last, Err(fault));
        }
        if cpu.pc != next {
            break;
        }
    }
    (last, Ok(()))
}
