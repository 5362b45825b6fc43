//! The registers that instructions of ARMv7-M and Armv8-M read, by what they are for.

use crate::op::Op;
use crate::registers::Reg;
use crate::v6m::Code as V6;
use crate::v7m::{Code, Kind};

/// Registers that an instruction reads, as bits; PC, which is a constant, is not among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operands {
    /// What it calculates with, addresses among it.
    pub early: u16,
    /// What a multiply-accumulate or an extend-and-add adds to.
    pub sum: u16,
    /// What a store writes.
    pub data: u16,
}

/// The bit of a register; none for PC.
pub fn bit(reg: Reg) -> u16 {
    if reg == Reg::Pc {
        0
    } else {
        1 << (reg as u16)
    }
}

/// What `op` reads.
pub fn operands(op: &Op<Code>) -> Operands {
    use Kind as K;
    let (d, n, m, a) = (bit(op.d), bit(op.n), bit(op.m), bit(op.code.a));
    let early = |early| Operands { early, ..Operands::default() };
    let sum = |early, sum| Operands { early, sum, ..Operands::default() };
    let stores = |early, data| Operands { early, data, ..Operands::default() };
    match op.code.kind {
        K::Base(code) => base(code, op),

        K::MovsImm | K::Mrs | K::It | K::Cps | K::Hint | K::Barrier | K::Clrex => early(0),
        K::AndImm | K::OrrImm | K::EorImm | K::AdcImm | K::RsbImm => early(n),
        K::AndsImm | K::OrrsImm | K::EorsImm | K::TstImm | K::TeqImm | K::AdcsImm => early(n),
        K::RsbsImm | K::CmnImm | K::AddsSpImm | K::SubsSpImm => early(n),
        K::Movt => early(d),
        K::Bfi => early(d | n),
        K::Sbfx | K::Ubfx | K::Ssat | K::Usat | K::Ssat16 | K::Usat16 => early(n),
        K::RorImm | K::RorsImm | K::Rrx | K::Rrxs | K::Clz | K::Rbit | K::MvnSh | K::MvnsSh => early(m),
        K::ExtendSb | K::ExtendSh | K::ExtendUb | K::ExtendUh => sum(m, n),
        K::ExtendSb16 | K::ExtendUb16 => sum(m, n),

        K::Mla | K::Mls | K::Usada8 => sum(n | m, a),
        K::SmlaXy | K::SmlaW | K::Smlad | K::Smlsd | K::Smmla | K::Smmls => sum(n | m, a),
        K::Umlal | K::Smlal | K::Umaal | K::SmlalXy | K::Smlald | K::Smlsld => sum(n | m, d | a),

        K::LdrshImm | K::LdrsbImm | K::LdrToImm | K::LdrToPre | K::LdrToPost => early(n),
        K::LdrPre | K::LdrhPre | K::LdrbPre | K::LdrshPre | K::LdrsbPre => early(n),
        K::LdrPost | K::LdrhPost | K::LdrbPost | K::LdrshPost | K::LdrsbPost => early(n),
        K::Ldrd | K::LdrdPre | K::LdrdPost | K::LdmIa | K::LdmDb => early(n),
        K::Ldrex | K::Ldrexh | K::Ldrexb | K::Lda | K::Ldah | K::Tt => early(n),
        K::StrSh | K::StrhSh | K::StrbSh => stores(n | m, d),
        K::StrPre | K::StrhPre | K::StrbPre | K::StrPost | K::StrhPost | K::StrbPost => stores(n, d),
        K::Stl | K::Stlh => stores(n, d),
        K::Strd | K::StrdPre | K::StrdPost => stores(n, d | a),
        K::StmIa | K::StmDb => stores(n, op.imm as u16),
        K::Strex | K::Strexh | K::Strexb => stores(n, a),
        K::Cbz | K::Cbnz | K::Msr => early(n),
        // Two registers, or one where the other is PC.
        _ => early(n | m),
    }
}

