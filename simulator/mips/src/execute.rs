//! Semantics (MD00086, chapter 3), one arm per operation.

use pennyweight_machine::{Access, FaultKind};
use pennyweight_memory::bus::DataBus;

use crate::frame::Frame;
use crate::op::{Code, Flow, Op, Reg, Registers};

/// What instructions change apart from the general registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extra {
    /// HI and LO.
    pub high_low: u64,
    /// Status of coprocessor 0: only IE, its lowest bit, is kept (MD00090, "Status Register"). There are
    /// no interrupts.
    pub status: u32,
    /// The address that LL has linked.
    pub linked: Option<u32>,
}

type Step = Result<Flow, FaultKind>;

/// Executes `op`, of which `back` is the return address if it calls.
#[inline(always)]
pub fn execute<B: DataBus>(
    op: &Op,
    back: u32,
    r: &mut Registers,
    extra: &mut Extra,
    bus: &mut B,
    fault: &mut FaultKind,
) -> Flow {
    step(op, back, r, extra, bus).unwrap_or_else(|kind| {
        *fault = kind;
        Flow::Fault
    })
}

#[inline(always)]
#[allow(clippy::too_many_lines)] // One match is what makes the loop fast; each arm is a line or two.
fn step<B: DataBus>(op: &Op, back: u32, r: &mut Registers, extra: &mut Extra, bus: &mut B) -> Step {
    let (s, t, imm) = (r[op.s], r[op.t], op.imm);
    let i = |x: u32| x as i32;
    let address = s.wrapping_add(imm);
    let value = match op.code {
        Code::Constant => imm,
        Code::Addu => s.wrapping_add(t),
        Code::Addiu => address,
        Code::Add => i(s).checked_add(i(t)).ok_or(TRAP)? as u32,
        Code::Addi => i(s).checked_add(i(imm)).ok_or(TRAP)? as u32,
        Code::Subu => s.wrapping_sub(t),
        Code::Sub => i(s).checked_sub(i(t)).ok_or(TRAP)? as u32,
        Code::And => s & t,
        Code::Andi => s & imm,
        Code::Or => s | t,
        Code::Ori => s | imm,
        Code::Xor => s ^ t,
        Code::Xori => s ^ imm,
        Code::Nor => !(s | t),
        Code::Slt => u32::from(i(s) < i(t)),
        Code::Slti => u32::from(i(s) < i(imm)),
        Code::Sltu => u32::from(s < t),
        Code::Sltiu => u32::from(s < imm),
        Code::Sll => t << (imm & 31),
        Code::Srl => t >> (imm & 31),
        Code::Sra => (i(t) >> (imm & 31)) as u32,
        Code::Rotr => t.rotate_right(imm & 31),
        Code::Sllv => t << (s & 31),
        Code::Srlv => t >> (s & 31),
        Code::Srav => (i(t) >> (s & 31)) as u32,
        Code::Rotrv => t.rotate_right(s & 31),
        Code::Clz => s.leading_zeros(),
        Code::Clo => s.leading_ones(),
        Code::Seb => i32::from(s as i8) as u32,
        Code::Seh => i32::from(s as i16) as u32,
        Code::Wsbh => s.swap_bytes().rotate_left(16),
        Code::Ext => s >> (imm & 31) & mask(imm),
        Code::Ins => {
            let bits = mask(imm) << (imm & 31);
            t & !bits | s << (imm & 31) & bits
        }
        Code::Movz => {
            if t != 0 {
                return Ok(Flow::Next);
            }
            s
        }
        Code::Movn => {
            if t == 0 {
                return Ok(Flow::Next);
            }
            s
        }
        Code::Mul => s.wrapping_mul(t),
        Code::Mfhi => (extra.high_low >> 32) as u32,
        Code::Mflo => extra.high_low as u32,
        Code::FromStatus => extra.status,
        Code::Di => std::mem::replace(&mut extra.status, 0),
        Code::Ei => std::mem::replace(&mut extra.status, 1),

        Code::Lb => i32::from(bus.load_byte(address)? as i8) as u32,
        Code::Lbu => bus.load_byte(address)?.into(),
        Code::Lh => i32::from(bus.load_half(address)? as i16) as u32,
        Code::Lhu => bus.load_half(address)?.into(),
        Code::Lw => bus.load_word(address)?,
        Code::Ll => {
            let value = bus.load_word(address)?;
            extra.linked = Some(address);
            value
        }
        Code::Lwl | Code::Lwr => return unaligned(op, address, r, bus),
        Code::Swl | Code::Swr => return unaligned(op, address, r, bus),

        Code::Sc => {
            if address & 3 != 0 {
                return Err(FaultKind::Unaligned { address, size: 4, access: Access::Write });
            }
            let linked = extra.linked.take() == Some(address);
            if linked {
                bus.store_word(address, t)?;
            }
            u32::from(linked)
        }
        _ => return rest(op, back, r, extra, bus),
    };
    r[op.d] = value;
    if op.d == Reg::SP {
        bus.stack_pointer(value)?;
    }
    Ok(Flow::Next)
}

