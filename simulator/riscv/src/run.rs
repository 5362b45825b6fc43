//! The two loops: over decoded flash, fast; over anything else, an instruction at a time.

use pennyweight_machine::account::Tally;
use pennyweight_machine::fault::NO_FAULT;
use pennyweight_machine::guard::Watch;
use pennyweight_machine::{Access, Fault, FaultKind};
use pennyweight_machine32::{self as machine32, End};
use pennyweight_memory::bus::Bus;
use pennyweight_memory::timing::{Fetch, FlashTiming};

use crate::control::{cycles, divided, not_taken, taken};
use crate::core::{Around, Core, Jumps, Starved};
use crate::csr::Csrs;
use crate::decode::is_wide;
use crate::execute::{execute, Reservation};
use crate::op::{Code, Flow, Op};
use crate::pipeline::Pending;
use crate::processor::Riscv;
use crate::program::{halfword, instruction, is_instruction, Program};
use crate::registers::Registers;

/// A core's state between runs, except the predictor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Integer registers.
    pub registers: Registers,
    /// Control and status registers.
    pub csrs: Csrs,
    /// The word that LR.W has reserved.
    pub reserved: Reservation,
    /// Results on their way.
    pub pending: Pending,
    /// Address of the next instruction.
    pub pc: u32,
}

/// What was executed alone.
#[derive(Clone, Copy, Debug)]
pub struct Single {
    /// The instruction.
    pub op: Op,
    /// Its address.
    pub pc: u32,
    /// Did it go elsewhere than to the next one?
    pub jumped: bool,
}

/// What a run works on.
pub type Run<'r, 'm, T, F, W> = machine32::Run<'r, 'm, Riscv, T, F, W>;

/// Results that may be pending differently than the costs in the table assume, up to the next jump.
#[derive(Clone, Copy)]
struct Carried {
    /// The jump.
    at: usize,
    /// What is pending behind it.
    pending: Pending,
}

