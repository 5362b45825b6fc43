//! The effects of instructions, inferred by executing them on generated values.

use pennyweight_machine::effects::{infer, Effects, Question, Trial, CELLS};
use pennyweight_machine::fault::NO_FAULT;
use pennyweight_memory::trial::TrialBus;

use crate::core::{dividend_size, factor_size, Core};
use crate::execute::{execute, Extra};
use crate::op::{Code, Flow, Op, Reg, Registers, Unit};

/// Cells are r0 to r31, HI and LO.
const WIDTHS: [u32; 34] = {
    let mut widths = [32; 34];
    widths[0] = 0;
    widths
};
const HI: usize = 32;
const LO: usize = 33;

/// What `op` does, of which `back` is the return address if it calls.
pub fn effects(op: &Op, back: u32, core: &Core) -> Effects {
    let hints = [op.imm, op.imm.wrapping_neg(), !op.imm, op.imm.wrapping_add(1)];
    let question = Question { widths: &WIDTHS, load_width: 32, hints: &hints };
    infer(question, |trial| {
        let (mut registers, mut extra) = state(trial);
        let (s, t) = (registers[op.s], registers[op.t]);
        if op.code == Code::Sc {
            // It succeeds: its store is then among its effects.
            let address = s.wrapping_add(op.imm) & !3;
            registers[op.s] = address.wrapping_sub(op.imm);
            extra.linked = Some(address);
        }
        let mut bus = TrialBus::new(trial);
        let next = match execute(op, back, &mut registers, &mut extra, &mut bus, &mut NO_FAULT.clone()) {
            Flow::Next => 0,
            Flow::Skip => 1,
            Flow::Fault => 2,
            // No target is so small.
            Flow::To(target) => target | 3,
        };
        if op.code == Code::Sc && op.d != op.s {
            registers[op.s] = s;
        }
        bus.tried(cells(&registers, &extra), next, time(op, core, s, t))
    })
}

/// A number for how long results take, as far as values decide it.
fn time(op: &Op, core: &Core, s: u32, t: u32) -> u32 {
    let latency = match op.unit {
        Unit::Mul => core.multiply_to_register[factor_size(t)],
        Unit::Multiply => core.multiply[factor_size(t)],
        Unit::Divide | Unit::DivideUnsigned => core.divide[dividend_size(s, op.unit == Unit::Divide) & 3],
        Unit::Integer | Unit::Load | Unit::FromHighLow | Unit::ToHighLow | Unit::Save | Unit::Restore => {
            return 0
        }
    };
    latency.result << 8 | latency.repeat
}

fn state(trial: &Trial) -> (Registers, Extra) {
    let mut registers = Registers::default();
    for number in 1..32 {
        registers[Reg(number)] = trial.cells[usize::from(number)];
    }
    let high_low = u64::from(trial.cells[HI]) << 32 | u64::from(trial.cells[LO]);
    (registers, Extra { high_low, ..Extra::default() })
}

fn cells(registers: &Registers, extra: &Extra) -> [u32; CELLS] {
    let mut cells = [0; CELLS];
    for (number, cell) in (0..32).zip(&mut cells) {
        *cell = registers[Reg(number)];
    }
    cells[HI] = (extra.high_low >> 32) as u32;
    cells[LO] = extra.high_low as u32;
    cells
}

#[cfg(test)]
mod tests {
    use super::{effects, HI, LO};
    use crate::core::M4K;
    use crate::decode::decode;
    use pennyweight_machine::effects::{Effects, Sources};

    const LOAD: Sources = Sources { cells: 0, loads: 1 };

    fn of(word: u32) -> Effects {
        effects(&decode(word, 0x9d00_1000), 0x9d00_1008, &M4K)
    }

    fn cells(numbers: &[usize]) -> Sources {
        Sources { cells: numbers.iter().map(|n| 1 << n).sum(), loads: 0 }
    }

    /// An instruction of the group SPECIAL.
    fn special(s: u32, t: u32, d: u32, function: u32) -> Effects {
        of(s << 21 | t << 16 | d << 11 | function)
    }

    #[test]
    fn registers_flow_as_the_manual_says() {
        // addu r5, r6, r7; xor r5, r6, r6; movz r5, r6, r7; sllv r5, r7, r6
        assert_eq!(special(6, 7, 5, 0x21).writes, [(5, cells(&[6, 7]))]);
        assert_eq!(special(6, 6, 5, 0x26).writes, [(5, cells(&[]))]);
        assert_eq!(special(6, 7, 5, 0x0a).writes, [(5, cells(&[5, 6, 7]))]);
        assert_eq!(special(6, 7, 5, 0x04).writes, [(5, cells(&[6, 7]))]);
        // addu r0, r6, r7 writes nothing; lui r5, 1
        assert_eq!(special(6, 7, 0, 0x21).writes, []);
        assert_eq!(of(0x3c05_0001).writes, [(5, cells(&[]))]);
        // sltiu r5, r6, 1; ins r5, r6, 4, 8
        assert_eq!(of(0x2cc5_0001).writes, [(5, cells(&[6]))]);
        assert_eq!(of(0x7cc5_5904).writes, [(5, cells(&[5, 6]))]);
    }

