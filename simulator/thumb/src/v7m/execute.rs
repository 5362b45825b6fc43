//! Semantics (DDI 0403, A7.7; DDI 0553, C2.4), one arm per operation.

use pennyweight_machine::FaultKind;

use super::bus::Split;
use super::{simd, Code, Kind};
use crate::op::{Flow, Op, Work};
use crate::registers::{Flags, Reg, Registers};
use crate::system::System;
use crate::v6m::{self, interwork, load_multiple, set_sp, sign_byte, sign_half, store_multiple};
use pennyweight_memory::bus::DataBus;

type Step<R> = Result<Flow<R>, FaultKind>;

/// Executes `op` at `pc`.
#[inline(always)]
#[allow(clippy::too_many_lines)] // One match is what makes the loop fast; each arm is a line or two.
pub fn execute<B: DataBus, R>(
    op: &Op<Code>,
    pc: u32,
    r: &mut Registers,
    f: &mut Flags,
    system: &mut System,
    bus: &mut B,
) -> Step<R> {
    use Kind as K;
    let width = u32::from(op.code.width);
    let mut bus = Split { bus, extra: 0 };
    let bus = &mut bus;
    match op.code.kind {
        K::Base(code) => {
            let op = Op { code, d: op.d, n: op.n, m: op.m, imm: op.imm };
            match v6m::execute(&op, pc, r, f, system, bus)? {
                Flow::Next => {}
                Flow::Taken(target, _) => return Ok(Flow::Taken(target, width)),
                Flow::Go(target, _) => return Ok(Flow::Go(target, width)),
                flow => return Ok(flow),
            }
        }

        K::AndImm => r[op.d] = r[op.n] & op.imm,
        K::OrrImm => r[op.d] = r[op.n] | op.imm,
        K::EorImm => r[op.d] = r[op.n] ^ op.imm,
        K::AdcImm => r[op.d] = r[op.n].wrapping_add(op.imm).wrapping_add(u32::from(f.c)),
        K::RsbImm => r[op.d] = op.imm.wrapping_sub(r[op.n]),
        K::AndsImm => r[op.d] = logic_imm(op, f, r[op.n] & op.imm),
        K::OrrsImm => r[op.d] = logic_imm(op, f, r[op.n] | op.imm),
        K::EorsImm => r[op.d] = logic_imm(op, f, r[op.n] ^ op.imm),
        K::MovsImm => r[op.d] = logic_imm(op, f, op.imm),
        K::TstImm => {
            logic_imm(op, f, r[op.n] & op.imm);
        }
        K::TeqImm => {
            logic_imm(op, f, r[op.n] ^ op.imm);
        }
        K::AdcsImm => r[op.d] = f.add_with_carry(r[op.n], op.imm),
        K::RsbsImm => r[op.d] = f.sub(op.imm, r[op.n]),
        K::CmnImm => {
            f.add(r[op.n], op.imm);
        }

        K::And3 => r[op.d] = r[op.n] & r[op.m],
        K::Bic3 => r[op.d] = r[op.n] & !r[op.m],
        K::Orr3 => r[op.d] = r[op.n] | r[op.m],
        K::Orn3 => r[op.d] = r[op.n] | !r[op.m],
        K::Eor3 => r[op.d] = r[op.n] ^ r[op.m],
        K::Adc3 => r[op.d] = r[op.n].wrapping_add(r[op.m]).wrapping_add(u32::from(f.c)),
        K::Sbc3 => r[op.d] = r[op.n].wrapping_sub(r[op.m]).wrapping_sub(u32::from(!f.c)),

        K::AndSh => r[op.d] = r[op.n] & shifted(op, r, f),
        K::BicSh => r[op.d] = r[op.n] & !shifted(op, r, f),
        K::OrrSh => r[op.d] = r[op.n] | shifted(op, r, f),
        K::OrnSh => r[op.d] = r[op.n] | !shifted(op, r, f),
        K::EorSh => r[op.d] = r[op.n] ^ shifted(op, r, f),
        K::MvnSh => r[op.d] = !shifted(op, r, f),
        K::AddSh => r[op.d] = r[op.n].wrapping_add(shifted(op, r, f)),
        K::SubSh => r[op.d] = r[op.n].wrapping_sub(shifted(op, r, f)),
        K::RsbSh => r[op.d] = shifted(op, r, f).wrapping_sub(r[op.n]),
        K::AdcSh => r[op.d] = r[op.n].wrapping_add(shifted(op, r, f)).wrapping_add(u32::from(f.c)),
        K::SbcSh => r[op.d] = r[op.n].wrapping_sub(shifted(op, r, f)).wrapping_sub(u32::from(!f.c)),
        K::AddSpSh => set_sp(r, bus, r[Reg::Sp].wrapping_add(shifted(op, r, f)))?,
        K::SubSpSh => set_sp(r, bus, r[Reg::Sp].wrapping_sub(shifted(op, r, f)))?,
        K::AddsSpSh => add_to_sp(r, bus, f, shifted(op, r, f), Flags::add)?,
        K::SubsSpSh => add_to_sp(r, bus, f, shifted(op, r, f), Flags::sub)?,
        K::AddsSpImm => add_to_sp(r, bus, f, op.imm, Flags::add)?,
        K::SubsSpImm => add_to_sp(r, bus, f, op.imm, Flags::sub)?,
        K::EorRor => r[op.d] = r[op.n] ^ r[op.m].rotate_right(op.imm),
        K::AddRor => r[op.d] = r[op.n].wrapping_add(r[op.m].rotate_right(op.imm)),

        K::AndsSh => r[op.d] = logic_shifted(op, r, f, |n, m| n & m),
        K::BicsSh => r[op.d] = logic_shifted(op, r, f, |n, m| n & !m),
        K::OrrsSh => r[op.d] = logic_shifted(op, r, f, |n, m| n | m),
        K::OrnsSh => r[op.d] = logic_shifted(op, r, f, |n, m| n | !m),
        K::EorsSh => r[op.d] = logic_shifted(op, r, f, |n, m| n ^ m),
        K::MvnsSh => r[op.d] = logic_shifted(op, r, f, |_, m| !m),
        K::TstSh => {
            logic_shifted(op, r, f, |n, m| n & m);
        }
        K::TeqSh => {
            logic_shifted(op, r, f, |n, m| n ^ m);
        }
        K::AddsSh => r[op.d] = f.add(r[op.n], shifted(op, r, f)),
        K::SubsSh => r[op.d] = f.sub(r[op.n], shifted(op, r, f)),
        K::RsbsSh => r[op.d] = f.sub(shifted(op, r, f), r[op.n]),
        K::AdcsSh => r[op.d] = f.add_with_carry(r[op.n], shifted(op, r, f)),
        K::SbcsSh => r[op.d] = f.add_with_carry(r[op.n], !shifted(op, r, f)),
        K::CmpSh => {
            f.sub(r[op.n], shifted(op, r, f));
        }
        K::CmnSh => {
            f.add(r[op.n], shifted(op, r, f));
        }

        K::RorImm => r[op.d] = r[op.m].rotate_right(op.imm),
        K::RorsImm => r[op.d] = f.ror(r[op.m], op.imm),
        K::Rrx => r[op.d] = u32::from(f.c) << 31 | r[op.m] >> 1,
        K::Rrxs => {
            let value = r[op.m];
            let result = u32::from(f.c) << 31 | value >> 1;
            f.set_nz(result);
            f.c = value & 1 != 0;
            r[op.d] = result;
        }
        K::Lsl3 => r[op.d] = (u64::from(r[op.m]) << (r[op.n] & 0xff).min(63)) as u32,
        K::Lsr3 => r[op.d] = (u64::from(r[op.m]) >> (r[op.n] & 0xff).min(63)) as u32,
        K::Asr3 => r[op.d] = (r[op.m] as i32 >> (r[op.n] & 0xff).min(31)) as u32,
        K::Ror3 => r[op.d] = r[op.m].rotate_right(r[op.n] & 31),
        K::Lsls3 => shift_by_register(op, r, f, 63, Flags::lsl),
        K::Lsrs3 => shift_by_register(op, r, f, 63, Flags::lsr),
        K::Asrs3 => shift_by_register(op, r, f, 63, Flags::asr),
        K::Rors3 => shift_by_register(op, r, f, 255, Flags::ror),

        K::Movt => r[op.d] = r[op.d] & 0xffff | op.imm,
        K::Sbfx => {
            let (low, rest) = (op.imm & 31, 31 - (op.imm >> 8 & 31));
            r[op.d] = ((r[op.n] >> low << rest) as i32 >> rest) as u32;
        }
        K::Ubfx => r[op.d] = r[op.n] >> (op.imm & 31) & u32::MAX >> (31 - (op.imm >> 8 & 31)),
        K::Bfi => {
            let low = op.imm & 31;
            let mask = u32::MAX >> (31 - (op.imm >> 8 & 31)) << low;
            r[op.d] = r[op.d] & !mask | r[op.n] << low & mask;
        }
        K::Ssat => r[op.d] = simd::signed(to_saturate(op, r), op.imm & 0xff, f),
        K::Usat => r[op.d] = simd::unsigned(to_saturate(op, r), op.imm & 0xff, f),
        K::Ssat16 => r[op.d] = simd::halves(r[op.n], f, |half, f| simd::signed(half, op.imm, f)),
        K::Usat16 => r[op.d] = simd::halves(r[op.n], f, |half, f| simd::unsigned(half, op.imm, f)),
        K::Clz => r[op.d] = r[op.m].leading_zeros(),
        K::Rbit => r[op.d] = r[op.m].reverse_bits(),
        K::ExtendSb => r[op.d] = r[op.n].wrapping_add(sign_byte(r[op.m].rotate_right(op.imm) as u8)),
        K::ExtendSh => r[op.d] = r[op.n].wrapping_add(sign_half(r[op.m].rotate_right(op.imm) as u16)),
        K::ExtendUb => r[op.d] = r[op.n].wrapping_add(r[op.m].rotate_right(op.imm) & 0xff),
        K::ExtendUh => r[op.d] = r[op.n].wrapping_add(r[op.m].rotate_right(op.imm) & 0xffff),
        K::ExtendSb16 => r[op.d] = extend16(op, r, sign_byte),
        K::ExtendUb16 => r[op.d] = extend16(op, r, u32::from),
        K::Pkh if op.code.s == 0 => r[op.d] = r[op.n] & 0xffff | r[op.m] << op.imm & 0xffff_0000,
        K::Pkh => {
            let low = (r[op.m] as i32 >> op.imm.min(31)) as u32;
            r[op.d] = r[op.n] & 0xffff_0000 | low & 0xffff;
        }
        K::Sel => r[op.d] = simd::select(r[op.n], r[op.m], f),
        K::Saturating => r[op.d] = simd::saturating(op.code.s, r[op.m], r[op.n], f),
        K::Parallel => r[op.d] = simd::parallel(op.code.s, r[op.n], r[op.m], f),

        K::Mul3 => r[op.d] = r[op.n].wrapping_mul(r[op.m]),
        K::Mla => r[op.d] = r[op.n].wrapping_mul(r[op.m]).wrapping_add(r[op.code.a]),
        K::Mls => r[op.d] = r[op.code.a].wrapping_sub(r[op.n].wrapping_mul(r[op.m])),
        K::Umull => return long(op, r, |n, m, _| u64::from(n) * u64::from(m)),
        K::Smull => return long(op, r, |n, m, _| signed_product(n, m) as u64),
        K::Umlal => return long(op, r, |n, m, sum| sum.wrapping_add(u64::from(n) * u64::from(m))),
        K::Smlal => return long(op, r, |n, m, sum| sum.wrapping_add(signed_product(n, m) as u64)),
        K::Umaal => {
            return long(op, r, |n, m, sum| u64::from(n) * u64::from(m) + (sum >> 32) + (sum & 0xffff_ffff));
        }
        K::Sdiv => {
            let (n, m) = (r[op.n] as i32, r[op.m] as i32);
            r[op.d] = if m == 0 { 0 } else { n.wrapping_div(m) as u32 };
            return Ok(Flow::Busy(Work::Divide(n.unsigned_abs(), m.unsigned_abs())));
        }
        K::Udiv => {
            let (n, m) = (r[op.n], r[op.m]);
            r[op.d] = n.checked_div(m).unwrap_or(0);
            return Ok(Flow::Busy(Work::Divide(n, m)));
        }
        K::SmlaXy => {
            let product = simd::half(r[op.n], op.code.s & 2 != 0) * simd::half(r[op.m], op.code.s & 1 != 0);
            r[op.d] = simd::sum(product + addend(op, r), f);
        }
        K::SmlaW => {
            let product = i64::from(r[op.n] as i32) * simd::half(r[op.m], op.code.s & 1 != 0);
            r[op.d] = simd::sum((product >> 16) + addend(op, r), f);
        }
        K::Smlad => {
            let (low, high) = simd::products(r[op.n], r[op.m], op.code.s & 1 != 0);
            r[op.d] = simd::sum(low + high + addend(op, r), f);
        }
        K::Smlsd => {
            let (low, high) = simd::products(r[op.n], r[op.m], op.code.s & 1 != 0);
            r[op.d] = simd::sum(low - high + addend(op, r), f);
        }
        K::Smmla => r[op.d] = most_significant(op, r, signed_product(r[op.n], r[op.m])),
        K::Smmls => r[op.d] = most_significant(op, r, signed_product(r[op.n], r[op.m]).wrapping_neg()),
        K::Usada8 => r[op.d] = simd::differences(r[op.n], r[op.m]).wrapping_add(r[op.code.a]),
        K::SmlalXy => {
            let product = simd::half(r[op.n], op.code.s & 2 != 0) * simd::half(r[op.m], op.code.s & 1 != 0);
            accumulate(op, r, product);
        }
        K::Smlald => {
            let (low, high) = simd::products(r[op.n], r[op.m], op.code.s & 1 != 0);
            accumulate(op, r, low + high);
        }
        K::Smlsld => {
            let (low, high) = simd::products(r[op.n], r[op.m], op.code.s & 1 != 0);
            accumulate(op, r, low - high);
        }

        K::LdrshImm => r[op.d] = load_sh(bus, offset(op, r))?,
        K::LdrsbImm => r[op.d] = load_sb(bus, offset(op, r))?,
        K::LdrSh => r[op.d] = load_w(bus, indexed(op, r))?,
        K::LdrhSh => r[op.d] = load_h(bus, indexed(op, r))?,
        K::LdrbSh => r[op.d] = load_b(bus, indexed(op, r))?,
        K::LdrshSh => r[op.d] = load_sh(bus, indexed(op, r))?,
        K::LdrsbSh => r[op.d] = load_sb(bus, indexed(op, r))?,
        K::StrSh => bus.store_word(indexed(op, r), r[op.d])?,
        K::StrhSh => bus.store_half(indexed(op, r), r[op.d] as u16)?,
        K::StrbSh => bus.store_byte(indexed(op, r), r[op.d] as u8)?,
        K::LdrPre => load_pre(op, r, bus, load_w)?,
        K::LdrhPre => load_pre(op, r, bus, load_h)?,
        K::LdrbPre => load_pre(op, r, bus, load_b)?,
        K::LdrshPre => load_pre(op, r, bus, load_sh)?,
        K::LdrsbPre => load_pre(op, r, bus, load_sb)?,
        K::LdrPost => load_post(op, r, bus, load_w)?,
        K::LdrhPost => load_post(op, r, bus, load_h)?,
        K::LdrbPost => load_post(op, r, bus, load_b)?,
        K::LdrshPost => load_post(op, r, bus, load_sh)?,
        K::LdrsbPost => load_post(op, r, bus, load_sb)?,
        K::StrPre | K::StrhPre | K::StrbPre => {
            let address = offset(op, r);
            moves_stack(op.n == Reg::Sp, bus, address)?;
            match op.code.kind {
                K::StrPre => bus.store_word(address, r[op.d])?,
                K::StrhPre => bus.store_half(address, r[op.d] as u16)?,
                _ => bus.store_byte(address, r[op.d] as u8)?,
            }
            set_base(op.n, r, bus, address)?;
        }
        K::StrPost | K::StrhPost | K::StrbPost => {
            let address = r[op.n];
            match op.code.kind {
                K::StrPost => bus.store_word(address, r[op.d])?,
                K::StrhPost => bus.store_half(address, r[op.d] as u16)?,
                _ => bus.store_byte(address, r[op.d] as u8)?,
            }
            set_base(op.n, r, bus, address.wrapping_add(op.imm))?;
        }
        K::LdrToImm => return load_to(op, r, bus, offset(op, r), None),
        K::LdrToSh => return load_to(op, r, bus, indexed(op, r), None),
        K::LdrToPre => return load_to(op, r, bus, offset(op, r), Some(offset(op, r))),
        K::LdrToPost => return load_to(op, r, bus, r[op.n], Some(offset(op, r))),
        K::Ldrd => load_dual(op, r, bus, offset(op, r))?,
        K::LdrdPre => {
            let address = offset(op, r);
            load_dual(op, r, bus, address)?;
            set_base(op.n, r, bus, address)?;
        }
        K::LdrdPost => {
            let address = r[op.n];
            load_dual(op, r, bus, address)?;
            set_base(op.n, r, bus, address.wrapping_add(op.imm))?;
        }
        K::Strd => store_dual(op, r, bus, offset(op, r))?,
        K::StrdPre => {
            let address = offset(op, r);
            moves_stack(op.n == Reg::Sp, bus, address)?;
            store_dual(op, r, bus, address)?;
            set_base(op.n, r, bus, address)?;
        }
        K::StrdPost => {
            let address = r[op.n];
            store_dual(op, r, bus, address)?;
            set_base(op.n, r, bus, address.wrapping_add(op.imm))?;
        }
        K::LdmIa => return load_many(op, r, bus, true),
        K::LdmDb => return load_many(op, r, bus, false),
        K::StmIa => {
            let end = store_multiple(r, bus, r[op.n], op.imm)?;
            if op.code.s != 0 {
                set_base(op.n, r, bus, end)?;
            }
        }
        K::StmDb => {
            let start = r[op.n].wrapping_sub(4 * op.imm.count_ones());
            moves_stack(op.code.s != 0 && op.n == Reg::Sp, bus, start)?;
            store_multiple(r, bus, start, op.imm)?;
            if op.code.s != 0 {
                set_base(op.n, r, bus, start)?;
            }
        }
        K::Ldrex => {
            r[op.d] = bus.load_aligned_word(offset(op, r))?;
            system.exclusive = true;
        }
        K::Ldrexh => {
            r[op.d] = bus.bus.load_half(r[op.n])?.into();
            system.exclusive = true;
        }
        K::Ldrexb => {
            r[op.d] = bus.load_byte(r[op.n])?.into();
            system.exclusive = true;
        }
        K::Strex | K::Strexh | K::Strexb => {
            let value = r[op.code.a];
            if system.exclusive {
                match op.code.kind {
                    K::Strex => bus.store_aligned_word(offset(op, r), value)?,
                    K::Strexh => bus.bus.store_half(r[op.n], value as u16)?,
                    _ => bus.store_byte(r[op.n], value as u8)?,
                }
            }
            r[op.d] = u32::from(!system.exclusive);
            system.exclusive = false;
        }
        K::Clrex => system.exclusive = false,
        K::Lda => r[op.d] = bus.load_aligned_word(r[op.n])?,
        K::Ldah => r[op.d] = bus.bus.load_half(r[op.n])?.into(),
        K::Stl => bus.store_aligned_word(r[op.n], r[op.d])?,
        K::Stlh => bus.bus.store_half(r[op.n], r[op.d] as u16)?,
        K::Tt => r[op.d] = system.test_target(r[op.n], op.imm != 0),

        K::Cbz if r[op.n] == 0 => return Ok(Flow::Taken(op.imm, 1)),
        K::Cbnz if r[op.n] != 0 => return Ok(Flow::Taken(op.imm, 1)),
        K::Cbz | K::Cbnz => {}
        K::Tbb | K::Tbh => {
            let base = if op.n == Reg::Pc { op.imm } else { r[op.n] };
            let entry: u32 = if op.code.kind == K::Tbb {
                bus.load_byte(base.wrapping_add(r[op.m]))?.into()
            } else {
                bus.bus.load_half(base.wrapping_add(2 * r[op.m]))?.into()
            };
            return Ok(Flow::Go(op.imm.wrapping_add(2 * entry), 2));
        }
        K::It => return Ok(Flow::Block(op.imm)),
        K::Mrs => r[op.d] = system.read_v7m(op.imm, r, f),
        K::Msr => {
            let (mut new_flags, old_sp) = (*f, r[Reg::Sp]);
            let sp = system.write_v7m(op.imm, op.code.s, r[op.n], old_sp, &mut new_flags);
            *f = new_flags;
            if sp != old_sp {
                set_sp(r, bus, sp)?;
            }
        }
        K::Cps => system.change_state(op.imm != 0, op.code.s),
        K::Hint | K::Barrier => {}
    }
    Ok(if bus.extra == 0 { Flow::Next } else { Flow::Busy(Work::Unaligned(bus.extra)) })
}

