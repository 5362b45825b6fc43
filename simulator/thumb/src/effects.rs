//! The effects of instructions, inferred by executing them on generated values.

use pennyweight_machine::effects::{infer, Effects, Question, Sources, Trial, CELLS};
use pennyweight_machine::fault::NO_FAULT;
use pennyweight_machine32::EffectsCache;
use pennyweight_memory::trial::TrialBus;

use crate::core::{Core, OpOf};
use crate::op::{Flow, InstructionSet as _};
use crate::registers::{Flags, Reg, Registers};
use crate::system::System;

/// Cells 0 to 14 are R0 to R12, SP and LR; then N, Z, C, V, Q, GE. The slot of PC is always 0.
const WIDTHS: [u32; 22] = [32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 0, 1, 1, 1, 1, 1, 4];
const FLAGS: usize = 16;
const SP: usize = 13;
/// The address of a tried instruction.
const PC: u32 = 0x1000;

/// What an IT instruction sets for one that follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ItCondition {
    /// The condition, 0 to 14.
    pub condition: u32,
    /// Does it hold this time?
    pub holds: bool,
}

/// Effects by address and by what governs the instruction there.
pub type InstructionEffects = EffectsCache<(u32, Option<ItCondition>)>;

/// What `op` does. In an IT block: executed or skipped, depending on the condition, and its cycles where it
/// is if it is executed.
pub fn effects<C: Core>(op: &OpOf<C>, conditional: Option<(ItCondition, u32)>) -> Effects {
    let hints = [op.imm, op.imm.wrapping_neg(), !op.imm, op.imm.wrapping_add(1)];
    let question = Question { widths: &WIDTHS, load_width: 32, hints: &hints };
    let mut effects = infer(question, |trial| {
        let (mut registers, mut flags) = (registers(trial), flags(trial));
        let mut bus = TrialBus::new(trial);
        let mut system = System::default();
        let flow =
            C::Set::execute(op, PC, &mut registers, &mut flags, &mut system, &mut bus, &mut NO_FAULT.clone());
        let (next, cycles) = match flow {
            Flow::Taken(target, _) | Flow::Go(target, _) => (target | 1, 0),
            Flow::Busy(work) => (0, C::busy(op, work)),
            Flow::Fault(()) => (2, 0),
            _ => (0, 0),
        };
        let mut after = cells(&registers, &flags);
        if after[SP] == trial.cells[SP] & !3 {
            // Its lowest bits, which are always 0, do not count as written.
            after[SP] = trial.cells[SP];
        }
        bus.tried(after, next, cycles)
    });
    if let Some((it_condition, cycles)) = conditional {
        depend_on::<C>(&mut effects, op, it_condition, cycles);
    }
    effects
}

/// Makes everything depend on the condition: a skipped instruction leaves every value unchanged.
fn depend_on<C: Core>(effects: &mut Effects, op: &OpOf<C>, it_condition: ItCondition, cycles: u32) {
    let read = match it_condition.condition >> 1 {
        0 => 0b0010,
        1 => 0b0100,
        2 => 0b0001,
        3 => 0b1000,
        4 => 0b0110,
        5 => 0b1001,
        6 => 0b1011,
        _ => 0,
    };
    let flags = Sources { cells: read << FLAGS, loads: 0 };
    for (cell, sources) in &mut effects.writes {
        if !it_condition.holds {
            *sources = Sources { cells: 1 << *cell, loads: 0 };
        }
        *sources |= flags;
    }
    let moves = effects.flow != Sources::default() || C::Set::branches(op);
    let reaches = effects.address != Sources::default();
    if !it_condition.holds {
        (effects.flow, effects.time, effects.address) = Default::default();
    }
    if moves {
        effects.flow |= flags;
    } else if cycles != C::SKIPPED {
        effects.time |= flags;
    }
    if reaches {
        effects.address |= flags;
    }
}

fn registers(trial: &Trial) -> Registers {
    let mut registers = Registers::default();
    for number in 0..15 {
        registers[Reg::from_bits(number)] = trial.cells[number as usize];
    }
    registers[Reg::Sp] &= !3;
    registers
}

fn flags(trial: &Trial) -> Flags {
    let mut flags = Flags::default();
    let [n, z, c, v, q, ge, ..] = trial.cells[FLAGS..] else { return flags };
    flags.set_apsr(n << 31 | z << 30 | c << 29 | v << 28);
    flags.q = q != 0;
    flags.ge = ge as u8;
    flags
}

fn cells(registers: &Registers, flags: &Flags) -> [u32; CELLS] {
    let mut cells = [0; CELLS];
    for (number, cell) in (0..15).zip(&mut cells) {
        *cell = registers[Reg::from_bits(number)];
    }
    let apsr = flags.apsr();
    for (bit, cell) in [31, 30, 29, 28, 27].into_iter().zip(&mut cells[FLAGS..]) {
        *cell = apsr >> bit & 1;
    }
    cells[FLAGS + 5] = flags.ge.into();
    cells
}

#[cfg(test)]
mod tests {
    use super::{effects, ItCondition, FLAGS};
    use crate::core::{Core, CortexM0, CortexM3, CortexM4};
    use crate::op::{flag_set, InstructionSet as _};
    use crate::v6m::Code;
    use pennyweight_machine::effects::{Effects, Sources};

    fn of<C: Core>(first: u16, second: u16) -> Effects {
        effects::<C>(&C::Set::decode(first, second, 0x1000, false), None)
    }

    fn cells(numbers: &[u8]) -> Sources {
        Sources { cells: numbers.iter().map(|n| 1 << n).sum(), loads: 0 }
    }

