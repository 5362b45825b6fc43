//! Semantics (DDI 0419, A6.7), one arm per operation.

use pennyweight_machine::{Access, FaultKind};

use super::{Code, Step};
use crate::op::{Flow, Op};
use crate::registers::{Flags, Reg, Registers};
use crate::system::System;
use pennyweight_memory::bus::DataBus;

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
    match op.code {
        Code::MovsImm => {
            f.set_nz(op.imm);
            r[op.d] = op.imm;
        }
        Code::MovsReg => {
            let value = r[op.m];
            f.set_nz(value);
            r[op.d] = value;
        }
        Code::LslsImm => r[op.d] = f.lsl(r[op.m], op.imm),
        Code::LsrsImm => r[op.d] = f.lsr(r[op.m], op.imm),
        Code::AsrsImm => r[op.d] = f.asr(r[op.m], op.imm),
        Code::AddsReg => r[op.d] = f.add(r[op.n], r[op.m]),
        Code::SubsReg => r[op.d] = f.sub(r[op.n], r[op.m]),
        Code::AddsImm => r[op.d] = f.add(r[op.n], op.imm),
        Code::SubsImm => r[op.d] = f.sub(r[op.n], op.imm),
        Code::CmpImm => {
            f.sub(r[op.n], op.imm);
        }
        Code::CmpReg => {
            f.sub(r[op.n], r[op.m]);
        }
        Code::Cmn => {
            f.add(r[op.n], r[op.m]);
        }
        Code::Tst => f.set_nz(r[op.n] & r[op.m]),
        Code::Ands => logic(op, r, f, |a, b| a & b),
        Code::Eors => logic(op, r, f, |a, b| a ^ b),
        Code::Orrs => logic(op, r, f, |a, b| a | b),
        Code::Bics => logic(op, r, f, |a, b| a & !b),
        Code::Mvns => logic(op, r, f, |_, b| !b),
        Code::Muls => {
            let result = r[op.n].wrapping_mul(r[op.d]);
            f.set_nz(result);
            r[op.d] = result;
        }
        Code::LslsReg => shift(op, r, f, Flags::lsl),
        Code::LsrsReg => shift(op, r, f, Flags::lsr),
        Code::AsrsReg => shift(op, r, f, Flags::asr),
        Code::Rors => shift(op, r, f, Flags::ror),
        Code::Adcs => r[op.d] = f.add_with_carry(r[op.d], r[op.m]),
        Code::Sbcs => r[op.d] = f.add_with_carry(r[op.d], !r[op.m]),
        Code::Rsbs => r[op.d] = f.sub(0, r[op.n]),

        Code::Mov => r[op.d] = r[op.m],
        Code::Add => r[op.d] = r[op.d].wrapping_add(r[op.m]),
        Code::Constant => r[op.d] = op.imm,
        Code::AddConstant => r[op.d] = r[op.d].wrapping_add(op.imm),
        Code::MovSp => set_sp(r, bus, r[op.m])?,
        Code::AddSpReg => set_sp(r, bus, r[Reg::Sp].wrapping_add(r[op.m]))?,
        Code::AddSpImm => set_sp(r, bus, r[Reg::Sp].wrapping_add(op.imm))?,
        Code::AddFromSp => r[op.d] = r[Reg::Sp].wrapping_add(op.imm),

        Code::LdrConstant => {
            bus.flash_read();
            r[op.d] = op.imm;
        }
        Code::LdrLiteral => r[op.d] = bus.load_word(op.imm)?,
        Code::LdrImm => r[op.d] = bus.load_word(offset_imm(op, r))?,
        Code::LdrhImm => r[op.d] = u32::from(bus.load_half(offset_imm(op, r))?),
        Code::LdrbImm => r[op.d] = u32::from(bus.load_byte(offset_imm(op, r))?),
        Code::StrImm => bus.store_word(offset_imm(op, r), r[op.d])?,
        Code::StrhImm => bus.store_half(offset_imm(op, r), r[op.d] as u16)?,
        Code::StrbImm => bus.store_byte(offset_imm(op, r), r[op.d] as u8)?,
        Code::LdrReg => r[op.d] = bus.load_word(offset_reg(op, r))?,
        Code::LdrhReg => r[op.d] = u32::from(bus.load_half(offset_reg(op, r))?),
        Code::LdrbReg => r[op.d] = u32::from(bus.load_byte(offset_reg(op, r))?),
        Code::LdrshReg => r[op.d] = sign_half(bus.load_half(offset_reg(op, r))?),
        Code::LdrsbReg => r[op.d] = sign_byte(bus.load_byte(offset_reg(op, r))?),
        Code::StrReg => bus.store_word(offset_reg(op, r), r[op.d])?,
        Code::StrhReg => bus.store_half(offset_reg(op, r), r[op.d] as u16)?,
        Code::StrbReg => bus.store_byte(offset_reg(op, r), r[op.d] as u8)?,

        Code::Ldm => {
            let end = load_multiple(r, bus, r[op.n], op.imm)?;
            if op.imm >> (op.n as u32) & 1 == 0 {
                r[op.n] = end;
            }
        }
        Code::Stm => r[op.n] = store_multiple(r, bus, r[op.n], op.imm)?,
        Code::Push => {
            let sp = r[Reg::Sp].wrapping_sub(4 * op.imm.count_ones());
            bus.stack_pointer(sp)?;
            store_multiple(r, bus, sp, op.imm)?;
            r[Reg::Sp] = sp;
        }
        Code::Pop => {
            let end = load_multiple(r, bus, r[Reg::Sp], op.imm)?;
            set_sp(r, bus, end)?;
        }
        Code::PopPc => {
            let end = load_multiple(r, bus, r[Reg::Sp], op.imm & 0xff)?;
            let target = bus.load_aligned_word(end)?;
            set_sp(r, bus, end.wrapping_add(4))?;
            return interwork(target, 1);
        }

        Code::Sxtb => r[op.d] = sign_byte(r[op.m] as u8),
        Code::Sxth => r[op.d] = sign_half(r[op.m] as u16),
        Code::Uxtb => r[op.d] = r[op.m] & 0xff,
        Code::Uxth => r[op.d] = r[op.m] & 0xffff,
        Code::Rev => r[op.d] = r[op.m].swap_bytes(),
        Code::Rev16 => r[op.d] = r[op.m].swap_bytes().rotate_left(16),
        Code::Revsh => r[op.d] = sign_half((r[op.m] as u16).swap_bytes()),

        Code::Beq => return branch_if(f.z(), op),
        Code::Bne => return branch_if(!f.z(), op),
        Code::Bcs => return branch_if(f.c, op),
        Code::Bcc => return branch_if(!f.c, op),
        Code::Bmi => return branch_if(f.n(), op),
        Code::Bpl => return branch_if(!f.n(), op),
        Code::Bvs => return branch_if(f.v, op),
        Code::Bvc => return branch_if(!f.v, op),
        Code::Bhi => return branch_if(f.c && !f.z(), op),
        Code::Bls => return branch_if(!f.c || f.z(), op),
        Code::Bge => return branch_if(f.n() == f.v, op),
        Code::Blt => return branch_if(f.n() != f.v, op),
        Code::Bgt => return branch_if(!f.z() && f.n() == f.v, op),
        Code::Ble => return branch_if(f.z() || f.n() != f.v, op),

        Code::B => return Ok(Flow::Go(op.imm, 1)),
        Code::Bl => {
            r[Reg::Lr] = pc.wrapping_add(4) | 1;
            return Ok(Flow::Go(op.imm, 2));
        }
        Code::Bx => return interwork(r[op.m], 1),
        Code::Blx => {
            let target = r[op.m];
            r[Reg::Lr] = pc.wrapping_add(2) | 1;
            return interwork(target, 1);
        }
        Code::MovPc => return Ok(Flow::Go(r[op.m] & !1, 1)),
        Code::AddPc => return Ok(Flow::Go(r[op.m].wrapping_add(op.imm) & !1, 1)),

        Code::Mrs => {
            r[op.d] = system.read(op.imm, r, f);
            return Ok(Flow::NextWide);
        }
        Code::Msr => {
            let (mut new_flags, old_sp) = (*f, r[Reg::Sp]);
            let sp = system.write(op.imm, r[op.n], old_sp, &mut new_flags);
            *f = new_flags;
            if sp != old_sp {
                set_sp(r, bus, sp)?;
            }
            return Ok(Flow::NextWide);
        }
        Code::Barrier => return Ok(Flow::NextWide),
        Code::Cps => system.primask = op.imm != 0,
        Code::Nop => {}
        Code::Sev => system.event = true,
        Code::Wfe if system.event => system.event = false,
        Code::Wfe | Code::Wfi => return Err(FaultKind::Asleep),
        Code::Trap => return Err(FaultKind::Trap { opcode: op.imm }),
        Code::Undefined => return Err(FaultKind::Undefined { opcode: op.imm }),
        Code::Leave => return Ok(Flow::Leave),

        Code::AddReg => r[op.d] = r[op.n].wrapping_add(r[op.m]),
        Code::SubReg => r[op.d] = r[op.n].wrapping_sub(r[op.m]),
        Code::AddImm => r[op.d] = r[op.n].wrapping_add(op.imm),
        Code::LslImm => r[op.d] = r[op.m] << (op.imm & 31),
        Code::LsrImm => r[op.d] = (u64::from(r[op.m]) >> (op.imm & 63)) as u32,
        Code::AsrImm => r[op.d] = (r[op.m] as i32 >> (op.imm & 31)) as u32,
        Code::LslReg => r[op.d] = (u64::from(r[op.d]) << (r[op.m] & 0xff).min(63)) as u32,
        Code::LsrReg => r[op.d] = (u64::from(r[op.d]) >> (r[op.m] & 0xff).min(63)) as u32,
        Code::Ror => r[op.d] = r[op.d].rotate_right(r[op.m] & 31),
        Code::And => r[op.d] &= r[op.m],
        Code::Eor => r[op.d] ^= r[op.m],
        Code::Orr => r[op.d] |= r[op.m],
        Code::Bic => r[op.d] &= !r[op.m],
        Code::Mvn => r[op.d] = !r[op.m],
        Code::Mul => r[op.d] = r[op.n].wrapping_mul(r[op.d]),
        Code::Neg => r[op.d] = r[op.n].wrapping_neg(),
        Code::Adc => r[op.d] = r[op.d].wrapping_add(r[op.m]).wrapping_add(u32::from(f.c)),
        Code::Sbc => r[op.d] = r[op.d].wrapping_sub(r[op.m]).wrapping_sub(u32::from(!f.c)),
    }
    Ok(Flow::Next)
}