/// No operation has this position.
const NOTHING_CARRIED: usize = usize::MAX;

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
        if run.tally.cycles.saturating_add(run.bus.timing.stalls()) >= budget {
            return End::OutOfCycles;
        }
        let position = match run.processor.program.position(pc) {
            Some(position) => Some(position),
            None => run.processor.program.extend(run.bus.flash, pc),
        };
        // Where a line of code begins for fetch, nothing is pending.
        let pends = matches!(run.history, Jumps::Looped(_)) && !run.state.pending.is_empty();
        let result = match position {
            Some(position) if !pends => run_flash(run, position, budget, &mut from),
            _ => {
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

/// Decodes and executes one instruction, wherever it is. Slower than decoded code, but right
/// even if the program just wrote the instruction. `from` is the instruction that led here.
///
/// # Errors
/// The instruction's fault; the state is then that before it.
pub fn step<T: FlashTiming, F: Fetch, W: Watch>(
    run: &mut Run<'_, '_, T, F, W>,
    from: u32,
) -> Result<Single, Fault> {
    let pc = run.state.pc;
    let bus = &mut run.bus;
    let program = &run.processor.program;
    let in_flash = halfword(bus.flash, bus.flash_base, pc).is_some();
    let (memory, base) = if in_flash { (bus.flash, bus.flash_base) } else { (&*bus.ram, bus.ram_base) };
    let Some((op, bytes)) = instruction(memory, base, pc, program.extensions()) else {
        let kind = FaultKind::Unmapped { address: pc, size: 2, access: Access::Execute };
        return Err(Fault { kind, pc: from });
    };
    if T::ACTIVE && in_flash {
        bus.timing.instruction(pc, bytes / 2);
    }
    let core = program.core();
    if let Jumps::Looped(looped) = &mut *run.history {
        looped.resume(pc);
    }
    let mut pending = run.state.pending;
    let before = pending;
    let mut cycles = cycles(&mut pending, &op, core);
    if in_flash {
        // Lines that are already held cost nothing, so asking for them twice does no harm.
        cycles += run.fetch.line(pc) + run.fetch.line(pc.wrapping_add(bytes - 1));
    }
    let State { registers, reserved, .. } = run.state;
    let mut fault = NO_FAULT;
    let flow = execute(&op, registers, reserved, bus, &mut fault);
    let following = pc.wrapping_add(bytes);
    let around = Alone { bus, core, op: &op, halfwords: (bytes / 2) as u8, pending: before };
    let mut next = following;
    let mut lost = 0;
    match flow {
        Flow::NotTaken => lost = not_taken(&op, (pc, following), run.history, &around),
        Flow::Taken | Flow::Jump | Flow::JumpTo(_) => {
            (next, lost) = taken(&op, flow, (pc, following), registers, run.history, &around);
        }
        Flow::Divided(by) => cycles += divided(core, by),
        Flow::Csr => {
            let waited = run.tally.cycles + around.bus.timing.stalls();
            let csrs = &mut run.state.csrs;
            let old = csrs.access(&op, registers[op.n], waited, run.tally.instructions);
            registers[op.d] = old.map_err(|kind| Fault { kind, pc })?;
        }
        Flow::FenceI => {
            run.fetch.flush();
            lost = run.history.fence((pc, following), &around);
        }
        Flow::Fault => return Err(Fault { kind: fault, pc }),
        // Decoding makes the last three for tables only.
        Flow::Next | Flow::GoOn | Flow::Line | Flow::Leave => {}
    }
    if let (Jumps::Looped(looped), 0) = (&mut *run.history, lost) {
        // It was no jump, unless a predicted branch began another line.
        if !matches!(flow, Flow::Taken) {
            lost = looped.passed((pc, following), &around);
        }
    }
    pending.advance(lost);
    run.state.pending = pending;
    run.state.pc = next;
    run.tally.cycles += u64::from(cycles + lost);
    run.tally.instructions += 1;
    let jumped = matches!(flow, Flow::Taken | Flow::Jump | Flow::JumpTo(_));
    finished(bus, cycles + lost, jumped.then_some(next));
    Ok(Single { op, pc, jumped })
}

/// Halfwords of the instruction at `address`; one where there is no memory.
#[inline(always)]
fn halfwords<T, W>(bus: &Bus<'_, T, W>, address: u32) -> u8 {
    let flash = halfword(bus.flash, bus.flash_base, address);
    let half = flash.or_else(|| halfword(bus.ram, bus.ram_base, address));
    1 + u8::from(half.is_some_and(is_wide))
}

/// An instruction that is executed alone.
struct Alone<'a, 'b, T, W> {
    bus: &'a Bus<'b, T, W>,
    core: &'a Core,
    op: &'a Op,
    halfwords: u8,
    /// What was pending before it.
    pending: Pending,
}

impl<T, W> Around for Alone<'_, '_, T, W> {
    #[inline(always)]
    fn halfwords(&self, address: u32) -> u8 {
        halfwords(self.bus, address)
    }

    fn pending(&self) -> Pending {
        self.pending
    }

    /// The line is the instruction.
    fn follow(&self, _: &mut Starved, _: u32, _: u32) {}

    fn execute(&self, starved: &mut Starved, _: u32) {
        starved.execute(self.op, self.halfwords, self.core);
    }
}

/// Decoded code.
struct Decoded<'a, 'b, T, W> {
    bus: &'a Bus<'b, T, W>,
    program: &'a Program,
}

impl<T, W> Around for Decoded<'_, '_, T, W> {
    #[inline(always)]
    fn halfwords(&self, address: u32) -> u8 {
        halfwords(self.bus, address)
    }

    fn pending(&self) -> Pending {
        Pending::default()
    }

    fn follow(&self, starved: &mut Starved, from: u32, to: u32) {
        let mut position = self.program.position(from);
        while let Some(at) = position {
            let (op, address) = (&self.program.ops()[at], self.program.places()[at].address);
            if address == to {
                break;
            }
            position = match op.code {
                Code::GoOn => self.program.position(op.imm),
                Code::Leave => None,
                Code::Line => Some(at + 1),
                _ => {
                    starved.arrive(self.halfwords(address));
                    starved.execute(op, self.halfwords(address), self.program.core());
                    Some(at + 1)
                }
            };
        }
        starved.arrive(self.halfwords(to));
    }

    fn execute(&self, starved: &mut Starved, address: u32) {
        if let Some(at) = self.program.position(address) {
            starved.execute(&self.program.ops()[at], self.halfwords(address), self.program.core());
        }
    }
}

/// Cycles lost in a line of code until the instruction at `pc` has arrived.
#[inline(never)]
fn settle(jumps: &mut Jumps, pc: u32, around: &impl Around) -> u64 {
    match jumps {
        Jumps::Looped(looped) => looped.settle(pc, around).into(),
        Jumps::Predicted(_) | Jumps::Refilled(_) => 0,
    }
}

/// Reports the end of an instruction of so many cycles, and where it jumped, to the flash's timing.
#[inline(always)]
fn finished<T: FlashTiming, W>(bus: &mut Bus<'_, T, W>, cycles: u32, target: Option<u32>) {
    if T::ACTIVE {
        bus.timing.finish(cycles);
        if let Some(target) = target {
            let in_flash = target.wrapping_sub(bus.flash_base) >> 2 < bus.flash.len() as u32;
            bus.timing.jump(target, in_flash);
        }
    }
}

/// Runs decoded code until it leaves the table, meets the stop or reaches the budget.
fn run_flash<T: FlashTiming, F: Fetch, W: Watch>(
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
    let mut reserved = run.state.reserved;
    let mut local = run.bus.local();
    let mut count = run.tally;
    let mut position = position;
    let mut start = position;
    let mut carried = Carried { at: NOTHING_CARRIED, pending: Pending::default() };
    let mut pending = run.state.pending;
    let mut fault = NO_FAULT;
    // Only a flash that needs reports asks for it; a core with such a flash has nothing pending.
    let cycles_of = |position| if T::ACTIVE { program.cycles(position) } else { 0 };
    count.cycles += u64::from(run.fetch.line(places[position].address));
    if let Jumps::Looped(looped) = &mut *run.history {
        looped.resume(places[position].address);
    }
    enter(program, position, &pending, &mut carried, &mut count);

    let (pc, result) = loop {
        let op = &ops[position];
        if T::ACTIVE && is_instruction(op) {
            let address = places[position].address;
            let halfwords = places[position + 1].address.wrapping_sub(address) / 2;
            local.timing.instruction(address, halfwords);
        }
        let flow = execute(op, &mut cpu, &mut reserved, &mut local, &mut fault);
        let (target, lost) = match flow {
            Flow::Next => {
                finished(&mut local, cycles_of(position), None);
                position += 1;
                continue;
            }
            Flow::Line => {
                count.cycles += u64::from(run.fetch.line(op.imm));
                position += 1;
                continue;
            }
            Flow::NotTaken => {
                let around = (places[position].address, places[position + 1].address);
                let lost = not_taken(op, around, run.history, &Decoded { bus: &local, program });
                finished(&mut local, cycles_of(position) + lost, None);
                if lost != 0 || carried.at == position {
                    count.cycles += u64::from(lost);
                    pending = behind(program, position, &carried);
                    pending.advance(lost);
                    carry(program, position + 1, &pending, &mut carried, &mut count);
                }
                position += 1;
                continue;
            }
            Flow::Divided(by) => {
                let divided = divided(core, by);
                finished(&mut local, cycles_of(position) + divided, None);
                count.cycles += u64::from(divided);
                position += 1;
                continue;
            }
            Flow::Taken | Flow::Jump | Flow::JumpTo(_) => {
                let around = (places[position].address, places[position + 1].address);
                let code = Decoded { bus: &local, program };
                let (target, lost) = taken(op, flow, around, &mut cpu, run.history, &code);
                finished(&mut local, cycles_of(position) + lost, Some(target));
                (target, lost)
            }
            Flow::FenceI => {
                finished(&mut local, cycles_of(position), None);
                run.fetch.flush();
                let around = (places[position].address, places[position + 1].address);
                count.cycles += u64::from(run.history.fence(around, &Decoded { bus: &local, program }));
                position += 1;
                continue;
            }
            Flow::Csr => {
                count.add_stretch(places[start].remaining, places[position].remaining);
                start = position;
                let around = Decoded { bus: &local, program };
                count.cycles += settle(run.history, places[position].address, &around);
                let cycles = count.cycles + local.timing.stalls();
                let source = cpu[op.n];
                match run.state.csrs.access(op, source, cycles, count.instructions) {
                    Ok(old) => cpu[op.d] = old,
                    Err(kind) => {
                        let pc = places[position].address;
                        break (pc, Err(Fault { kind, pc }));
                    }
                }
                finished(&mut local, cycles_of(position), None);
                position += 1;
                continue;
            }
            Flow::GoOn => {
                count.add_stretch(places[start].remaining, places[position].remaining);
                pending = behind(program, position, &carried);
                let target = op.imm;
                let Some(next) = program.position(target) else {
                    count.cycles += settle(run.history, target, &Decoded { bus: &local, program });
                    break (target, Ok(()));
                };
                count.cycles += u64::from(run.fetch.line(target));
                position = next;
                start = next;
                enter(program, position, &pending, &mut carried, &mut count);
                continue;
            }
            Flow::Leave => {
                count.add_stretch(places[start].remaining, places[position].remaining);
                pending = behind(program, position, &carried);
                let pc = places[position].address;
                *from = position.checked_sub(1).map_or(pc, |before| places[before].address);
                count.cycles += settle(run.history, pc, &Decoded { bus: &local, program });
                break (pc, Ok(()));
            }
            Flow::Fault => {
                count.add_stretch(places[start].remaining, places[position].remaining);
                let pc = places[position].address;
                count.cycles += settle(run.history, pc, &Decoded { bus: &local, program });
                break (pc, Err(Fault { kind: fault, pc }));
            }
        };
        count.add_stretch(places[start].remaining, places[position + 1].remaining);
        count.cycles += u64::from(lost);
        let carries = places[position].leaves_pending || carried.at == position;
        let before = position;
        let next =
            if count.cycles + local.timing.stalls() >= budget { None } else { program.position(target) };
        let Some(next) = next else {
            pending = behind(program, before, &carried);
            pending.advance(lost);
            *from = places[before].address;
            break (target, Ok(()));
        };
        count.cycles += u64::from(run.fetch.line(target));
        position = next;
        start = next;
        if carries || places[next].expects_pending {
            pending = behind(program, before, &carried);
            pending.advance(lost);
            carry(program, next, &pending, &mut carried, &mut count);
        } else {
            carried.at = NOTHING_CARRIED;
        }
    };

    (run.bus.watch, run.bus.timing) = (local.watch, local.timing);
    run.tally = count;
    run.state.registers = cpu;
    run.state.reserved = reserved;
    run.state.pending = pending;
    run.state.pc = pc;
    result
}

/// Runs decoded code from `position` on, where the program counter is, until it leaves the table, meets the
/// stop or reaches the budget. `from` becomes the address of the instruction that led to the program counter.
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
    run_flash(run, position, budget, from)
}

/// The code around decoded instructions.
#[cfg(feature = "translator")]
pub fn around<'a, T: FlashTiming, F: Fetch, W: Watch>(run: &'a Run<'_, '_, T, F, W>) -> Box<dyn Around + 'a> {
    Box::new(Decoded { bus: &run.bus, program: &run.processor.program })
}