    fn load(number: u16) -> Sources {
        Sources { cells: 0, loads: 1 << number }
    }

    /// What is inferred of the flags is what `flag_use` relies on.
    #[test]
    fn flags_agree_with_the_table() {
        let bits = |effects: &Effects, pick: &dyn Fn(&Effects) -> u128| {
            let cells = pick(effects) >> FLAGS;
            let nz = if cells & 3 == 0 { 0 } else { flag_set::NZ };
            let c = if cells & 4 == 0 { 0 } else { flag_set::C };
            nz | c | if cells & 8 == 0 { 0 } else { flag_set::V }
        };
        for word in (0..0xe000u16).step_by(211) {
            let op = <CortexM0 as Core>::Set::decode(word, 0, 0x1000, false);
            if matches!(op.code, Code::Undefined | Code::Trap | Code::Wfe | Code::Wfi) {
                continue;
            }
            let effects = effects::<CortexM0>(&op, None);
            let table = <CortexM0 as Core>::Set::flags(&op);
            let written = bits(&effects, &|e| e.writes.iter().map(|(cell, _)| 1 << cell).sum());
            let read = bits(&effects, &|e| {
                e.writes.iter().filter(|w| w.0 < 15).map(|w| w.1.cells).fold(0, |a, b| a | b)
            });
            assert_eq!(written & !table.writes, 0, "{word:#x} {op:?}");
            assert_eq!(read & !table.reads, 0, "{word:#x} {op:?}");
        }
    }

    #[test]
    fn registers_flow_as_the_manual_says() {
        // adds r0, r1, r2; eors r3, r3; movs r0, #5; cmp r0, #37
        let adds = of::<CortexM0>(0x1888, 0);
        assert_eq!(adds.written(0), Some(cells(&[1, 2])));
        assert_eq!(adds.written(FLAGS as u8 + 1), Some(cells(&[1, 2])));
        assert_eq!(of::<CortexM0>(0x405b, 0).written(3), Some(cells(&[])));
        assert_eq!(of::<CortexM0>(0x2005, 0).written(0), Some(cells(&[])));
        let compare = of::<CortexM0>(0x2825, 0);
        assert_eq!((compare.written(0), compare.written(FLAGS as u8 + 1)), (None, Some(cells(&[0]))));
        // ldr r0, [r1, r2]; strb r3, [r4, #1]; push {r0, lr}; pop {r0, pc}; ldm r1!, {r2, r3}
        let ldr = of::<CortexM0>(0x5888, 0);
        assert_eq!((ldr.written(0), ldr.address), (Some(load(0)), cells(&[1, 2])));
        let strb = of::<CortexM0>(0x7063, 0);
        assert_eq!((strb.stores, strb.address), (vec![cells(&[3])], cells(&[4])));
        assert_eq!(of::<CortexM0>(0xb501, 0).stores, [cells(&[0]), cells(&[14])]);
        let pop = of::<CortexM0>(0xbd01, 0);
        assert_eq!((pop.written(0), pop.flow, pop.address), (Some(load(0)), load(1), cells(&[13])));
        let ldm = of::<CortexM0>(0xc90c, 0);
        assert_eq!(
            (ldm.written(2), ldm.written(3), ldm.written(1)),
            (Some(load(0)), Some(load(1)), Some(cells(&[1])))
        );
        // beq; bx r3
        assert_eq!(of::<CortexM0>(0xd001, 0).flow, cells(&[FLAGS as u8 + 1]));
        assert_eq!(of::<CortexM0>(0x4718, 0).flow, cells(&[3]));
    }

    /// Above all the stack pointer is not, or a secret condition would make it secret.
    #[test]
    fn nothing_is_written_that_an_instruction_does_not_write() {
        // mov r0, r1; add sp, #8
        assert_eq!(of::<CortexM4>(0x4608, 0).writes, [(0, cells(&[1]))]);
        assert_eq!(of::<CortexM4>(0xb002, 0).writes, [(13, cells(&[13]))]);
    }

    #[test]
    fn times_depend_on_operands_where_the_core_is_so() {
        // umull r0, r1, r2, r3; udiv r0, r1, r2; mul r0, r1, r2
        assert_eq!(of::<CortexM3>(0xfba2, 0x0103).time, cells(&[2, 3]));
        assert_eq!(of::<CortexM4>(0xfba2, 0x0103).time, cells(&[]));
        assert_eq!(of::<CortexM4>(0xfbb1, 0xf0f2).time, cells(&[1, 2]));
        assert_eq!(of::<CortexM3>(0xfb01, 0xf002).time, cells(&[]));
    }

    #[test]
    fn a_condition_enters_into_everything() {
        // moveq r0, r1; ldreq r0, [r1]
        let z = FLAGS as u8 + 1;
        let conditional = |first, holds| {
            let op = <CortexM4 as Core>::Set::decode(first, 0, 0x1000, true);
            let cycles = CortexM4.cycles(&op);
            effects::<CortexM4>(&op, Some((ItCondition { condition: 0, holds }, cycles)))
        };
        let moved = conditional(0x4608, true);
        assert_eq!((moved.written(0), moved.time), (Some(cells(&[1, z])), cells(&[])));
        let passed = conditional(0x4608, false);
        assert_eq!((passed.written(0), passed.time), (Some(cells(&[0, z])), cells(&[])));
        let loaded = conditional(0x6808, true);
        assert_eq!((loaded.address, loaded.time), (cells(&[1, z]), cells(&[z])));
        let passed = conditional(0x6808, false);
        assert_eq!((passed.address, passed.time), (cells(&[z]), cells(&[z])));
    }
}
