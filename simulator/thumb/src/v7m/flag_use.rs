//! Which flags an operation reads and sets, and what it is without them; see `v6m::flag_use`.

use super::{Code, Kind};
use crate::op::flag_set::{ALL, C, NZ};
use crate::op::{FlagUse, InstructionSet as _, Op};
use crate::registers::Reg;
use crate::v6m::{Code as V6, V6m};

fn small(op: &Op<Code>, code: V6) -> Op<V6> {
    Op { code, d: op.d, n: op.n, m: op.m, imm: op.imm }
}

/// What `op` does with the flags.
pub fn flags(op: &Op<Code>) -> FlagUse {
    use Kind as K;
    let uses = |reads, writes| FlagUse { reads, writes, keeps: 0 };
    // RRX shifts the carry in.
    let shift_reads = if op.code.s == 4 { C } else { 0 };
    let shift_writes = if op.code.s == 0 && op.imm == 0 { NZ } else { NZ | C };
    match op.code.kind {
        K::Base(code) => V6m::flags(&small(op, code)),
        K::AdcImm | K::Adc3 | K::Sbc3 | K::AdcSh | K::SbcSh | K::Rrx => uses(C, 0),
        K::AndSh | K::BicSh | K::OrrSh | K::OrnSh | K::EorSh | K::MvnSh => uses(shift_reads, 0),
        K::AddSh | K::SubSh | K::RsbSh => uses(shift_reads, 0),
        K::AndsImm | K::OrrsImm | K::EorsImm | K::MovsImm | K::TstImm | K::TeqImm => {
            uses(0, if op.m == Reg::R0 { NZ } else { NZ | C })
        }
        K::AdcsImm | K::AdcsSh | K::SbcsSh => uses(C, ALL),
        K::RsbsImm | K::CmnImm => uses(0, ALL),
        K::AddsSpSh | K::SubsSpSh | K::AddsSpImm | K::SubsSpImm => uses(0, ALL),
        K::AndsSh | K::BicsSh | K::OrrsSh | K::OrnsSh | K::EorsSh | K::MvnsSh | K::TstSh | K::TeqSh => {
            uses(shift_reads, shift_writes)
        }
        K::AddsSh | K::SubsSh | K::RsbsSh | K::CmpSh | K::CmnSh => uses(shift_reads, ALL),
        K::RorsImm => uses(0, NZ | C),
        K::Rrxs => uses(C, NZ | C),
        // By 0 they leave the carry.
        K::Lsls3 | K::Lsrs3 | K::Asrs3 | K::Rors3 => FlagUse { reads: 0, writes: NZ | C, keeps: C },
        K::LdrToImm | K::LdrToSh | K::LdrToPre | K::LdrToPost | K::LdmIa | K::LdmDb => uses(ALL, 0),
        K::Cbz | K::Cbnz | K::Tbb | K::Tbh | K::It | K::Mrs | K::Msr => uses(ALL, 0),
        _ => uses(0, 0),
    }
}

/// `op` without the flags that it sets; itself if it has no such form.
pub fn without_flags(op: &Op<Code>) -> Op<Code> {
    use Kind as K;
    let kind = match op.code.kind {
        K::Base(code) => {
            let without = V6m::without_flags(&small(op, code));
            return Code::base(without, op.code.width);
        }
        K::AndsImm => K::AndImm,
        K::OrrsImm => K::OrrImm,
        K::EorsImm => K::EorImm,
        K::MovsImm => K::Base(V6::Constant),
        K::AdcsImm => K::AdcImm,
        K::RsbsImm => K::RsbImm,
        K::AddsSpSh => K::AddSpSh,
        K::SubsSpSh => K::SubSpSh,
        K::AddsSpImm => K::Base(V6::AddSpImm),
        K::AndsSh => K::AndSh,
        K::BicsSh => K::BicSh,
        K::OrrsSh => K::OrrSh,
        K::OrnsSh => K::OrnSh,
        K::EorsSh => K::EorSh,
        K::MvnsSh => K::MvnSh,
        K::AddsSh => K::AddSh,
        K::SubsSh => K::SubSh,
        K::AdcsSh => K::AdcSh,
        K::SbcsSh => K::SbcSh,
        K::RsbsSh => K::RsbSh,
        K::RorsImm => K::RorImm,
        K::Rrxs => K::Rrx,
        K::Lsls3 => K::Lsl3,
        K::Lsrs3 => K::Lsr3,
        K::Asrs3 => K::Asr3,
        K::Rors3 => K::Ror3,
        kind => kind,
    };
    Op { code: Code { kind, ..op.code }, ..*op }
}