#[inline(always)]
fn logic(op: &Op<Code>, r: &mut Registers, f: &mut Flags, combine: impl Fn(u32, u32) -> u32) {
    let result = combine(r[op.d], r[op.m]);
    f.set_nz(result);
    r[op.d] = result;
}

/// Shift by the low byte of a register: by 0 the carry stays, and 63 has the effect of any larger amount.
#[inline(always)]
fn shift(op: &Op<Code>, r: &mut Registers, f: &mut Flags, by: impl Fn(&mut Flags, u32, u32) -> u32) {
    let (value, amount) = (r[op.d], r[op.m] & 0xff);
    if amount == 0 {
        f.set_nz(value);
    } else if op.code == Code::Rors {
        r[op.d] = by(f, value, amount);
    } else {
        r[op.d] = by(f, value, amount.min(63));
    }
}

#[inline(always)]
fn offset_imm(op: &Op<Code>, r: &Registers) -> u32 {
    r[op.n].wrapping_add(op.imm)
}

#[inline(always)]
fn offset_reg(op: &Op<Code>, r: &Registers) -> u32 {
    r[op.n].wrapping_add(r[op.m])
}

#[inline(always)]
pub fn sign_half(value: u16) -> u32 {
    i32::from(value as i16) as u32
}

#[inline(always)]
pub fn sign_byte(value: u8) -> u32 {
    i32::from(value as i8) as u32
}

