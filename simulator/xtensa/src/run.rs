//! The two loops: over decoded flash, fast; over anything else, an instruction at a time.

use pennyweight_machine::fault::NO_FAULT;
use pennyweight_machine::guard::Watch;
use pennyweight_machine::Fault;
use pennyweight_machine32::{self as machine32, End};
use pennyweight_memory::timing::{Fetch, FlashTiming};

use crate::core::Core;
use crate::execute::{execute, unmapped_jump};
use crate::op::{Code, Flow, Op, Reg, Registers};
use crate::processor::Xtensa;
use crate::program::{highest, instruction};
use crate::special::{self, Effect, Extra};
use crate::timing::{cycles, effect, exception, skipped_loop, taken, waits};

/// A core's state between runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Address registers.
    pub registers: Registers,
    /// The shift amount.
    pub sar: u32,
    /// Address of the next instruction.
    pub pc: u32,
    /// Cycles of all runs before this one.
    pub cycles: u64,
    /// The instruction just executed, if the next one may have to wait for it.
    pub before: Option<Op>,
    /// Windows, loops and all else.
    pub extra: Extra,
}

impl State {
    /// After reset, to begin at `pc`.
    #[must_use]
    pub fn new(core: &Core, pc: u32) -> Self {
        State { pc, extra: Extra::new(core), ..State::default() }
    }
}

/// What was executed alone.
#[derive(Clone, Copy, Debug)]
pub struct Single {
    /// The instruction.
    pub op: Op,
    /// Its length.
    pub bytes: u32,
}

/// What a run works on.
pub type Run<'r, 'm, T, F, W> = machine32::Run<'r, 'm, Xtensa, T, F, W>;

/// Runs until the program counter is `stop`, a fault, or `budget` cycles.
pub fn run<T: FlashTiming, F: Fetch, W: Watch>(
    run: &mut Run<'_, '_, T, F, W>,
    stop: u32,
    budget: u64,
) -> End {
    let mut from = run.state.pc;
    loop {
        let pc = run.state.pc;
        if pc == stop {
            return End::Stopped;
        }
        if run.tally.cycles >= budget {
            return End::OutOfCycles;
        }
        let Extra { loops, windows, .. } = &run.state.extra;
        if loops.count != 0 && !run.processor.program.is_loop_end(loops.end) {
            run.processor.program.add_end(loops.end);
        }
        let free = windows.usable() == 4;
        let position = match run.processor.program.position(pc) {
            Some(position) => Some(position),
            None => run.processor.program.extend(run.bus.flash, pc),
        };
        let result = match position {
            Some(position) if free => run_flash::<false, _, _, _>(run, position, budget, &mut from),
            Some(position) => run_flash::<true, _, _, _>(run, position, budget, &mut from),
            None => {
                let result = step(run, from);
                from = pc;
                result.map(|_| ())
            }
        };
        if let Err(fault) = result {
            return End::Fault(fault);
        }
    }
}

/// Runs decoded code from `position` on, where the program counter is, until it leaves the table, meets the stop
/// or reaches the budget, or until other calls own other registers than before. `from` becomes the address of the
/// instruction that led to the program counter.
///
/// # Errors
/// The fault of an instruction.
#[cfg(feature = "translator")]
pub fn run_decoded<T: FlashTiming, F: Fetch, W: Watch>(
    run: &mut Run<'_, '_, T, F, W>,
    position: usize,
    budget: u64,
    from: &mut u32,
) -> Result<(), Fault> {
    if run.state.extra.windows.usable() == 4 {
        run_flash::<false, _, _, _>(run, position, budget, from)
    } else {
        run_flash::<true, _, _, _>(run, position, budget, from)
    }
}

