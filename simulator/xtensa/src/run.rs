//! The two loops: over decoded flash, fast; over anything else, an instruction at a time.

use pennyweight_machine::account::Tally;
use pennyweight_machine::guard::Watch;
use pennyweight_machine::Fault;
use pennyweight_memory::bus::Bus;
use pennyweight_memory::timing::FlashTiming;

use crate::core::Core;
use crate::execute::{astray, execute};
use crate::op::{Code, Flow, Op, Reg, Registers};
use crate::program::{cycles, highest, instruction, waits, Program};
use crate::special::{self, Effect, Extra};

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

/// What a run works on.
pub struct Run<'r, 'm, T, W> {
    /// Decoded flash.
    pub program: &'r mut Program,
    /// The core.
    pub state: &'r mut State,
    /// Flash and RAM.
    pub bus: Bus<'m, T, W>,
    /// What was executed.
    pub tally: Tally,
}

impl<T: FlashTiming, W: Watch> Run<'_, '_, T, W> {
    /// Runs until the program counter is `stop`, a fault, or `budget` cycles.
    pub fn run(&mut self, stop: u32, budget: u64) -> End {
        let mut from = self.state.pc;
        loop {
            let pc = self.state.pc;
            if pc == stop {
                return End::Stopped;
            }
            if self.tally.cycles >= budget {
                return End::OutOfCycles;
            }
            let Extra { loops, windows, .. } = &self.state.extra;
            if loops.count != 0 && !self.program.knows_end(loops.end) {
                self.program.add_end(loops.end);
            }
            let free = windows.usable() == 4;
            let position = match self.program.position(pc) {
                Some(position) => Some(position),
                None => self.program.extend(self.bus.flash, pc),
            };
            let result = match position {
                Some(position) if free => self.run_flash::<false>(position, budget, &mut from),
                Some(position) => self.run_flash::<true>(position, budget, &mut from),
                None => {
                    let result = self.step(from);
                    from = pc;
                    result
                }
            };
            if let Err(fault) = result {
                return End::Fault(fault);
            }
        }
    }

    /// Decodes and executes one instruction, wherever it lies. `from` is the instruction that led
    /// here.
    ///
    /// # Errors
    /// The instruction's fault; the state is then that before it.
    pub fn step(&mut self, from: u32) -> Result<(), Fault> {
        let pc = self.state.pc;
        let core = self.program.core();
        let (flash, ram) = (self.bus.flash, &*self.bus.ram);
        let found = instruction(flash, self.bus.flash_base, pc, core)
            .or_else(|| instruction(ram, self.bus.ram_base, pc, core));
        let Some((op, bytes)) = found else {
            return Err(Fault { kind: astray(pc), pc: from });
        };
        let mut spent = cycles(&op, core) + waits(self.state.before.as_ref(), &op);
        let State { registers, sar, extra, .. } = self.state;
        let four = u32::from(highest(&op));
        if four >= extra.windows.usable() {
            self.state.pc = extra.windows.overflow(registers, pc, four);
            self.state.before = None;
            self.tally.cycles += u64::from(1 + core.taken);
            return Ok(());
        }
        let following = pc.wrapping_add(bytes);
        let mut before = Some(op);
        let mut executed = 1;
        let next = match execute(&op, registers, sar, &mut self.bus) {
            Flow::Taken => {
                spent = spent.max(1 + core.taken + waits(self.state.before.as_ref(), &op));
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
                registers[op.d] = (self.state.cycles + self.tally.cycles) as u32;
                following
            }
            Flow::Loop => {
                if extra.loops.enter(&op, registers[op.s], following) {
                    spent += core.taken;
                    before = None;
                    op.imm
                } else {
                    following
                }
            }
            Flow::Special => {
                let effect = special::execute(op.imm, (pc, following), registers, extra, &mut self.bus);
                let (target, lost) = match effect.map_err(|kind| Fault { kind, pc })? {
                    Effect::On | Effect::Moved | Effect::Changed => (None, 0),
                    Effect::To(target) => (Some(target), 0),
                    Effect::Taken(target) => (Some(target), core.taken),
                    Effect::Exception(target) => {
                        executed = 0;
                        spent = 1;
                        (Some(target), core.taken)
                    }
                };
                spent += lost;
                if target.is_some() {
                    before = None;
                }
                target.unwrap_or(following)
            }
            Flow::Fault(kind) => return Err(Fault { kind, pc }),
            Flow::Next | Flow::LoopEnd | Flow::GoOn | Flow::Leave => following,
        };
        // Only what falls to the end of a loop goes back: a jump there leaves it.
        let fell = before.is_some() && next == following;
        let next = if fell { extra.loop_back(next).unwrap_or(next) } else { next };
        self.state.before = before;
        self.state.pc = next;
        self.tally.cycles += u64::from(spent);
        self.tally.instructions += executed;
        Ok(())
    }

