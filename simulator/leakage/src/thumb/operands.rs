//! What an instruction reads and writes, learned by executing it on generated values.
//!
//! As in `effects` of `pennyweight-machine`, there is no table: what is inferred cannot contradict what is
//! executed.

use pennyweight_machine::fault::NO_FAULT;
use pennyweight_machine::FaultKind;
use pennyweight_memory::bus::DataBus;
use pennyweight_thumb::core::{Core, OpOf};
use pennyweight_thumb::op::{Flow, InstructionSet as _};
use pennyweight_thumb::registers::{Flags, Reg, Registers};
use pennyweight_thumb::system::System;

use super::models::Model;
use crate::random::Random;

/// What a latch takes from an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A register's value before the instruction.
    Register(Reg),
    /// A constant.
    Constant(u32),
    /// Nothing: it keeps its value.
    None,
}

/// What an instruction reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operands {
    /// What the two latches take from an instruction without access to memory.
    pub latches: [Operand; 2],
    /// Registers that it reads, as bits.
    pub reads: u16,
    /// Registers that it writes, as bits.
    pub writes: u16,
    /// Does it read or set flags?
    pub reads_flags: bool,
    /// See above.
    pub sets_flags: bool,
    /// Does it access memory?
    pub accesses: bool,
}

impl Operands {
    /// Is the result of an operation that sets flags in no register?
    pub fn only_sets_flags(&self) -> bool {
        self.sets_flags && self.writes == 0 && !self.accesses
    }
}

const TRIALS: u64 = 6;
/// The address of a tried instruction.
const PC: u32 = 0x1000;

/// Learns what `op` does on a core with this model.
pub fn operands<C: Core>(op: &OpOf<C>, model: &Model) -> Operands {
    let mut found = Operands {
        latches: [Operand::None; 2],
        reads: 0,
        writes: 0,
        reads_flags: false,
        sets_flags: false,
        accesses: false,
    };
    let mut uses = Uses::default();
    for trial in 0..TRIALS {
        let start = Start::new(trial);
        let base = start.run::<C>(op);
        found.writes |= base.changed(&start);
        found.sets_flags |= base.flags != start.flags.apsr();
        found.accesses |= !base.accesses.is_empty();
        for number in 0..15 {
            let reg = Reg::from_bits(number);
            found.reads |= u16::from(reads::<C>(op, &start, &base, reg)) << number;
        }
        let mut other = start.clone();
        other.flags.set_apsr(!start.flags.apsr());
        let ran = other.run::<C>(op);
        found.reads_flags |= ran.registers != base.registers || ran.next != base.next;
        uses.learn::<C>(op, &start, &base);
    }
    if !found.accesses {
        found.latches = uses.latches(op.d, op.n, op.m, op.imm, model.reads_destination && found.writes != 0);
    }
    found
}

/// The fields of an operation that name something it reads.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    d: bool,
    n: bool,
    m: bool,
    imm: bool,
}

impl Uses {
    fn learn<C: Core>(&mut self, op: &OpOf<C>, start: &Start, base: &Ran) {
        // Registers that the operation does not name otherwise.
        let mut free = (0..13).map(Reg::from_bits).filter(|reg| ![op.d, op.n, op.m].contains(reg));
        let (Some(x), Some(y)) = (free.next(), free.next()) else { return };
        self.n |= start.run::<C>(&OpOf::<C> { n: x, ..*op }) != *base;
        self.m |= start.run::<C>(&OpOf::<C> { m: y, ..*op }) != *base;
        self.imm |= start.run::<C>(&OpOf::<C> { imm: op.imm ^ 1, ..*op }) != *base;
        let apart = OpOf::<C> { n: x, m: y, ..*op };
        self.d |= reads::<C>(&apart, start, &start.run::<C>(&apart), op.d);
    }

    fn latches(self, d: Reg, n: Reg, m: Reg, imm: u32, destination: bool) -> [Operand; 2] {
        let constant = if self.imm { Operand::Constant(imm) } else { Operand::None };
        let old = if destination { Operand::Register(d) } else { Operand::None };
        match (self.d, self.n, self.m) {
            (_, true, true) => [Operand::Register(n), Operand::Register(m)],
            (true, false, true) => [Operand::Register(d), Operand::Register(m)],
            (true, true, false) => [Operand::Register(d), Operand::Register(n)],
            (true, false, false) => [Operand::Register(d), constant],
            (false, true, false) => [Operand::Register(n), constant],
            (false, false, true) if self.imm => [Operand::Register(m), constant],
            (false, false, true) => [old, Operand::Register(m)],
            (false, false, false) => [old, constant],
        }
    }
}

