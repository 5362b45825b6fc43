//! The two loops: over decoded flash, fast; over anything else, an instruction at a time.

use pennyweight_machine::account::Tally;
use pennyweight_machine::guard::Watch;
use pennyweight_machine::{Access, Fault, FaultKind};
use pennyweight_memory::bus::Bus;
use pennyweight_memory::timing::{Fetch, FlashTiming};

use crate::core::{Jump, Predictor};
use crate::csr::Csrs;
use crate::execute::{execute, Reservation};
use crate::op::{Code, Flow, Op};
use crate::pipeline::Pending;
use crate::program::{halfword, instruction, is_instruction, Program};
use crate::registers::Registers;

/// A core's state between runs, but for the predictor.
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

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The program counter reached the stop.
    Stopped,
    /// The budget is used up.
    OutOfCycles,
    /// A fault.
    Fault(Fault),
}

/// What was executed alone.
#[derive(Clone, Copy, Debug)]
pub struct Single {
    /// The instruction.
    pub op: Op,
    /// Did it go elsewhere than to the next one?
    pub jumped: bool,
}

/// What a run works on.
pub struct Run<'r, 'm, T, F, W> {
    /// Decoded flash.
    pub program: &'r mut Program,
    /// The core.
    pub state: &'r mut State,
    /// Its predictor.
    pub predictor: &'r mut Predictor,
    /// Flash and RAM.
    pub bus: Bus<'m, T, W>,
    /// Fetching from flash.
    pub fetch: &'r mut F,
    /// What was executed, without the waits of `bus`.
    pub tally: Tally,
}

/// Results that may be pending differently than the costs in the table assume, up to the next jump.
#[derive(Clone, Copy)]
struct Unsettled {
    /// The jump.
    at: usize,
    /// What is pending behind it.
    pending: Pending,
}

/// No operation has this position.
const SETTLED: usize = usize::MAX;

impl<T: FlashTiming, F: Fetch, W: Watch> Run<'_, '_, T, F, W> {
    /// Runs until the program counter is `stop`, a fault, or `budget` cycles.
    pub fn run(&mut self, stop: u32, budget: u64) -> End {
        let mut from = self.state.pc;
        loop {
            let pc = self.state.pc;
            if pc == stop {
                return End::Stopped;
            }
            if self.tally.cycles.saturating_add(self.bus.timing.stalls()) >= budget {
                return End::OutOfCycles;
            }
            let position = match self.program.position(pc) {
                Some(position) => Some(position),
                None => self.program.extend(self.bus.flash, pc),
            };
            let result = match position {
                Some(position) => self.run_flash(position, budget, &mut from),
                None => {
                    let result = self.step(from);
                    from = pc;
                    result.map(|_| ())
                }
            };
            if let Err(fault) = result {
                return End::Fault(fault);
            }
        }
    }