/// Instructions without a result in a register, except a return address.
#[inline(always)]
fn rest<B: DataBus>(op: &Op, back: u32, r: &mut Registers, extra: &mut Extra, bus: &mut B) -> Step {
    let (s, t, imm) = (r[op.s], r[op.t], op.imm);
    let i = |x: u32| x as i32;
    let address = s.wrapping_add(imm);
    let product = || u64::from(s) * u64::from(t);
    let signed = || (i64::from(i(s)) * i64::from(i(t))) as u64;
    match op.code {
        Code::Sb => bus.store_byte(address, t as u8)?,
        Code::Sh => bus.store_half(address, t as u16)?,
        Code::Sw => bus.store_word(address, t)?,

        Code::Beq => return branch(s == t, imm),
        Code::Bne => return branch(s != t, imm),
        Code::Blez => return branch(i(s) <= 0, imm),
        Code::Bgtz => return branch(i(s) > 0, imm),
        Code::Bltz => return branch(i(s) < 0, imm),
        Code::Bgez => return branch(i(s) >= 0, imm),
        Code::Beql => return likely(s == t, imm),
        Code::Bnel => return likely(s != t, imm),
        Code::Blezl => return likely(i(s) <= 0, imm),
        Code::Bgtzl => return likely(i(s) > 0, imm),
        Code::Bltzl => return likely(i(s) < 0, imm),
        Code::Bgezl => return likely(i(s) >= 0, imm),
        // The return address is written whether the branch is taken or not.
        Code::Bltzal | Code::Bgezal | Code::Bltzall | Code::Bgezall => {
            r[Reg::RA] = back;
            return match op.code {
                Code::Bltzal => branch(i(s) < 0, imm),
                Code::Bgezal => branch(i(s) >= 0, imm),
                Code::Bltzall => likely(i(s) < 0, imm),
                _ => likely(i(s) >= 0, imm),
            };
        }
        Code::J => return Ok(Flow::To(imm)),
        Code::Jal | Code::Jalx => {
            r[Reg::RA] = back;
            return Ok(Flow::To(imm));
        }
        Code::Jr => return Ok(Flow::To(s)),
        Code::Jalr => {
            r[op.d] = back;
            return Ok(Flow::To(s));
        }

        Code::Save => Frame::unpack(imm).save(r, bus)?,
        Code::Restore => Frame::unpack(imm).restore(r, bus)?,

        Code::Mult => extra.high_low = signed(),
        Code::Multu => extra.high_low = product(),
        Code::Madd => extra.high_low = extra.high_low.wrapping_add(signed()),
        Code::Maddu => extra.high_low = extra.high_low.wrapping_add(product()),
        Code::Msub => extra.high_low = extra.high_low.wrapping_sub(signed()),
        Code::Msubu => extra.high_low = extra.high_low.wrapping_sub(product()),
        // By zero the result is whatever: nothing changes here.
        Code::Div if t != 0 => {
            let (quotient, remainder) = (i(s).wrapping_div(i(t)), i(s).wrapping_rem(i(t)));
            extra.high_low = u64::from(remainder as u32) << 32 | u64::from(quotient as u32);
        }
        Code::Divu if t != 0 => extra.high_low = u64::from(s % t) << 32 | u64::from(s / t),
        Code::Mthi => extra.high_low = u64::from(s) << 32 | u64::from(extra.high_low as u32),
        Code::Mtlo => extra.high_low = extra.high_low >> 32 << 32 | u64::from(s),

        Code::Tge => trap(i(s) >= i(t))?,
        Code::Tgei => trap(i(s) >= i(imm))?,
        Code::Tgeu => trap(s >= t)?,
        Code::Tgeiu => trap(s >= imm)?,
        Code::Tlt => trap(i(s) < i(t))?,
        Code::Tlti => trap(i(s) < i(imm))?,
        Code::Tltu => trap(s < t)?,
        Code::Tltiu => trap(s < imm)?,
        Code::Teq => trap(s == t)?,
        Code::Teqi => trap(s == imm)?,
        Code::Tne => trap(s != t)?,
        Code::Tnei => trap(s != imm)?,
        Code::Trap => return Err(FaultKind::Trap { opcode: imm }),
        Code::ToStatus => extra.status = t & 1,
        Code::Wait => return Err(FaultKind::Asleep),
        Code::Undefined => return Err(FaultKind::Undefined { opcode: imm }),
        _ => {}
    }
    Ok(Flow::Next)
}