/// Decodes and executes one instruction, wherever it is. `from` is the instruction that led
/// here.
///
/// # Errors
/// The instruction's fault; the state is then that before it.
pub fn step<T: FlashTiming, F: Fetch, W: Watch>(
    run: &mut Run<'_, '_, T, F, W>,
    from: u32,
) -> Result<Option<Single>, Fault> {
    let pc = run.state.pc;
    let core = run.processor.program.core();
    let (flash, ram) = (run.bus.flash, &*run.bus.ram);
    let found = instruction(flash, run.bus.flash_base, pc, core)
        .or_else(|| instruction(ram, run.bus.ram_base, pc, core));
    let Some((op, bytes)) = found else {
        return Err(Fault { kind: unmapped_jump(pc), pc: from });
    };
    let single = Single { op, bytes };
    let mut spent = cycles(&op, core) + waits(run.state.before.as_ref(), &op);
    let State { registers, sar, extra, .. } = run.state;
    let four = u32::from(highest(&op));
    if four >= extra.windows.usable() {
        run.state.pc = extra.windows.overflow(registers, pc, four);
        run.state.before = None;
        run.tally.cycles += u64::from(exception(core));
        return Ok(None);
    }
    let following = pc.wrapping_add(bytes);
    let mut before = Some(op);
    let mut fault = NO_FAULT;
    let mut executed = Some(single);
    let next = match execute(&op, registers, sar, &mut run.bus, &mut fault) {
        Flow::Taken => {
            spent += taken(&op, core);
            before = None;
            op.imm
        }
        Flow::To(target) => {
            before = None;
            target
        }
        Flow::Call(target) => {
            registers[Reg::A0] = following;
            before = None;
            target
        }
        Flow::Ccount => {
            registers[op.d] = (run.state.cycles + run.tally.cycles) as u32;
            following
        }
        Flow::Loop => {
            if extra.loops.enter(&op, registers[op.s], following) {
                spent += skipped_loop(core);
                before = None;
                op.imm
            } else {
                following
            }
        }
        Flow::Special => {
            let done = special::execute(op.imm, (pc, following), registers, extra, &mut run.bus);
            let done = done.map_err(|kind| Fault { kind, pc })?;
            spent += effect(&done, core);
            let target = match done {
                Effect::On | Effect::Moved | Effect::Changed => None,
                Effect::To(target) | Effect::Taken(target) => Some(target),
                Effect::Exception(target) => {
                    executed = None;
                    spent = exception(core);
                    Some(target)
                }
            };
            if target.is_some() {
                before = None;
            }
            target.unwrap_or(following)
        }
        Flow::Fault => return Err(Fault { kind: fault, pc }),
        Flow::Next | Flow::LoopEnd | Flow::GoOn | Flow::Leave => following,
    };
    // Only what falls to the end of a loop goes back: a jump there leaves it.
    let fell = before.is_some() && next == following;
    let next = if fell { extra.loop_back(next).unwrap_or(next) } else { next };
    run.state.before = before;
    run.state.pc = next;
    run.tally.cycles += u64::from(spent);
    run.tally.instructions += u64::from(executed.is_some());
    Ok(executed)
}