    /// Decodes and executes one instruction, wherever it lies. Slower than decoded code, but right
    /// even if the program just wrote the instruction. `from` is the instruction that led here.
    ///
    /// # Errors
    /// The instruction's fault; the state is then that before it.
    pub fn step(&mut self, from: u32) -> Result<Single, Fault> {
        let pc = self.state.pc;
        let bus = &mut self.bus;
        let in_flash = halfword(bus.flash, bus.flash_base, pc).is_some();
        let (memory, base) = if in_flash { (bus.flash, bus.flash_base) } else { (&*bus.ram, bus.ram_base) };
        let Some((op, bytes)) = instruction(memory, base, pc, self.program.extensions()) else {
            let kind = FaultKind::Unmapped { address: pc, size: 2, access: Access::Execute };
            return Err(Fault { kind, pc: from });
        };
        let core = self.program.core();
        let mut pending = self.state.pending;
        let mut cycles = 1 + pending.issue(&op, core);
        if in_flash {
            // Lines that are there already cost nothing, so asking for them twice does no harm.
            cycles += self.fetch.line(pc) + self.fetch.line(pc.wrapping_add(bytes - 1));
        }
        let State { registers, reserved, .. } = self.state;
        let flow = execute(&op, registers, reserved, bus);
        let following = pc.wrapping_add(bytes);
        let mut next = following;
        let mut lost = 0;
        match flow {
            Flow::NotTaken => lost = self.predictor.branch(pc, op.imm, false),
            Flow::Taken => {
                next = op.imm;
                lost = self.predictor.branch(pc, op.imm, true);
            }
            Flow::Jump | Flow::JumpTo(_) => {
                next = if let Flow::JumpTo(target) = flow { target } else { op.imm };
                registers[op.d] = following;
                lost = self.predictor.jump(pc, next, kind(&op, following));
            }
            Flow::Divided(bits) => cycles += core.divide(bits) - 1,
            Flow::Csr => {
                let waited = self.tally.cycles + bus.timing.stalls();
                let csrs = &mut self.state.csrs;
                let old = csrs.access(&op, registers[op.n], waited, self.tally.instructions);
                registers[op.d] = old.map_err(|kind| Fault { kind, pc })?;
            }
            Flow::FenceI => self.fetch.flush(),
            Flow::Fault(kind) => return Err(Fault { kind, pc }),
            // Decoding makes the last three for tables only.
            Flow::Next | Flow::GoOn | Flow::Line | Flow::Leave => {}
        }
        pending.advance(lost);
        self.state.pending = pending;
        self.state.pc = next;
        self.tally.cycles += u64::from(cycles + lost);
        self.tally.instructions += 1;
        let jumped = matches!(flow, Flow::Taken | Flow::Jump | Flow::JumpTo(_));
        Ok(Single { op, jumped })
    }

    /// Runs decoded code until it leaves the table, meets the stop or reaches the budget.
    fn run_flash(&mut self, position: usize, budget: u64, from: &mut u32) -> Result<(), Fault> {
        let (ops, places) = (self.program.ops(), self.program.places());
        let core = self.program.core();
        // Locals, so that they live in host registers.
        let mut cpu = self.state.registers;
        let mut reserved = self.state.reserved;
        let mut local = Bus { ram: &mut *self.bus.ram, ..self.bus };
        let mut count = self.tally;
        let mut position = position;
        let mut start = position;
        let mut unsettled = Unsettled { at: SETTLED, pending: Pending::default() };
        let mut pending = self.state.pending;
        count.cycles += u64::from(self.fetch.line(places[position].address));
        enter(self.program, position, &pending, &mut unsettled, &mut count);

        let (pc, result) = loop {
            let op = &ops[position];
            let (target, lost) = match execute(op, &mut cpu, &mut reserved, &mut local) {
                Flow::Next => {
                    position += 1;
                    continue;
                }
                Flow::Line => {
                    count.cycles += u64::from(self.fetch.line(op.imm));
                    position += 1;
                    continue;
                }
                Flow::NotTaken => {
                    let lost = self.predictor.branch(places[position].address, op.imm, false);
                    if lost != 0 || unsettled.at == position {
                        count.cycles += u64::from(lost);
                        pending = behind(self.program, position, &unsettled);
                        pending.advance(lost);
                        settle(self.program, position + 1, &pending, &mut unsettled, &mut count);
                    }
                    position += 1;
                    continue;
                }
                Flow::Divided(bits) => {
                    count.cycles += u64::from(core.divide(bits) - 1);
                    position += 1;
                    continue;
                }
                Flow::Taken => (op.imm, self.predictor.branch(places[position].address, op.imm, true)),
                Flow::Jump => {
                    let back = places[position + 1].address;
                    cpu[op.d] = back;
                    (op.imm, self.predictor.jump(places[position].address, op.imm, kind(op, back)))
                }
                Flow::JumpTo(target) => {
                    let back = places[position + 1].address;
                    cpu[op.d] = back;
                    (target, self.predictor.jump(places[position].address, target, kind(op, back)))
                }
                Flow::FenceI => {
                    self.fetch.flush();
                    position += 1;
                    continue;
                }
                Flow::Csr => {
                    count.add_stretch(places[start].remaining, places[position].remaining);
                    start = position;
                    let cycles = count.cycles + local.timing.stalls();
                    let source = cpu[op.n];
                    match self.state.csrs.access(op, source, cycles, count.instructions) {
                        Ok(old) => cpu[op.d] = old,
                        Err(kind) => {
                            let pc = places[position].address;
                            break (pc, Err(Fault { kind, pc }));
                        }
                    }
                    position += 1;
                    continue;
                }
                Flow::GoOn => {
                    count.add_stretch(places[start].remaining, places[position].remaining);
                    pending = behind(self.program, position, &unsettled);
                    let target = op.imm;
                    let Some(next) = self.program.position(target) else {
                        break (target, Ok(()));
                    };
                    count.cycles += u64::from(self.fetch.line(target));
                    position = next;
                    start = next;
                    enter(self.program, position, &pending, &mut unsettled, &mut count);
                    continue;
                }
                Flow::Leave => {
                    count.add_stretch(places[start].remaining, places[position].remaining);
                    pending = behind(self.program, position, &unsettled);
                    let pc = places[position].address;
                    *from = position.checked_sub(1).map_or(pc, |before| places[before].address);
                    break (pc, Ok(()));
                }
                Flow::Fault(kind) => {
                    count.add_stretch(places[start].remaining, places[position].remaining);
                    let pc = places[position].address;
                    break (pc, Err(Fault { kind, pc }));
                }
            };
            count.add_stretch(places[start].remaining, places[position + 1].remaining);
            count.cycles += u64::from(lost);
            let carries = places[position].leaves_pending || unsettled.at == position;
            let before = position;
            let next = if count.cycles + local.timing.stalls() >= budget {
                None
            } else {
                self.program.position(target)
            };
            let Some(next) = next else {
                pending = behind(self.program, before, &unsettled);
                pending.advance(lost);
                *from = places[before].address;
                break (target, Ok(()));
            };
            count.cycles += u64::from(self.fetch.line(target));
            position = next;
            start = next;
            if carries || places[next].expects_pending {
                pending = behind(self.program, before, &unsettled);
                pending.advance(lost);
                settle(self.program, next, &pending, &mut unsettled, &mut count);
            } else {
                unsettled.at = SETTLED;
            }
        };

        self.bus.watch = local.watch;
        self.bus.timing = local.timing;
        self.tally = count;
        self.state.registers = cpu;
        self.state.reserved = reserved;
        self.state.pending = pending;
        self.state.pc = pc;
        result
    }
}

