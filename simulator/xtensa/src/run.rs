//! The two loops: over decoded flash, fast; over anything else, an instruction at a time.

use pennyweight_machine::account::Tally;
use pennyweight_machine::guard::Watch;
use pennyweight_machine::Fault;
use pennyweight_memory::bus::Bus;
use pennyweight_memory::timing::FlashTiming;

use crate::execute::{astray, execute};
use crate::op::{Flow, Op, Reg, Registers};
use crate::program::{cycles, instruction, waits, Program};

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
            let position = match self.program.position(pc) {
                Some(position) => Some(position),
                None => self.program.extend(self.bus.flash, pc),
            };
            let result = match position {
                Some(position) => self.run_flash(position, budget, &mut from),
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
        let State { registers, sar, .. } = self.state;
        let following = pc.wrapping_add(bytes);
        let mut before = Some(op);
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
            Flow::Fault(kind) => return Err(Fault { kind, pc }),
            Flow::Next | Flow::GoOn | Flow::Leave => following,
        };
        self.state.before = before;
        self.state.pc = next;
        self.tally.cycles += u64::from(spent);
        self.tally.instructions += 1;
        Ok(())
    }

    /// Runs decoded code until it leaves the table, meets the stop or reaches the budget.
    fn run_flash(&mut self, position: usize, budget: u64, from: &mut u32) -> Result<(), Fault> {
        let (ops, places) = (self.program.ops(), self.program.places());
        let core = self.program.core();
        // Locals, so that they live in host registers.
        let mut cpu = self.state.registers;
        let mut sar = self.state.sar;
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
                    before = position.checked_sub(1).map(|last| ops[last]);
                    *from = position.checked_sub(1).map_or(pc, |last| places[last].address);
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