    #[test]
    fn memory_is_told_apart_from_its_address() {
        // lw r5, 4(r6); sb r7, -1(r6); sc r7, 0(r6)
        let load = of(0x8cc5_0004);
        assert_eq!((load.writes, load.address), (vec![(5, LOAD)], cells(&[6])));
        let store = of(0xa0c7_ffff);
        assert_eq!((store.stores, store.address, store.writes), (vec![cells(&[7])], cells(&[6]), vec![]));
        assert_eq!(of(0xe0c7_0000).stores, [cells(&[7])]);
        // lwl r5, 3(r6): how much of r5 stays is the address's
        let left = of(0x88c5_0003);
        assert_eq!(left.address, cells(&[6]));
        assert_eq!(
            left.written(5).map(|sources| (sources.cells, sources.loads & 1)),
            Some((1 << 5 | 1 << 6, 1))
        );
    }

    /// Of 16-bit code.
    fn short(first: u16, second: u16) -> Effects {
        let address = 0x9d00_1000;
        effects(&crate::short::decode(first, second, address, address).op, address + 7, &M4K)
    }

    #[test]
    fn code_of_16_bits_is_followed_too() {
        // cmp a0, a1; neg v0, a1; lw a1, 4(a0); bteqz; jalrc a0
        assert_eq!(short(0xecaa, 0).writes, [(24, cells(&[4, 5]))]);
        assert_eq!(short(0xeaab, 0).writes, [(2, cells(&[5]))]);
        let load = short(0x9ca1, 0);
        assert_eq!((load.writes, load.address), (vec![(5, LOAD)], cells(&[4])));
        assert_eq!(short(0x6003, 0).flow, cells(&[24]));
        let call = short(0xecc0, 0);
        assert_eq!((call.flow, call.writes), (cells(&[4]), vec![(31, cells(&[]))]));
        // lw v0, 8(pc): what is found at no secret place
        assert_eq!(short(0xb202, 0).address, cells(&[]));
    }

    #[test]
    fn registers_that_are_saved_and_restored_keep_apart() {
        // save 32, ra, s0, s1; restore 32, ra, s0, s1
        let save = short(0x64f4, 0);
        assert_eq!(save.stores, [cells(&[31]), cells(&[17]), cells(&[16])]);
        assert_eq!((save.address, save.writes), (cells(&[29]), vec![(29, cells(&[29]))]));
        let restore = short(0x6474, 0);
        let load = |number: u32| Some(Sources { cells: 0, loads: 1 << number });
        assert_eq!([31, 17, 16].map(|cell| restore.written(cell)), [load(0), load(1), load(2)]);
        assert_eq!(restore.written(29), Some(cells(&[29])));
        assert_eq!((restore.address, restore.time), (cells(&[29]), cells(&[])));
        // restore 0x120, ra, s0-s8, a3
        assert_eq!(short(0xf721, 0x6474).written(7), load(10));
    }

    #[test]
    fn branches_tell_what_they_compare() {
        // beq r5, r6; bgezl r7; teq r8, r9; jr r31
        assert_eq!(of(0x10a6_0004).flow, cells(&[5, 6]));
        assert_eq!(of(0x04e3_0004).flow, cells(&[7]));
        assert_eq!(special(8, 9, 0, 0x34).flow, cells(&[8, 9]));
        assert_eq!(special(31, 0, 0, 0x08).flow, cells(&[31]));
        // beqz and bnez: one value in 2^32 of any register decides
        for s in 1..32_u32 {
            let zero = [0x1000_0004, 0x1400_0004].map(|branch| of(branch | s << 21).flow);
            assert_eq!(zero, [cells(&[s as usize]); 2], "r{s}");
        }
        // jal: the return address is not secret
        assert_eq!(of(0x0c00_0400).writes, [(31, cells(&[]))]);
    }

    #[test]
    fn products_and_quotients_go_through_high_and_low_in_their_time() {
        let multiply = special(6, 7, 0, 0x19);
        let both = cells(&[6, 7]);
        assert_eq!(multiply.writes, [(HI as u8, both), (LO as u8, both)]);
        assert_eq!(multiply.time, cells(&[7]));
        // madd r6, r7; mul r5, r6, r7; mflo r5
        assert_eq!(of(0x70c7_0000).written(LO as u8), Some(cells(&[6, 7, LO])));
        let product = of(0x70c7_2802);
        assert_eq!((product.writes, product.time), (vec![(5, both)], cells(&[7])));
        assert_eq!(special(0, 0, 5, 0x12).writes, [(5, cells(&[LO]))]);
        // divu r6, r7
        assert_eq!(special(6, 7, 0, 0x1b).time, cells(&[6]));
    }
}