/// What kind of jump `op` is to the predictor.
#[inline(always)]
fn kind(op: &Op, back: u32) -> Jump {
    match op.code {
        Code::Call | Code::CallReg => Jump::Call(back),
        Code::Return => Jump::Return,
        _ => Jump::Plain,
    }
}

/// What is pending behind the operation at `position`.
#[inline(never)]
fn behind(program: &Program, position: usize, unsettled: &Unsettled) -> Pending {
    if unsettled.at == position {
        unsettled.pending
    } else if program.places()[position].leaves_pending {
        program.pending_behind(position)
    } else {
        Pending::default()
    }
}

/// Comes to `position` with results pending: corrects the costs that the table assumes.
#[inline(always)]
fn enter(
    program: &Program,
    position: usize,
    pending: &Pending,
    unsettled: &mut Unsettled,
    count: &mut Tally,
) {
    if pending.is_empty() && !program.places()[position].expects_pending {
        unsettled.at = SETTLED;
    } else {
        settle(program, position, pending, unsettled, count);
    }
}

/// Follows the code from `position` on until it costs what the table says, or to the next jump.
#[inline(never)]
fn settle(
    program: &Program,
    position: usize,
    pending: &Pending,
    unsettled: &mut Unsettled,
    count: &mut Tally,
) {
    let core = program.core();
    let mut pending = *pending;
    let mut agreed = 0;
    unsettled.at = SETTLED;
    for (later, op) in program.ops().iter().enumerate().skip(position) {
        if is_instruction(op) {
            let waited = pending.issue(op, core);
            let assumed = program.cycles(later).wrapping_sub(1);
            count.cycles = count.cycles.wrapping_add(u64::from(waited)).wrapping_sub(u64::from(assumed));
            agreed = if waited == assumed { agreed + 1 } else { 0 };
        }
        if op.is_jump() || matches!(op.code, Code::GoOn | Code::Leave) {
            *unsettled = Unsettled { at: later, pending };
            return;
        }
        // Nothing older can be pending, and the last few were issued as the table assumes.
        if agreed > core.longest() {
            return;
        }
    }
}
