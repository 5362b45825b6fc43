//! A core's state in a run, and what each instruction changes.

use pennyweight_machine::fault::NO_FAULT;
use pennyweight_machine::FaultKind;
use pennyweight_thumb::core::{Core, OpOf};
use pennyweight_thumb::op::{Flow, InstructionSet as _};
use pennyweight_thumb::registers::{Reg, Registers};
use pennyweight_thumb::run::State as CoreState;

use super::bus::Memory;
use super::models::Modelled;
use super::operands::{Operand, Operands};
use crate::places::Place;
use crate::traced::{Accessed, Executed, Reads, Receiver, Source};

/// An instruction of a run.
#[derive(Clone, Copy, Debug)]
pub struct Instruction<C: Core> {
    /// Its address.
    pub pc: u32,
    /// What it does.
    pub op: OpOf<C>,
    /// What it reads and writes.
    pub operands: Operands,
    /// Does an IT instruction govern it?
    pub conditional: bool,
    /// Is it executed, or skipped?
    pub executes: bool,
}

/// An instruction with the registers with which it was executed.
struct Ran<'a> {
    operands: &'a Operands,
    before: &'a Registers,
}

impl Executed for Ran<'_> {
    fn reads(&self) -> Reads {
        let Operands { reads, reads_flags, .. } = *self.operands;
        Reads { registers: reads.into(), flags: reads_flags.into(), loads: true }
    }

    /// All flags are one.
    fn sets(&self) -> u8 {
        self.operands.sets_flags.into()
    }

    /// As far as the values show.
    fn stored(&self, access: &Accessed) -> Option<u8> {
        let mask = u32::MAX >> (32 - 8 * access.size);
        (0..15u8)
            .rev()
            .filter(|number| self.operands.reads >> number & 1 != 0)
            .find(|&number| self.before[Reg::from_bits(number.into())] & mask == access.data)
    }
}

/// The core's state, with its latches and buses.
#[derive(Clone, Copy, Debug, Default)]
pub struct State {
    /// Registers, flags and program counter.
    pub core: CoreState,
    latches: [u32; 2],
    read_bus: u32,
    write_bus: u32,
}

impl From<CoreState> for State {
    /// With empty latches and buses.
    fn from(core: CoreState) -> State {
        State { core, ..State::default() }
    }
}

impl State {
    /// Would an instruction that an IT instruction governs be executed next?
    pub fn executes(&self) -> bool {
        !self.core.it.active() || self.core.flags.holds(self.core.it.condition())
    }

    /// Executes the next instruction, which is `of`.
    ///
    /// # Errors
    /// Its fault.
    pub fn step<C: Modelled>(
        &mut self,
        of: &Instruction<C>,
        memory: &mut Memory<'_>,
        receiver: &mut impl Receiver,
    ) -> Result<(), FaultKind> {
        let next = self.core.pc.wrapping_add(2 * C::Set::width(&of.op));
        let after =
            if of.conditional { self.core.it.advanced() } else { C::Set::block(&of.op).unwrap_or_default() };
        if !of.executes {
            (self.core.pc, self.core.it) = (next, after);
            return Ok(());
        }
        let before = self.core.registers;
        let mut fault = NO_FAULT;
        memory.accesses.clear();
        let CoreState { registers, flags, system, .. } = &mut self.core;
        let flow = C::Set::execute::<_, ()>(&of.op, of.pc, registers, flags, system, memory, &mut fault);
        self.core.pc = match flow {
            Flow::Taken(target, _) | Flow::Go(target, _) => target,
            Flow::Fault(()) | Flow::Leave => return Err(fault),
            _ => next,
        };
        self.core.it = after;
        receiver.executed(&Ran { operands: &of.operands, before: &before }, memory.accesses);
        for (number, operand) in of.operands.latches.into_iter().enumerate() {
            match operand {
                Operand::Register(reg) => {
                    self.latch(number, before[reg], Source::Register(reg as u8), receiver);
                }
                Operand::Constant(value) => self.latch(number, value, Source::Constant, receiver),
                Operand::None => {}
            }
        }
        for (number, access) in memory.accesses.iter().enumerate() {
            if access.store {
                if C::LEAKAGE.latches_memory {
                    self.latch(0, access.old, Source::Overwritten(number), receiver);
                    self.latch(1, access.data, Source::Stored(number), receiver);
                }
                let old = std::mem::replace(&mut self.write_bus, access.bus);
                receiver.change(Place::WriteBus, None, old, access.bus, Source::Stored(number));
                receiver.change(Place::Memory, None, access.old, access.data, Source::Stored(number));
            } else {
                if C::LEAKAGE.latches_memory {
                    if let Some(reg) = destination(of, number, memory.accesses.len()) {
                        self.latch(0, before[reg], Source::Register(reg as u8), receiver);
                    }
                    self.latch(1, access.data, Source::Loaded(number), receiver);
                }
                let old = std::mem::replace(&mut self.read_bus, access.bus);
                receiver.change(Place::ReadBus, None, old, access.bus, Source::Loaded(number));
            }
        }
        for number in (0..15u8).filter(|number| of.operands.writes >> number & 1 != 0) {
            let reg = Reg::from_bits(number.into());
            let (old, new) = (before[reg], self.core.registers[reg]);
            receiver.change(Place::Register, Some(number), old, new, Source::Result(number));
        }
        if of.operands.only_sets_flags() {
            // It has no register that it could meet another value in.
            receiver.change(Place::Result, None, 0, self.core.flags.result(), Source::Flags);
        }
        Ok(())
    }