/// An exception that a program's instruction asks for.
const TRAP: FaultKind = FaultKind::Trap { opcode: 0 };

fn trap(condition: bool) -> Result<(), FaultKind> {
    if condition {
        Err(TRAP)
    } else {
        Ok(())
    }
}

#[inline(always)]
fn branch(condition: bool, target: u32) -> Step {
    Ok(if condition { Flow::To(target) } else { Flow::Next })
}

#[inline(always)]
fn likely(condition: bool, target: u32) -> Step {
    Ok(if condition { Flow::To(target) } else { Flow::Skip })
}

/// As many ones as EXT and INS move bits.
#[inline(always)]
fn mask(imm: u32) -> u32 {
    u32::MAX >> (32 - (imm >> 8)).min(31)
}

/// LWL, LWR, SWL, SWR, little-endian: the bytes from the word's start up to `address`, to or from the
/// register's upper end; or those from `address` to the word's end, to or from its lower end. Only
/// these bytes are accessed.
#[inline(never)]
fn unaligned<B: DataBus>(op: &Op, address: u32, r: &mut Registers, bus: &mut B) -> Step {
    let place = address & 3;
    let left = matches!(op.code, Code::Lwl | Code::Swl);
    let (first, count, shift) =
        if left { (address & !3, place + 1, 8 * (3 - place)) } else { (address, 4 - place, 0) };
    if matches!(op.code, Code::Swl | Code::Swr) {
        let bytes = (r[op.t] >> shift).to_le_bytes();
        for (byte, place) in bytes.into_iter().zip(0..count) {
            bus.store_byte(first.wrapping_add(place), byte)?;
        }
        return Ok(Flow::Next);
    }
    let mut bytes = (r[op.t] >> shift).to_le_bytes();
    for (byte, place) in bytes.iter_mut().zip(0..count) {
        *byte = bus.load_byte(first.wrapping_add(place))?;
    }
    let loaded = u32::from_le_bytes(bytes) << shift;
    let kept = if shift == 0 { 0 } else { r[op.t] & ((1 << shift) - 1) };
    let value = loaded | kept;
    r[op.d] = value;
    if op.d == Reg::SP {
        bus.stack_pointer(value)?;
    }
    Ok(Flow::Next)
}