/// SP = SP + or - `value`, with flags.
#[inline(never)]
fn add_to_sp<B: DataBus>(
    r: &mut Registers,
    bus: &mut B,
    f: &mut Flags,
    value: u32,
    by: impl Fn(&mut Flags, u32, u32) -> u32,
) -> Result<(), FaultKind> {
    let result = by(f, r[Reg::Sp], value);
    set_sp(r, bus, result)
}

/// N, Z and the carry of a logical operation on an immediate.
#[inline(always)]
fn logic_imm(op: &Op<Code>, f: &mut Flags, result: u32) -> u32 {
    f.set_nz(result);
    match op.m {
        Reg::R0 => {}
        m => f.c = m != Reg::R1,
    }
    result
}

/// The shifted operand.
#[inline(always)]
fn shifted(op: &Op<Code>, r: &Registers, f: &Flags) -> u32 {
    let value = r[op.m];
    match op.code.s {
        0 => value << (op.imm & 31),
        1 => (u64::from(value) >> (op.imm & 63)) as u32,
        2 => (i64::from(value as i32) >> (op.imm & 63)) as u32,
        3 => value.rotate_right(op.imm),
        _ => u32::from(f.c) << 31 | value >> 1,
    }
}

/// A logical operation with the shifted operand: N, Z, and the shifter's carry.
#[inline(always)]
fn logic_shifted(op: &Op<Code>, r: &Registers, f: &mut Flags, combine: impl Fn(u32, u32) -> u32) -> u32 {
    let value = r[op.m];
    let operand = shifted(op, r, f);
    f.c = match op.code.s {
        0 if op.imm == 0 => f.c,
        0 => value >> (32 - (op.imm & 31)) & 1 != 0,
        1 | 2 => (i64::from(value as i32) >> ((op.imm - 1) & 63)) & 1 != 0,
        3 => operand >> 31 != 0,
        _ => value & 1 != 0,
    };
    let result = combine(r[op.n], operand);
    f.set_nz(result);
    result
}