/// Counts the cycles lost in a line of code until the instruction at the program counter has arrived.
#[cfg(feature = "translator")]
pub fn settle_line<T: FlashTiming, F: Fetch, W: Watch>(run: &mut Run<'_, '_, T, F, W>) {
    let around = Decoded { bus: &run.bus, program: &run.processor.program };
    run.tally.cycles += settle(run.history, run.state.pc, &around);
}

/// What is pending behind the operation at `position`.
#[inline(never)]
fn behind(program: &Program, position: usize, carried: &Carried) -> Pending {
    if carried.at == position {
        carried.pending
    } else if program.places()[position].leaves_pending {
        program.pending_behind(position)
    } else {
        Pending::default()
    }
}

/// Comes to `position` with results pending: corrects the costs that the table assumes.
#[inline(always)]
fn enter(program: &Program, position: usize, pending: &Pending, carried: &mut Carried, count: &mut Tally) {
    if pending.is_empty() && !program.places()[position].expects_pending {
        carried.at = NOTHING_CARRIED;
    } else {
        carry(program, position, pending, carried, count);
    }
}

/// Follows the code from `position` on until it costs what the table assumes, or to the next jump.
#[inline(never)]
fn carry(program: &Program, position: usize, pending: &Pending, carried: &mut Carried, count: &mut Tally) {
    let core = program.core();
    let mut pending = *pending;
    let mut agreed = 0;
    carried.at = NOTHING_CARRIED;
    for (later, op) in program.ops().iter().enumerate().skip(position) {
        if is_instruction(op) {
            let waited = pending.issue(op, core);
            let assumed = program.cycles(later).wrapping_sub(1);
            count.cycles = count.cycles.wrapping_add(u64::from(waited)).wrapping_sub(u64::from(assumed));
            agreed = if waited == assumed { agreed + 1 } else { 0 };
        }
        if op.is_jump() || matches!(op.code, Code::GoOn | Code::Leave) {
            *carried = Carried { at: later, pending };
            return;
        }
        // Nothing older can be pending, and the last few were issued as the table assumes.
        if agreed > core.longest() {
            return;
        }
    }
}