#[inline(always)]
fn branch_if<R>(condition: bool, op: &Op<Code>) -> Step<R> {
    Ok(if condition { Flow::Taken(op.imm, 1) } else { Flow::Next })
}

/// BX and BLX: bit 0 selects the Thumb state, the only one there is (DDI 0419, A4.1.1).
#[inline(always)]
pub fn interwork<R>(target: u32, width: u32) -> Step<R> {
    if target & 1 == 0 {
        return Err(FaultKind::Unmapped { address: target, size: 2, access: Access::Execute });
    }
    Ok(Flow::Go(target & !1, width))
}

/// SP is a multiple of four always (DDI 0419, B1.4.1).
#[inline(always)]
pub fn set_sp<B: DataBus>(r: &mut Registers, bus: &mut B, value: u32) -> Result<(), FaultKind> {
    let value = value & !3;
    bus.stack_pointer(value)?;
    r[Reg::Sp] = value;
    Ok(())
}

/// Loads the registers of `list` from ascending addresses; returns the address after the last.
#[inline(always)]
pub fn load_multiple<B: DataBus>(
    r: &mut Registers,
    bus: &mut B,
    mut address: u32,
    mut list: u32,
) -> Result<u32, FaultKind> {
    while list != 0 {
        r[Reg::from_bits(list.trailing_zeros())] = bus.load_aligned_word(address)?;
        address = address.wrapping_add(4);
        list &= list - 1;
    }
    Ok(address)
}

/// Stores the registers of `list` at ascending addresses; returns the address after the last.
#[inline(always)]
pub fn store_multiple<B: DataBus>(
    r: &Registers,
    bus: &mut B,
    mut address: u32,
    mut list: u32,
) -> Result<u32, FaultKind> {
    while list != 0 {
        bus.store_aligned_word(address, r[Reg::from_bits(list.trailing_zeros())])?;
        address = address.wrapping_add(4);
        list &= list - 1;
    }
    Ok(address)
}
