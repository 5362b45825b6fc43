//! The effects of instructions, inferred by executing them on generated values.

use pennyweight_machine::effects::{infer, Effects, Question, Sources, Trial, CELLS};
use pennyweight_machine::fault::NO_FAULT;
use pennyweight_machine32::EffectsCache;
use pennyweight_memory::trial::TrialBus;

use crate::core::Core;
use crate::execute::execute;
use crate::op::{Code, Flow, Op};
use crate::registers::{Reg, Registers};

/// Effects by address.
pub type InstructionEffects = EffectsCache<u32>;

/// What `op` does. Cells are x0 to x31.
pub fn effects(op: &Op, core: &Core) -> Effects {
    let mut widths = [32; 32];
    widths[0] = 0;
    let hints = [op.imm, op.imm.wrapping_neg(), !op.imm, op.imm.wrapping_add(1)];
    let question = Question { widths: &widths, load_width: 32, hints: &hints };
    let mut effects = infer(question, |trial| {
        let mut registers = registers(trial);
        // SC.W succeeds: its store is then among its effects.
        let mut reserved = Some(registers[op.n]);
        let mut bus = TrialBus::new(trial);
        let (next, cycles) = match execute(op, &mut registers, &mut reserved, &mut bus, &mut NO_FAULT.clone())
        {
            Flow::Taken => (1, 0),
            Flow::JumpTo(target) => (target, 0),
            Flow::Divided(divided) => (0, core.divide(divided)),
            _ => (0, 0),
        };
        bus.tried(cells(&registers), next, cycles)
    });
    // Return addresses and CSRs are the loop's to write; they are no secrets.
    let loop_writes = matches!(op.code, Code::Call | Code::CallReg | Code::Csr);
    if loop_writes && op.d != Reg::Sink {
        let cell = op.d as u8;
        effects.writes.retain(|(written, _)| *written != cell);
        effects.writes.push((cell, Sources::default()));
    }
    effects
}

fn registers(trial: &Trial) -> Registers {
    let mut registers = Registers::default();
    for number in 1..32 {
        registers[Reg::source(number)] = trial.cells[number as usize];
    }
    registers
}

fn cells(registers: &Registers) -> [u32; CELLS] {
    let mut cells = [0; CELLS];
    for (number, cell) in (0..32).zip(&mut cells) {
        *cell = registers[Reg::source(number)];
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::effects;
    use crate::core::E31;
    use crate::decode::plain;
    use crate::extensions::Extensions;
    use pennyweight_machine::effects::{Effects, Sources};

    fn of(word: u32) -> Effects {
        effects(&plain(word, 0, Extensions::EVERY), &E31)
    }

    fn cells(numbers: &[u8]) -> Sources {
        Sources { cells: numbers.iter().map(|n| 1 << n).sum(), loads: 0 }
    }

    const LOAD: Sources = Sources { cells: 0, loads: 1 };

    #[test]
    fn registers_flow_as_the_specification_says() {
        // add x5, x6, x7; xor x5, x6, x6; addi x5, x6, -3; lui x5, 1; sltiu x5, x6, 1
        assert_eq!(of(0x0073_02b3).writes, [(5, cells(&[6, 7]))]);
        assert_eq!(of(0x0063_42b3).writes, [(5, cells(&[]))]);
        assert_eq!(of(0xffd3_0293).writes, [(5, cells(&[6]))]);
        assert_eq!(of(0x0000_12b7).writes, [(5, cells(&[]))]);
        assert_eq!(of(0x0013_3293).writes, [(5, cells(&[6]))]);
        // lw x5, 4(x6); sb x7, -1(x6)
        let lw = of(0x0043_2283);
        assert_eq!((lw.writes, lw.address), (vec![(5, LOAD)], cells(&[6])));
        let sb = of(0xfe73_0fa3);
        assert_eq!((sb.stores, sb.address, sb.writes), (vec![cells(&[7])], cells(&[6]), vec![]));
        // beq x5, x6, +8; jalr x1, 0(x5); jal x1, +8
        assert_eq!(of(0x0062_8463).flow, cells(&[5, 6]));
        let call = of(0x0002_80e7);
        assert_eq!((call.flow, call.written(1)), (cells(&[5]), Some(cells(&[]))));
        assert_eq!(of(0x0080_00ef).written(1), Some(cells(&[])));
    }

    #[test]
    fn times_depend_on_operands_where_the_core_is_so() {
        // divu x5, x6, x7; mul x5, x6, x7; amoadd.w x5, x7, (x6)
        assert_eq!(of(0x0273_52b3).time, cells(&[6, 7]));
        assert_eq!(of(0x0273_02b3).time, cells(&[]));
        let amo = of(0x0073_22af);
        assert_eq!((amo.written(5), amo.address), (Some(LOAD), cells(&[6])));
        assert_eq!(amo.stores, [Sources { cells: 1 << 7, loads: 1 }]);
    }
}