/// Shift of `m` by the low byte of `n`: by 0 the carry stays.
#[inline(always)]
fn shift_by_register(
    op: &Op<Code>,
    r: &mut Registers,
    f: &mut Flags,
    most: u32,
    by: impl Fn(&mut Flags, u32, u32) -> u32,
) {
    let (value, amount) = (r[op.m], r[op.n] & 0xff);
    if amount == 0 {
        f.set_nz(value);
        r[op.d] = value;
    } else {
        r[op.d] = by(f, value, amount.min(most));
    }
}

#[inline(always)]
fn to_saturate(op: &Op<Code>, r: &Registers) -> i64 {
    let (value, by) = (r[op.n] as i32, op.imm >> 8 & 31);
    i64::from(if op.code.s == 0 { value << by } else { value >> by })
}

/// Sign extension of the two even bytes of `m`, added to the halves of `n`.
#[inline(always)]
fn extend16(op: &Op<Code>, r: &Registers, extend: impl Fn(u8) -> u32) -> u32 {
    let (n, m) = (r[op.n], r[op.m].rotate_right(op.imm));
    let low = n.wrapping_add(extend(m as u8)) & 0xffff;
    let high = (n >> 16).wrapping_add(extend((m >> 16) as u8)) << 16;
    low | high
}