/// What an operation of ARMv6-M reads.
fn base(code: V6, op: &Op<Code>) -> Operands {
    let (d, n, m) = (bit(op.d), bit(op.n), bit(op.m));
    let early = |early| Operands { early, ..Operands::default() };
    let stores = |early, data| Operands { early, data, ..Operands::default() };
    match code {
        V6::AddsReg | V6::SubsReg | V6::AddReg | V6::SubReg | V6::CmpReg | V6::Cmn | V6::Tst => early(n | m),
        V6::AddsImm | V6::SubsImm | V6::AddImm | V6::CmpImm | V6::Rsbs | V6::Neg | V6::Msr => early(n),
        V6::Ands | V6::Eors | V6::Orrs | V6::Bics | V6::And | V6::Eor | V6::Orr | V6::Bic => early(n | m),
        V6::LslsReg | V6::LsrsReg | V6::AsrsReg | V6::Rors | V6::LslReg | V6::LsrReg | V6::Ror => {
            early(n | m)
        }
        V6::Adcs | V6::Sbcs | V6::Adc | V6::Sbc | V6::Add => early(n | m),
        V6::Muls | V6::Mul => early(n | d),
        V6::MovsReg | V6::Mvns | V6::Mvn | V6::Mov | V6::MovSp | V6::Bx | V6::Blx | V6::MovPc => early(m),
        V6::LslsImm | V6::LsrsImm | V6::AsrsImm | V6::LslImm | V6::LsrImm | V6::AsrImm | V6::AddPc => {
            early(m)
        }
        V6::Sxtb | V6::Sxth | V6::Uxtb | V6::Uxth | V6::Rev | V6::Rev16 | V6::Revsh => early(m),
        V6::AddConstant => early(d),
        V6::AddSpReg => early(bit(Reg::Sp) | m),
        V6::AddSpImm | V6::AddFromSp => early(bit(Reg::Sp)),
        V6::LdrImm | V6::LdrhImm | V6::LdrbImm | V6::Ldm | V6::Pop | V6::PopPc => early(n),
        V6::LdrReg | V6::LdrhReg | V6::LdrbReg | V6::LdrshReg | V6::LdrsbReg => early(n | m),
        V6::StrImm | V6::StrhImm | V6::StrbImm => stores(n, d),
        V6::StrReg | V6::StrhReg | V6::StrbReg => stores(n | m, d),
        V6::Stm | V6::Push => stores(n, op.imm as u16),
        _ => early(0),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{operands, Operands};
    use crate::core::CortexM33;
    use crate::effects::effects;
    use crate::op::InstructionSet as _;
    use crate::v6m::Code as V6;
    use crate::v7m::{Kind, V8m};
    use pennyweight_machine::effects::Effects;

    /// All but SP and PC: that the lowest bits of SP are 0 looks like a dependency.
    const REGISTERS: u16 = 0x5fff;

    /// The registers on which anything that an instruction does depends.
    fn inferred(effects: &Effects) -> u16 {
        let written = effects.writes.iter().map(|(_, sources)| sources.cells);
        let stored = effects.stores.iter().map(|sources| sources.cells);
        let others = [effects.address.cells, effects.flow.cells];
        written.chain(stored).chain(others).fold(0, |all, cells| all | cells) as u16 & REGISTERS
    }

    /// What is inferred by executing instructions is among the operands, and for every kind of instruction
    /// there is one for which it is all of them.
    #[test]
    fn operands_agree_with_the_semantics() {
        let mut tried: BTreeMap<String, (u32, bool)> = BTreeMap::new();
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as u16
        };
        for round in 0..30_000 {
            let (mut first, second) = (random(), random());
            if round % 3 != 0 {
                first |= 0xe800;
            }
            let op = V8m::decode(first, second, 0x1000, false);
            let kind = op.code.kind;
            let ends = [V6::Undefined, V6::Trap, V6::Wfi, V6::Wfe, V6::Leave].map(Kind::Base);
            // Special registers hold more than a trial has; IT only governs.
            if ends.contains(&kind) || matches!(kind, Kind::Mrs | Kind::Msr | Kind::It) {
                continue;
            }
            // A few of each kind: inference takes milliseconds.
            let (tries, exact) = tried.entry(format!("{kind:?}")).or_default();
            *tries += 1;
            if *tries > 5 && *exact {
                continue;
            }
            let Operands { early, sum, data } = operands(&op);
            let declared = (early | sum | data) & REGISTERS;
            let found = inferred(&effects::<CortexM33>(&op, None));
            // An exclusive store fails here, and so stores nothing; what PC is written is a constant.
            let exclusive = matches!(kind, Kind::Strex | Kind::Strexh | Kind::Strexb);
            assert_eq!(found & !declared, 0, "{first:04x} {second:04x} {op:?}: {found:x} {declared:x}");
            *exact |= found == declared || exclusive;
        }
        let never: Vec<_> = tried.iter().filter(|(_, (_, exact))| !exact).collect();
        assert!(never.is_empty(), "{never:?}");
        assert!(tried.len() > 190, "{}", tried.len());
    }
}