/// Does what the operation does depend on this register?
fn reads<C: Core>(op: &OpOf<C>, start: &Start, base: &Ran, reg: Reg) -> bool {
    let mut other = start.clone();
    // The stack pointer's lowest bits are always 0.
    other.registers[reg] ^= if reg == Reg::Sp { 0x40 } else { 0x5a96_3c71 };
    let mut ran = other.run::<C>(op);
    // What it does not write goes through.
    if base.registers[reg] == start.registers[reg] && ran.registers[reg] == other.registers[reg] {
        ran.registers[reg] = base.registers[reg];
    }
    ran != *base
}

/// Values to begin with.
#[derive(Clone, Debug)]
struct Start {
    registers: Registers,
    flags: Flags,
}

/// What an operation made of them.
#[derive(Clone, Debug, PartialEq)]
struct Ran {
    registers: Registers,
    flags: u32,
    next: u32,
    accesses: Vec<(u32, u32)>,
}

impl Start {
    fn new(trial: u64) -> Start {
        let mut random = Random::new(0, trial);
        let mut registers = Registers::default();
        for number in 0..15 {
            registers[Reg::from_bits(number)] = random.word();
        }
        registers[Reg::Sp] &= !3;
        // A shift by more than 31 hides its other operand: sometimes all are small.
        if trial % 2 == 1 {
            for number in 0..13 {
                registers[Reg::from_bits(number)] &= 31;
            }
        }
        let mut flags = Flags::default();
        flags.set_apsr(random.word() & 0xf000_0000);
        Start { registers, flags }
    }

    fn run<C: Core>(&self, op: &OpOf<C>) -> Ran {
        let (mut registers, mut flags) = (self.registers, self.flags);
        let mut bus = Trial(Vec::new());
        let mut system = System::default();
        let flow = C::Set::execute::<_, ()>(
            op,
            PC,
            &mut registers,
            &mut flags,
            &mut system,
            &mut bus,
            &mut NO_FAULT.clone(),
        );
        let next = match flow {
            Flow::Taken(target, _) | Flow::Go(target, _) => target | 1,
            _ => 0,
        };
        Ran { registers, flags: flags.apsr(), next, accesses: bus.0 }
    }
}

impl Ran {
    /// The registers that have other values than before, as bits.
    fn changed(&self, start: &Start) -> u16 {
        let differs = |&number: &u32| {
            let reg = Reg::from_bits(number);
            self.registers[reg] != start.registers[reg]
        };
        (0..15).filter(differs).map(|number| 1u16 << number).sum()
    }
}

/// Memory that holds something else at every address, and its accesses with what was stored.
struct Trial(Vec<(u32, u32)>);

impl Trial {
    fn load(&mut self, address: u32) -> u32 {
        self.0.push((address, 0));
        // Odd, as what is loaded may be branched to.
        Random::new(1, address.into()).word() | 1
    }

    fn store(&mut self, address: u32, value: u32) -> Result<(), FaultKind> {
        self.0.push((address, value));
        Ok(())
    }
}

impl DataBus for Trial {
    fn load_word(&mut self, address: u32) -> Result<u32, FaultKind> {
        Ok(self.load(address))
    }

    fn load_half(&mut self, address: u32) -> Result<u16, FaultKind> {
        Ok(self.load(address) as u16)
    }

    fn load_byte(&mut self, address: u32) -> Result<u8, FaultKind> {
        Ok(self.load(address) as u8)
    }

    fn store_word(&mut self, address: u32, value: u32) -> Result<(), FaultKind> {
        self.store(address, value)
    }

    fn store_half(&mut self, address: u32, value: u16) -> Result<(), FaultKind> {
        self.store(address, value.into())
    }

    fn store_byte(&mut self, address: u32, value: u8) -> Result<(), FaultKind> {
        self.store(address, value.into())
    }

    fn stack_pointer(&mut self, _: u32) -> Result<(), FaultKind> {
        Ok(())
    }

    fn flash_read(&mut self) {}
}

#[cfg(test)]
mod tests {
    use pennyweight_thumb::core::{Core, CortexM0, CortexM3, CortexM4};
    use pennyweight_thumb::op::InstructionSet as _;
    use pennyweight_thumb::registers::Reg;

    use super::{operands, Operand, Operands};
    use crate::thumb::models::Modelled;