#[inline(always)]
fn signed_product(n: u32, m: u32) -> i64 {
    i64::from(n as i32) * i64::from(m as i32)
}

/// A long multiplication into a:d.
#[inline(always)]
fn long<R>(op: &Op<Code>, r: &mut Registers, result: impl Fn(u32, u32, u64) -> u64) -> Step<R> {
    let (n, m) = (r[op.n], r[op.m]);
    let result = result(n, m, u64::from(r[op.code.a]) << 32 | u64::from(r[op.d]));
    r[op.d] = result as u32;
    r[op.code.a] = (result >> 32) as u32;
    Ok(Flow::Busy(Work::LongMultiply(n, m)))
}

/// Adds to a:d.
#[inline(always)]
fn accumulate(op: &Op<Code>, r: &mut Registers, value: i64) {
    let sum = (u64::from(r[op.code.a]) << 32 | u64::from(r[op.d])).wrapping_add(value as u64);
    r[op.d] = sum as u32;
    r[op.code.a] = (sum >> 32) as u32;
}

#[inline(always)]
fn addend(op: &Op<Code>, r: &Registers) -> i64 {
    i64::from(r[op.code.a] as i32)
}

/// The upper half of a:0 and a product, rounded if `s` selects that.
#[inline(always)]
fn most_significant(op: &Op<Code>, r: &Registers, product: i64) -> u32 {
    let round = if op.code.s & 1 != 0 { 0x8000_0000 } else { 0 };
    let sum = (addend(op, r) << 32).wrapping_add(product).wrapping_add(round);
    (sum >> 32) as u32
}