    fn latch(&mut self, number: usize, value: u32, source: Source, receiver: &mut impl Receiver) {
        let place = if number == 0 { Place::Operand1 } else { Place::Operand2 };
        let old = std::mem::replace(&mut self.latches[number], value);
        receiver.change(place, None, old, value, source);
    }
}

/// The register that load `number` of several goes to; none if that is the program counter.
fn destination<C: Core>(of: &Instruction<C>, number: usize, loads: usize) -> Option<Reg> {
    if loads == 1 && of.operands.writes >> (of.op.d as u32) & 1 != 0 {
        return Some(of.op.d);
    }
    (0..13).filter(|bit| of.op.imm >> bit & 1 != 0).nth(number).map(Reg::from_bits)
}

#[cfg(test)]
mod tests {
    use pennyweight_thumb::core::{Core, CortexM0, CortexM3};
    use pennyweight_thumb::op::InstructionSet as _;
    use pennyweight_thumb::registers::Reg;
    use pennyweight_thumb::run::State as CoreState;

    use super::{Instruction, State};
    use crate::places::Place;
    use crate::thumb::bus::Memory;
    use crate::thumb::models::Modelled;
    use crate::thumb::operands::operands;
    use crate::traced::{Accessed, Executed, Receiver, Source, Tracker};

    const RAM: u32 = 0x2000_0000;

    /// All changes, with the old and the new value.
    #[derive(Default)]
    struct Seen(Vec<(Place, u32, u32)>, Tracker);

    impl Receiver for Seen {
        fn executed(&mut self, executed: &impl Executed, accesses: &[Accessed]) {
            self.1.executed(executed, accesses);
        }

        fn change(&mut self, place: Place, register: Option<u8>, old: u32, new: u32, source: Source) {
            self.0.push((place, old, new));
            self.1.change(place, register, old, new, source);
        }
    }

    /// Executes instructions one after the other, with R0 to R7 and two words of RAM as given.
    fn run<C: Modelled>(code: &[u16], registers: &[u32], ram: [u32; 2], tracker: Tracker) -> Seen {
        let mut state = State::from(CoreState { pc: 0x100, ..CoreState::default() });
        for (number, &value) in (0..).zip(registers) {
            state.core.registers[Reg::from_bits(number)] = value;
        }
        let mut ram = ram.map(u32::to_le_bytes);
        let mut accesses = Vec::new();
        let mut memory =
            Memory { ram: &mut ram, ram_base: RAM, flash: &[], flash_base: 0, accesses: &mut accesses };
        let mut seen = Seen(Vec::new(), tracker);
        seen.1.recording = true;
        for &word in code {
            let op = <C as Core>::Set::decode(word, 0, state.core.pc, false);
            let operands = operands::<C>(&op, &C::LEAKAGE);
            let of = Instruction::<C> { pc: state.core.pc, op, operands, conditional: false, executes: true };
            assert_eq!(state.step(&of, &mut memory, &mut seen), Ok(()));
            seen.1.now += 1;
        }
        seen
    }

    fn places(seen: &Seen, place: Place) -> Vec<(u32, u32)> {
        seen.0.iter().filter(|each| each.0 == place).map(|&(_, old, new)| (old, new)).collect()
    }

    #[test]
    fn registers_are_overwritten() {
        // eors r0, r1; movs r0, #5
        let seen = run::<CortexM0>(&[0x4048, 0x2005], &[0xff, 0x0f], [0; 2], Tracker::default());
        assert_eq!(places(&seen, Place::Register), [(0xff, 0xf0), (0xf0, 5)]);
    }

    #[test]
    fn operands_follow_each_other() {
        // eors r0, r1; eors r2, r3; lsls r4, r0, #3
        let code = [0x4048, 0x405a, 0x00c4];
        for seen in [
            run::<CortexM0>(&code, &[0xff, 0x0f, 2, 3], [0; 2], Tracker::default()),
            run::<CortexM3>(&code, &[0xff, 0x0f, 2, 3], [0; 2], Tracker::default()),
        ] {
            assert_eq!(places(&seen, Place::Operand1), [(0, 0xff), (0xff, 2), (2, 0xf0)]);
            assert_eq!(places(&seen, Place::Operand2), [(0, 0x0f), (0x0f, 3), (3, 3)]);
        }
    }