    /// Runs decoded code until it leaves the table, meets the stop or reaches the budget. `CHECK`:
    /// does another call own some of the visible registers?
    fn run_flash<const CHECK: bool>(
        &mut self,
        position: usize,
        budget: u64,
        from: &mut u32,
    ) -> Result<(), Fault> {
        let (ops, places) = (self.program.ops(), self.program.places());
        let core = self.program.core();
        // Locals, so that they live in host registers.
        let mut cpu = self.state.registers;
        let mut sar = self.state.sar;
        let extra = &mut self.state.extra;
        let mut usable = if CHECK { extra.windows.usable() } else { 4 };
        let mut local = Bus { ram: &mut *self.bus.ram, ..self.bus };
        let mut count = self.tally;
        let mut position = position;
        let mut start = position;
        let waited = waits(self.state.before.as_ref(), &ops[position]);
        count.cycles =
            count.cycles.wrapping_add(u64::from(waited)).wrapping_sub(places[position].waits.into());
        let mut before = None;

        let (pc, result) = loop {
            let op = &ops[position];
            if CHECK && u32::from(places[position].highest) >= usable {
                count.add_stretch(places[start].remaining, places[position].remaining);
                count.cycles += u64::from(1 + core.taken);
                let pc = places[position].address;
                let four = places[position].highest.into();
                break (extra.windows.overflow(&mut cpu, pc, four), Ok(()));
            }
            let (target, lost) = match execute(op, &mut cpu, &mut sar, &mut local) {
                Flow::Next => {
                    position += 1;
                    continue;
                }
                // The cost of what always jumps includes the jump.
                Flow::Taken if op.ends_line() => (op.imm, 0),
                Flow::Taken => (op.imm, core.taken),
                Flow::To(target) => (target, 0),
                Flow::Call(target) => {
                    cpu[Reg::A0] = places[position + 1].address;
                    (target, 0)
                }
                Flow::Ccount => {
                    count.add_stretch(places[start].remaining, places[position].remaining);
                    start = position;
                    cpu[op.d] = (self.state.cycles + count.cycles) as u32;
                    position += 1;
                    continue;
                }
                Flow::Loop => {
                    if extra.loops.enter(op, cpu[op.s], places[position + 1].address) {
                        (op.imm, core.taken)
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
                    let next = if count.cycles >= budget { None } else { self.program.position(target) };
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
                    let effect = special::execute(op.imm, (pc, following), &mut cpu, extra, &mut local);
                    usable = extra.windows.usable();
                    // The other loop is for what windows are now.
                    let other = (usable == 4) == CHECK;
                    match effect {
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
                        Ok(Effect::To(target)) => (target, 0),
                        Ok(Effect::Taken(target)) => (target, core.taken),
                        Ok(Effect::Exception(target)) => {
                            count.add_stretch(places[start].remaining, places[position].remaining);
                            count.cycles += u64::from(1 + core.taken);
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
                    let Some(next) = self.program.position(op.imm) else {
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
                Flow::Fault(kind) => {
                    count.add_stretch(places[start].remaining, places[position].remaining);
                    let pc = places[position].address;
                    break (pc, Err(Fault { kind, pc }));
                }
            };
            count.add_stretch(places[start].remaining, places[position + 1].remaining);
            count.cycles += u64::from(lost);
            let next = if count.cycles >= budget { None } else { self.program.position(target) };
            let Some(next) = next else {
                *from = places[position].address;
                break (target, Ok(()));
            };
            position = next;
            start = next;
            count.cycles = count.cycles.wrapping_sub(places[next].waits.into());
        };

        self.bus.watch = local.watch;
        self.bus.timing = local.timing;
        self.tally = count;
        self.state.registers = cpu;
        self.state.sar = sar;
        self.state.before = before;
        self.state.pc = pc;
        result
    }
}