#[inline(always)]
fn offset(op: &Op<Code>, r: &Registers) -> u32 {
    r[op.n].wrapping_add(op.imm)
}

#[inline(always)]
fn indexed(op: &Op<Code>, r: &Registers) -> u32 {
    r[op.n].wrapping_add(r[op.m] << (op.code.s & 3))
}

#[inline(always)]
fn load_w<B: DataBus>(bus: &mut B, address: u32) -> Result<u32, FaultKind> {
    bus.load_word(address)
}

#[inline(always)]
fn load_h<B: DataBus>(bus: &mut B, address: u32) -> Result<u32, FaultKind> {
    bus.load_half(address).map(u32::from)
}

#[inline(always)]
fn load_b<B: DataBus>(bus: &mut B, address: u32) -> Result<u32, FaultKind> {
    bus.load_byte(address).map(u32::from)
}

#[inline(always)]
fn load_sh<B: DataBus>(bus: &mut B, address: u32) -> Result<u32, FaultKind> {
    bus.load_half(address).map(sign_half)
}

#[inline(always)]
fn load_sb<B: DataBus>(bus: &mut B, address: u32) -> Result<u32, FaultKind> {
    bus.load_byte(address).map(sign_byte)
}

/// Writes a base register back.
#[inline(always)]
fn set_base<B: DataBus>(n: Reg, r: &mut Registers, bus: &mut B, value: u32) -> Result<(), FaultKind> {
    if n == Reg::Sp {
        return set_sp(r, bus, value);
    }
    r[n] = value;
    Ok(())
}