    fn of<C: Modelled>(first: u16, second: u16) -> Operands {
        operands::<C>(&<C as Core>::Set::decode(first, second, 0x1000, false), &C::LEAKAGE)
    }

    const R: fn(u32) -> Operand = |number| Operand::Register(Reg::from_bits(number));
    const C: fn(u32) -> Operand = Operand::Constant;

    /// The operands that ELMO's table lists for the Cortex-M0 (PipelineRegisterAssignment.xlsx).
    #[test]
    fn the_operands_of_the_cortex_m0_are_elmos() {
        let cases = [
            ("adds r3, r1, #5", 0x1d4b, [R(1), C(5)]),
            ("adds r3, #5", 0x3305, [R(3), C(5)]),
            ("adds r3, r1, r0", 0x180b, [R(1), R(0)]),
            ("ands r3, r1", 0x400b, [R(3), R(1)]),
            ("cmp r3, #5", 0x2b05, [R(3), C(5)]),
            ("cmp r3, r1", 0x428b, [R(3), R(1)]),
            ("eors r3, r1", 0x404b, [R(3), R(1)]),
            ("lsls r3, r1, #5", 0x014b, [R(1), C(5)]),
            ("lsls r3, r1", 0x408b, [R(3), R(1)]),
            ("lsrs r3, r1, #5", 0x094b, [R(1), C(5)]),
            ("lsrs r3, r1", 0x40cb, [R(3), R(1)]),
            ("movs r3, #5", 0x2305, [R(3), C(5)]),
            ("movs r3, r1", 0x000b, [R(3), R(1)]),
            ("mov r3, r9", 0x464b, [R(3), R(9)]),
            ("muls r3, r1", 0x434b, [R(3), R(1)]),
            ("orrs r3, r1", 0x430b, [R(3), R(1)]),
            ("rors r3, r1", 0x41cb, [R(3), R(1)]),
            ("subs r3, r1, #5", 0x1f4b, [R(1), C(5)]),
            ("subs r3, r1, r0", 0x1a0b, [R(1), R(0)]),
        ];
        for (text, word, latches) in cases {
            let found = of::<CortexM0>(word, 0);
            let subtracts = [C(5), C(5u32.wrapping_neg())];
            let agrees = found.latches[0] == latches[0]
                && (found.latches[1] == latches[1]
                    || subtracts.contains(&found.latches[1]) && subtracts.contains(&latches[1]));
            assert!(agrees && !found.accesses, "{text}: {found:?}");
        }
    }

    #[test]
    fn other_cores_take_no_destination() {
        assert_eq!(of::<CortexM3>(0x000b, 0).latches, [Operand::None, R(1)]);
        // eor.w r4, r1, r2, lsl #3; mla r4, r1, r2, r3; movw r4, #5
        assert_eq!(of::<CortexM4>(0xea81, 0x04c2).latches, [R(1), R(2)]);
        assert_eq!(of::<CortexM4>(0xfb01, 0x3402).latches, [R(1), R(2)]);
        assert_eq!(of::<CortexM4>(0xf240, 0x0405).latches, [Operand::None, C(5)]);
    }

    #[test]
    fn registers_read_and_written_are_found() {
        let sets = |numbers: &[u32]| numbers.iter().map(|number| 1u16 << number).sum::<u16>();
        // adds r0, r1, r2; eors r3, r3; push {r0, lr}; pop {r0, pc}; ldr r0, [r1, r2]; strb r3, [r4, #1]
        for (word, reads, writes, accesses) in [
            (0x1888, sets(&[1, 2]), sets(&[0]), false),
            (0x405b, 0, sets(&[3]), false),
            (0xb501, sets(&[0, 13, 14]), sets(&[13]), true),
            (0xbd01, sets(&[13]), sets(&[0, 13]), true),
            (0x5888, sets(&[1, 2]), sets(&[0]), true),
            (0x7063, sets(&[3, 4]), 0, true),
        ] {
            let found = of::<CortexM0>(word, 0);
            assert_eq!((found.reads, found.writes, found.accesses), (reads, writes, accesses), "{word:#x}");
        }
        // adcs r3, r1; mov r3, r9
        let (adcs, mov) = (of::<CortexM0>(0x414b, 0), of::<CortexM0>(0x464b, 0));
        assert!(adcs.reads_flags && adcs.sets_flags && !mov.reads_flags && !mov.sets_flags);
        // umlal r4, r5, r1, r2 writes both halves of its sum.
        assert_eq!(of::<CortexM4>(0xfbe1, 0x4502).writes, sets(&[4, 5]));
    }
}
