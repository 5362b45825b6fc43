//! What each instruction does to registers, flags and memory, apart from where it leads.
//!
//! One method per instruction or family of them, named after it, all of one signature. They are inlined
//! into the loop in `execute`, alone and in sequences (see `fuse`); those that cannot fault return `Ok`
//! in any case, which costs nothing there.

use pennyweight_machine::guard::Watch;
use pennyweight_machine::{Access, FaultKind};

use crate::cpu::{io, Cpu};
use crate::flags::Flags;
use crate::op::{Code, Op};
use crate::timing::LOW_FLASH;

type Done = Result<(), FaultKind>;

macro_rules! binary {
    ($($name:ident)*) => {$(
        #[inline(always)]
        pub fn $name(&mut self, op: &Op) -> Done {
            let result = self.flags.$name(self.reg(op.a), self.reg(op.b));
            self.set(op.a, result);
            Ok(())
        }
    )*};
}

macro_rules! unary {
    ($($name:ident)*) => {$(
        #[inline(always)]
        pub fn $name(&mut self, op: &Op) -> Done {
            let result = self.flags.$name(self.reg(op.a));
            self.set(op.a, result);
            Ok(())
        }
    )*};
}

impl<W: Watch, const XT: bool> Cpu<'_, W, XT> {
    binary! { add adc sub sbc }
    unary! { com inc dec asr lsr ror }

    #[inline(always)]
    pub fn and(&mut self, op: &Op) -> Done {
        let result = self.flags.logic(self.reg(op.a) & self.reg(op.b));
        self.set(op.a, result);
        Ok(())
    }

    #[inline(always)]
    pub fn or(&mut self, op: &Op) -> Done {
        let result = self.flags.logic(self.reg(op.a) | self.reg(op.b));
        self.set(op.a, result);
        Ok(())
    }

    #[inline(always)]
    pub fn eor(&mut self, op: &Op) -> Done {
        let result = self.flags.logic(self.reg(op.a) ^ self.reg(op.b));
        self.set(op.a, result);
        Ok(())
    }

    #[inline(always)]
    pub fn cp(&mut self, op: &Op) -> Done {
        self.flags.sub(self.reg(op.a), self.reg(op.b));
        Ok(())
    }

    #[inline(always)]
    pub fn cpc(&mut self, op: &Op) -> Done {
        self.flags.sbc(self.reg(op.a), self.reg(op.b));
        Ok(())
    }

    #[inline(always)]
    pub fn mov(&mut self, op: &Op) -> Done {
        self.set(op.a, self.reg(op.b));
        Ok(())
    }

    #[inline(always)]
    pub fn movw(&mut self, op: &Op) -> Done {
        let (low, high) = (self.reg(op.b), self.reg(op.b | 1));
        self.set(op.a, low);
        self.set(op.a | 1, high);
        Ok(())
    }

    #[inline(always)]
    pub fn mul(&mut self, op: &Op) -> Done {
        let product = u16::from(self.reg(op.a)) * u16::from(self.reg(op.b));
        let result = self.flags.mul(product);
        self.set_pair(0, result);
        Ok(())
    }

    /// MULS, MULSU, FMUL, FMULS, FMULSU.
    pub fn multiply(&mut self, op: &Op) -> Done {
        let (a, b) = (self.reg(op.a), self.reg(op.b));
        let (signed_a, signed_b) = (i16::from(a as i8), i16::from(b as i8));
        let product = match op.code {
            Code::Muls | Code::Fmuls => signed_a.wrapping_mul(signed_b) as u16,
            Code::Mulsu | Code::Fmulsu => signed_a.wrapping_mul(i16::from(b)) as u16,
            _ => u16::from(a) * u16::from(b),
        };
        let result = match op.code {
            Code::Muls | Code::Mulsu => self.flags.mul(product),
            _ => self.flags.fmul(product),
        };
        self.set_pair(0, result);
        Ok(())
    }

    #[inline(always)]
    pub fn cpi(&mut self, op: &Op) -> Done {
        self.flags.sub(self.reg(op.a), op.b);
        Ok(())
    }

    #[inline(always)]
    pub fn subi(&mut self, op: &Op) -> Done {
        let result = self.flags.sub(self.reg(op.a), op.b);
        self.set(op.a, result);
        Ok(())
    }

    #[inline(always)]
    pub fn sbci(&mut self, op: &Op) -> Done {
        let result = self.flags.sbc(self.reg(op.a), op.b);
        self.set(op.a, result);
        Ok(())
    }

    #[inline(always)]
    pub fn ori(&mut self, op: &Op) -> Done {
        let result = self.flags.logic(self.reg(op.a) | op.b);
        self.set(op.a, result);
        Ok(())
    }

    #[inline(always)]
    pub fn andi(&mut self, op: &Op) -> Done {
        let result = self.flags.logic(self.reg(op.a) & op.b);
        self.set(op.a, result);
        Ok(())
    }

    #[inline(always)]
    pub fn ldi(&mut self, op: &Op) -> Done {
        self.set(op.a, op.b);
        Ok(())
    }

    #[inline(always)]
    pub fn adiw(&mut self, op: &Op) -> Done {
        let result = self.flags.adiw(self.pair(op.a), op.b);
        self.set_pair(op.a, result);
        Ok(())
    }

    #[inline(always)]
    pub fn sbiw(&mut self, op: &Op) -> Done {
        let result = self.flags.sbiw(self.pair(op.a), op.b);
        self.set_pair(op.a, result);
        Ok(())
    }

    #[inline(always)]
    pub fn neg(&mut self, op: &Op) -> Done {
        let result = self.flags.sub(0, self.reg(op.a));
        self.set(op.a, result);
        Ok(())
    }

    #[inline(always)]
    pub fn swap(&mut self, op: &Op) -> Done {
        self.set(op.a, self.reg(op.a).rotate_left(4));
        Ok(())
    }

    #[inline(always)]
    pub fn bst(&mut self, op: &Op) -> Done {
        let t = if self.reg(op.a) & op.b == 0 { 0 } else { 0x40 };
        self.flags.it = self.flags.it & 0x80 | t;
        Ok(())
    }

    #[inline(always)]
    pub fn bld(&mut self, op: &Op) -> Done {
        let t = if self.flags.it & 0x40 == 0 { 0 } else { op.b };
        self.set(op.a, self.reg(op.a) & !op.b | t);
        Ok(())
    }

    /// BSET and BCLR of any bit.
    #[inline(always)]
    pub fn write_sreg(&mut self, op: &Op) -> Done {
        let sreg = self.flags.sreg();
        self.flags = Flags::from_sreg(if op.code == Code::Bset { sreg | op.b } else { sreg & !op.b });
        Ok(())
    }

    /// LD without change of the pointer, LDD.
    #[inline(always)]
    pub fn ld(&mut self, op: &Op) -> Done {
        let address = self.pair(op.b).wrapping_add(u16::from(op.c));
        let value = self.load(address)?;
        self.set(op.a, value);
        Ok(())
    }

    #[inline(always)]
    pub fn ld_inc(&mut self, op: &Op) -> Done {
        let address = self.pair(op.b);
        let value = self.load(address)?;
        self.set_pair(op.b, address.wrapping_add(1));
        self.set(op.a, value);
        Ok(())
    }

    #[inline(always)]
    pub fn ld_dec(&mut self, op: &Op) -> Done {
        let address = self.pair(op.b).wrapping_sub(1);
        let value = self.load(address)?;
        self.set_pair(op.b, address);
        self.set(op.a, value);
        Ok(())
    }

    /// ST without change of the pointer, STD.
    #[inline(always)]
    pub fn st(&mut self, op: &Op) -> Done {
        let address = self.pair(op.b).wrapping_add(u16::from(op.c));
        self.store(address, self.reg(op.a))
    }

    #[inline(always)]
    pub fn st_inc(&mut self, op: &Op) -> Done {
        let address = self.pair(op.b);
        self.store(address, self.reg(op.a))?;
        self.set_pair(op.b, address.wrapping_add(1));
        Ok(())
    }

    #[inline(always)]
    pub fn st_dec(&mut self, op: &Op) -> Done {
        let address = self.pair(op.b).wrapping_sub(1);
        self.store(address, self.reg(op.a))?;
        self.set_pair(op.b, address);
        Ok(())
    }

    /// LDS and IN.
    #[inline(always)]
    pub fn lds(&mut self, op: &Op) -> Done {
        let value = self.load(op.imm as u16)?;
        self.set(op.a, value);
        Ok(())
    }

    /// STS and OUT.
    #[inline(always)]
    pub fn sts(&mut self, op: &Op) -> Done {
        self.store(op.imm as u16, self.reg(op.a))
    }

    #[inline(always)]
    pub fn sbi(&mut self, op: &Op) -> Done {
        let value = self.load(op.imm as u16)? | op.b;
        self.store(op.imm as u16, value)
    }

    #[inline(always)]
    pub fn cbi(&mut self, op: &Op) -> Done {
        let value = self.load(op.imm as u16)? & !op.b;
        self.store(op.imm as u16, value)
    }

    #[inline(always)]
    pub fn lpm(&mut self, op: &Op) -> Done {
        let value = self.flash_byte(self.pair(30).into())?;
        self.set(op.a, value);
        Ok(())
    }

    #[inline(always)]
    pub fn lpm_inc(&mut self, op: &Op) -> Done {
        let address = self.pair(30);
        let value = self.flash_byte(address.into())?;
        self.set_pair(30, address.wrapping_add(1));
        self.set(op.a, value);
        Ok(())
    }

    /// ELPM in all forms: the address is RAMPZ:Z.
    #[inline(always)]
    pub fn elpm(&mut self, op: &Op) -> Done {
        let address = self.far_address();
        let value = self.flash_byte(address)?;
        if op.code == Code::ElpmInc {
            let next = address + 1;
            self.set_pair(30, next as u16);
            self.data[usize::from(io::RAMPZ)] = (next >> 16) as u8;
        }
        self.set(op.a, value);
        Ok(())
    }

    /// SPM: flash is not writable while a program is measured.
    #[cold]
    pub fn spm(&mut self, _: &Op) -> Done {
        let far = self.flash.len() > LOW_FLASH;
        Err(FaultKind::FlashWrite { address: if far { self.far_address() } else { self.pair(30).into() } })
    }

    #[inline(always)]
    fn far_address(&self) -> u32 {
        u32::from(self.data[usize::from(io::RAMPZ)]) << 16 | u32::from(self.pair(30))
    }

    #[inline(always)]
    pub fn push(&mut self, op: &Op) -> Done {
        self.push_byte(self.reg(op.a))
    }

    #[inline(always)]
    pub fn pop(&mut self, op: &Op) -> Done {
        let value = self.pop_byte()?;
        self.set(op.a, value);
        Ok(())
    }

    /// A byte of flash.
    #[inline(always)]
    fn flash_byte(&self, address: u32) -> Result<u8, FaultKind> {
        if !self.watch.may_read(address, 1) {
            return Err(FaultKind::Guard { address, size: 1, access: Access::Read });
        }
        match self.flash.get(address as usize) {
            Some(&byte) => Ok(byte),
            None => Err(FaultKind::Unmapped { address, size: 1, access: Access::Read }),
        }
    }
}