/// A store that takes the stack pointer along: the stack's limit is asked before guard zones, which
/// begin below it, and what is written is not below the stack pointer.
#[inline(always)]
fn moves_stack<B: DataBus>(stack: bool, bus: &mut B, value: u32) -> Result<(), FaultKind> {
    if stack {
        bus.stack_pointer(value)?;
    }
    Ok(())
}

#[inline(always)]
fn load_pre<B: DataBus>(
    op: &Op<Code>,
    r: &mut Registers,
    bus: &mut B,
    load: impl Fn(&mut B, u32) -> Result<u32, FaultKind>,
) -> Result<(), FaultKind> {
    let address = offset(op, r);
    let value = load(bus, address)?;
    set_base(op.n, r, bus, address)?;
    r[op.d] = value;
    Ok(())
}

#[inline(always)]
fn load_post<B: DataBus>(
    op: &Op<Code>,
    r: &mut Registers,
    bus: &mut B,
    load: impl Fn(&mut B, u32) -> Result<u32, FaultKind>,
) -> Result<(), FaultKind> {
    let address = r[op.n];
    let value = load(bus, address)?;
    set_base(op.n, r, bus, address.wrapping_add(op.imm))?;
    r[op.d] = value;
    Ok(())
}

/// LDR of SP or PC.
#[inline(never)]
fn load_to<B: DataBus, R>(
    op: &Op<Code>,
    r: &mut Registers,
    bus: &mut B,
    address: u32,
    base: Option<u32>,
) -> Step<R> {
    let value = bus.load_aligned_word(address)?;
    if let Some(base) = base {
        set_base(op.n, r, bus, base)?;
    }
    if op.d == Reg::Pc {
        return interwork(value, 2);
    }
    set_sp(r, bus, value)?;
    Ok(Flow::Next)
}