    #[test]
    fn loads_and_stores_pass_the_buses_and_the_latches_of_the_cortex_m0() {
        // ldr r1, [r0]; strb r2, [r0, #5]; ldr r3, [r0, #4]
        let code = [0x6801, 0x7142, 0x6843];
        let registers = [RAM, 7, 0xabcd, 9];
        let seen = run::<CortexM0>(&code, &registers, [0x11, 0x2233], Tracker::default());
        assert_eq!(places(&seen, Place::ReadBus), [(0, 0x11), (0x11, 0xcd33)]);
        assert_eq!(places(&seen, Place::WriteBus), [(0, 0xcdcd_cdcd)]);
        assert_eq!(places(&seen, Place::Memory), [(0x22, 0xcd)]);
        // Operand 1: what the destination held, what the memory held; operand 2: the data.
        assert_eq!(places(&seen, Place::Operand1), [(0, 7), (7, 0x22), (0x22, 9)]);
        assert_eq!(places(&seen, Place::Operand2), [(0, 0x11), (0x11, 0xcd), (0xcd, 0xcd33)]);
        assert_eq!(places(&seen, Place::Register), [(7, 0x11), (9, 0xcd33)]);
        let seen = run::<CortexM3>(&code, &registers, [0x11, 0x2233], Tracker::default());
        assert_eq!(places(&seen, Place::Operand1), []);
        assert_eq!(places(&seen, Place::ReadBus).len(), 2);
    }

    #[test]
    fn results_without_a_destination_are_values() {
        // cmp r0, r1; cmn r0, r1; tst r0, r1; cmp r0, #0xf; eors r0, r1
        let code = [0x4288, 0x42c8, 0x4208, 0x280f, 0x4048];
        let expected = [(0, 0xf0), (0, 0x10e), (0, 0x0f), (0, 0xf0)];
        for seen in [
            run::<CortexM0>(&code, &[0xff, 0x0f], [0; 2], Tracker::default()),
            run::<CortexM3>(&code, &[0xff, 0x0f], [0; 2], Tracker::default()),
        ] {
            assert_eq!(places(&seen, Place::Result), expected);
        }
        // Neither a move, nor a load, nor a branch has one: mov r2, r1; ldr r1, [r3]; nop
        let plain = run::<CortexM0>(&[0x460a, 0x6819, 0xbf00], &[0, 1, 2, RAM], [0; 2], Tracker::default());
        assert_eq!(places(&plain, Place::Result), []);
    }

    #[test]
    fn several_loads_go_to_their_registers() {
        // ldm r0!, {r1, r2}
        let seen = run::<CortexM0>(&[0xc806], &[RAM, 7, 8], [0x11, 0x22], Tracker::default());
        assert_eq!(places(&seen, Place::Operand1), [(0, 7), (7, 8)]);
        assert_eq!(places(&seen, Place::Register), [(RAM, RAM + 8), (7, 0x11), (8, 0x22)]);
    }

    /// A key word in RAM, a random word after it: their sum, and which instruction put each where.
    #[test]
    fn the_first_trace_shows_where_values_come_from() {
        let mut tracker = Tracker::default();
        tracker.input(RAM, 4);
        tracker.random_word(RAM + 4);
        // ldr r1, [r0]; ldr r2, [r0, #4]; eors r1, r2; str r1, [r0]; mov r2, r1
        let code = [0x6801, 0x6842, 0x4051, 0x6001, 0x460a];
        let changes = run::<CortexM3>(&code, &[RAM], [0xf0f0, 0x1234], tracker).1.changes;
        let at = |instruction, place| {
            let found: Vec<_> =
                changes.iter().filter(|c| (c.instruction, c.place) == (instruction, place)).collect();
            assert_eq!(found.len(), 1, "{instruction} {place:?}");
            *found[0]
        };
        let bus = at(1, Place::ReadBus);
        assert_eq!((bus.old.address, bus.new.address), (Some(RAM), Some(RAM + 4)));
        assert!(bus.old.label.has_input() && !bus.new.label.has_input());
        assert_eq!(bus.new.label.words().collect::<Vec<_>>(), [0]);
        let sum = at(2, Place::Register);
        assert_eq!((sum.register, sum.old.set, sum.old.address), (Some(1), Some(0), Some(RAM)));
        assert!(sum.new.label.has_input() && sum.new.label.words().count() == 1);
        let cell = at(3, Place::Memory);
        assert_eq!((cell.old.set, cell.new.made, cell.new.register), (None, Some(2), Some(1)));
        assert!(cell.old.label.has_input() && cell.old.label.words().count() == 0);
        // The copy was made by the instruction that computed the sum's register, but set by the move.
        let copy = at(4, Place::Operand2);
        assert_eq!((copy.new.set, copy.new.made, copy.new.register), (Some(4), Some(2), Some(1)));
    }
}