/// Runs decoded code until it leaves the table, meets the stop or reaches the budget. `CHECK`:
/// does another call own some of the visible registers?
fn run_flash<const CHECK: bool, T: FlashTiming, F: Fetch, W: Watch>(
    run: &mut Run<'_, '_, T, F, W>,
    position: usize,
    budget: u64,
    from: &mut u32,
) -> Result<(), Fault> {
    let program = &run.processor.program;
    let (ops, places) = (program.ops(), program.places());
    let core = program.core();
    // Locals, so that they live in host registers.
    let mut cpu = run.state.registers;
    let mut sar = run.state.sar;
    let extra = &mut run.state.extra;
    let mut usable = if CHECK { extra.windows.usable() } else { 4 };
    let mut local = run.bus.local();
    let mut count = run.tally;
    let mut position = position;
    let mut start = position;
    let waited = waits(run.state.before.as_ref(), &ops[position]);
    count.cycles = count.cycles.wrapping_add(u64::from(waited)).wrapping_sub(places[position].waits.into());
    let mut before = None;
    let mut fault = NO_FAULT;

    let (pc, result) = loop {
        let op = &ops[position];
        if CHECK && u32::from(places[position].highest) >= usable {
            count.add_stretch(places[start].remaining, places[position].remaining);
            count.cycles += u64::from(exception(core));
            let pc = places[position].address;
            let four = places[position].highest.into();
            break (extra.windows.overflow(&mut cpu, pc, four), Ok(()));
        }
        let (target, lost) = match execute(op, &mut cpu, &mut sar, &mut local, &mut fault) {
            Flow::Next => {
                position += 1;
                continue;
            }
            Flow::Taken => (op.imm, taken(op, core)),
            Flow::To(target) => (target, 0),
            Flow::Call(target) => {
                cpu[Reg::A0] = places[position + 1].address;
                (target, 0)
            }
            Flow::Ccount => {
                count.add_stretch(places[start].remaining, places[position].remaining);
                start = position;
                cpu[op.d] = (run.state.cycles + count.cycles) as u32;
                position += 1;
                continue;
            }
            Flow::Loop => {
                if extra.loops.enter(op, cpu[op.s], places[position + 1].address) {
                    (op.imm, skipped_loop(core))
                } else {
                    position += 1;
                    continue;
                }
            }
            Flow::LoopEnd => {
                let Some(target) = extra.loop_back(op.imm) else {
                    position += 1;
                    continue;
                };
                count.add_stretch(places[start].remaining, places[position].remaining);
                let last = ops[position - 1];
                let next = if count.cycles >= budget { None } else { program.position(target) };
                let Some(next) = next else {
                    before = Some(last);
                    *from = places[position - 1].address;
                    break (target, Ok(()));
                };
                let waited = u64::from(waits(Some(&last), &ops[next]));
                count.cycles = count.cycles.wrapping_add(waited).wrapping_sub(places[next].waits.into());
                position = next;
                start = next;
                continue;
            }
            Flow::Special => {
                let (pc, following) = (places[position].address, places[position + 1].address);
                let done = special::execute(op.imm, (pc, following), &mut cpu, extra, &mut local);
                usable = extra.windows.usable();
                // The other loop is for what windows are now.
                let other = (usable == 4) == CHECK;
                match done {
                    Ok(Effect::Moved) if !other => {
                        position += 1;
                        continue;
                    }
                    Ok(Effect::On) => {
                        position += 1;
                        continue;
                    }
                    Ok(Effect::Moved | Effect::Changed) => {
                        count.add_stretch(places[start].remaining, places[position + 1].remaining);
                        before = Some(*op);
                        *from = pc;
                        break (extra.loop_back(following).unwrap_or(following), Ok(()));
                    }
                    Ok(Effect::To(target)) if other => {
                        count.add_stretch(places[start].remaining, places[position + 1].remaining);
                        *from = pc;
                        break (target, Ok(()));
                    }
                    Ok(done @ (Effect::To(target) | Effect::Taken(target))) => (target, effect(&done, core)),
                    Ok(Effect::Exception(target)) => {
                        count.add_stretch(places[start].remaining, places[position].remaining);
                        count.cycles += u64::from(exception(core));
                        *from = pc;
                        break (target, Ok(()));
                    }
                    Err(kind) => {
                        count.add_stretch(places[start].remaining, places[position].remaining);
                        break (pc, Err(Fault { kind, pc }));
                    }
                }
            }
            Flow::GoOn => {
                count.add_stretch(places[start].remaining, places[position].remaining);
                let Some(next) = program.position(op.imm) else {
                    break (op.imm, Ok(()));
                };
                let waited = u64::from(places[position].waits);
                count.cycles = count.cycles.wrapping_add(waited).wrapping_sub(places[next].waits.into());
                position = next;
                start = next;
                continue;
            }
            Flow::Leave => {
                count.add_stretch(places[start].remaining, places[position].remaining);
                let pc = places[position].address;
                let last = (0..position).rev().find(|&last| ops[last].code != Code::LoopEnd);
                before = last.map(|last| ops[last]);
                *from = last.map_or(pc, |last| places[last].address);
                break (pc, Ok(()));
            }
            Flow::Fault => {
                count.add_stretch(places[start].remaining, places[position].remaining);
                let pc = places[position].address;
                break (pc, Err(Fault { kind: fault, pc }));
            }
        };
        count.add_stretch(places[start].remaining, places[position + 1].remaining);
        count.cycles += u64::from(lost);
        let next = if count.cycles >= budget { None } else { program.position(target) };
        let Some(next) = next else {
            *from = places[position].address;
            break (target, Ok(()));
        };
        position = next;
        start = next;
        count.cycles = count.cycles.wrapping_sub(places[next].waits.into());
    };

    (run.bus.watch, run.bus.timing) = (local.watch, local.timing);
    run.tally = count;
    run.state.registers = cpu;
    run.state.sar = sar;
    run.state.before = before;
    run.state.pc = pc;
    result
}