#[inline(always)]
fn load_dual<B: DataBus>(
    op: &Op<Code>,
    r: &mut Registers,
    bus: &mut B,
    address: u32,
) -> Result<(), FaultKind> {
    let first = bus.load_aligned_word(address)?;
    let second = bus.load_aligned_word(address.wrapping_add(4))?;
    r[op.d] = first;
    r[op.code.a] = second;
    Ok(())
}

#[inline(always)]
fn store_dual<B: DataBus>(op: &Op<Code>, r: &Registers, bus: &mut B, address: u32) -> Result<(), FaultKind> {
    bus.store_aligned_word(address, r[op.d])?;
    bus.store_aligned_word(address.wrapping_add(4), r[op.code.a])
}

/// LDM with any list, PC among it.
#[inline(always)]
fn load_many<B: DataBus, R>(op: &Op<Code>, r: &mut Registers, bus: &mut B, up: bool) -> Step<R> {
    let base = r[op.n];
    let size = 4 * op.imm.count_ones();
    let start = if up { base } else { base.wrapping_sub(size) };
    let end = load_multiple(r, bus, start, op.imm & 0x7fff)?;
    let target = if op.imm & 0x8000 != 0 { Some(bus.load_aligned_word(end)?) } else { None };
    if op.code.s != 0 {
        set_base(op.n, r, bus, if up { base.wrapping_add(size) } else { start })?;
    }
    match target {
        Some(target) => interwork(target, 2),
        None => Ok(Flow::Next),
    }
}
