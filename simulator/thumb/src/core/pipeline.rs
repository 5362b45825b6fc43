//! The pipeline that Cortex-M3 and Cortex-M4 share: three stages, loads and stores that overlap
//! with their neighbours.
//!
//! References: Cortex-M3 r2p1 Technical Reference Manual (Arm DDI 0337), section 3.3 and 18.3;
//! Cortex-M4 r0p1 Technical Reference Manual (Arm DDI 0439), section 3.3 (table 3-1 and 3.3.3
//! "Load/store timings"); and what was measured on STM32F103 and STM32F407 (jnk0le/random,
//! "pipeline cycle test", doc/cortex_m3m4.md), here called \[j\].

use crate::op::Op;
use crate::registers::Reg;
use crate::v6m::Code as V6;
use crate::v7m::{Code, Kind};

/// Words of code in the prefetch unit's FIFO (DDI 0337G, 1.4).
pub const FETCHED_AHEAD: u32 = 3;

/// What an instruction means for its neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// A load of one register.
    pub load: bool,
    /// A store of one register.
    pub store: bool,
    /// A load of several registers.
    pub load_multiple: bool,
    /// Writes its base back.
    pub indexed: bool,
    /// Its address is a sum of two registers.
    pub register_offset: bool,
    /// Registers that form its address, as bits.
    pub address: u16,
}

fn bit(reg: Reg) -> u16 {
    // PC as a base is a constant.
    if reg == Reg::Pc {
        0
    } else {
        1 << (reg as u16)
    }
}

/// What `op` means for its neighbours.
pub fn facts(op: &Op<Code>) -> Facts {
    use Kind as K;
    let load = Facts { load: true, address: bit(op.n), ..Facts::default() };
    let load_reg = Facts { address: bit(op.n) | bit(op.m), register_offset: true, ..load };
    let load_back = Facts { indexed: true, ..load };
    let store = Facts { load: false, store: true, ..load };
    let store_reg = Facts { load: false, store: true, ..load_reg };
    let store_back = Facts { indexed: true, ..store };
    match op.code.kind {
        K::Base(V6::LdrConstant | V6::LdrLiteral) => Facts { load: true, ..Facts::default() },
        K::Base(V6::LdrImm | V6::LdrhImm | V6::LdrbImm) | K::LdrshImm | K::LdrsbImm => load,
        K::Base(V6::LdrReg | V6::LdrhReg | V6::LdrbReg | V6::LdrshReg | V6::LdrsbReg) => load_reg,
        K::LdrSh | K::LdrhSh | K::LdrbSh | K::LdrshSh | K::LdrsbSh => load_reg,
        K::LdrPre | K::LdrhPre | K::LdrbPre | K::LdrshPre | K::LdrsbPre => load_back,
        K::LdrPost | K::LdrhPost | K::LdrbPost | K::LdrshPost | K::LdrsbPost => load_back,
        K::Base(V6::StrImm | V6::StrhImm | V6::StrbImm) => store,
        K::Base(V6::StrReg | V6::StrhReg | V6::StrbReg) => store_reg,
        K::StrSh | K::StrhSh | K::StrbSh => store_reg,
        K::StrPre | K::StrhPre | K::StrbPre | K::StrPost | K::StrhPost | K::StrbPost => store_back,
        K::Base(V6::Ldm | V6::Pop | V6::PopPc) | K::LdmIa | K::LdmDb => {
            Facts { load_multiple: true, ..Facts::default() }
        }
        K::Ldrd | K::LdrdPre | K::LdrdPost => Facts { load_multiple: true, ..Facts::default() },
        _ => Facts::default(),
    }
}

/// Cycles that both cores take alike; multiplications are not among them.
pub fn cycles(op: &Op<Code>) -> u32 {
    use Kind as K;
    let several = 1 + op.imm.count_ones();
    let Facts { load, store, register_offset, .. } = facts(op);
    match op.code.kind {
        _ if load => 2,
        // The write buffer takes a store; one with two address registers needs a second cycle to
        // read the third [j].
        _ if store => 1 + u32::from(register_offset),
        K::Base(V6::Ldm | V6::Stm | V6::Push | V6::Pop) | K::StmIa | K::StmDb => several,
        K::LdmIa | K::LdmDb if op.imm & 0x8000 == 0 => several,
        // A load of PC refills the pipeline when the address has arrived.
        K::Base(V6::PopPc) | K::LdmIa | K::LdmDb => several + 2,
        K::LdrToImm | K::LdrToSh | K::LdrToPre | K::LdrToPost if op.d == Reg::Pc => 4,
        K::LdrToImm | K::LdrToSh | K::LdrToPre | K::LdrToPost => 2,
        K::Ldrd | K::LdrdPre | K::LdrdPost | K::Strd | K::StrdPre | K::StrdPost => 3,
        K::Ldrex | K::Ldrexh | K::Ldrexb | K::Strex | K::Strexh | K::Strexb => 2,
        // P = 1: the target of a branch by an offset, or to what LR holds, is fetched from the decode
        // stage. Other targets are known a cycle later (DDI 0337G, table 15-3).
        K::Base(V6::B | V6::Bl) => 2,
        _ if returns(op) => 2,
        K::Base(V6::Bx | V6::Blx | V6::MovPc | V6::AddPc) => 3,
        K::Tbb | K::Tbh => 4,
        // Never executed to the end.
        K::Base(V6::Wfi | V6::Trap | V6::Undefined | V6::Leave) => 0,
        _ => 1,
    }
}

/// Cycles that a conditional branch takes more when it is taken: CBZ and CBNZ fetch their target from
/// the execute stage, the others from the decode stage (DDI 0337G, table 15-3).
#[inline(always)]
pub fn taken(op: &Op<Code>) -> u32 {
    match op.code.kind {
        Kind::Cbz | Kind::Cbnz => 2,
        _ => 1,
    }
}

/// Does `op` branch to what LR holds?
fn returns(op: &Op<Code>) -> bool {
    matches!(op.code.kind, Kind::Base(V6::Bx | V6::Blx | V6::MovPc)) && op.m == Reg::Lr
}

/// Does `op`, which does not branch, write LR?
fn writes_link(op: &Op<Code>) -> bool {
    use Kind as K;
    match op.code.kind {
        K::LdmIa | K::LdmDb => op.imm & 0x4000 != 0,
        K::Ldrd | K::LdrdPre | K::LdrdPost => op.d == Reg::Lr || op.code.a == Reg::Lr,
        K::Strd | K::StrdPre | K::StrdPost => false,
        _ => op.d == Reg::Lr && !facts(op).store,
    }
}

/// Cycles added to an instruction by the one behind it.
pub fn overlap(op: &Op<Code>, next: &Op<Code>, indexed_loads_chain: bool) -> i32 {
    // A branch to LR finds it being written, and its target a cycle later.
    if returns(next) && writes_link(op) {
        return 1;
    }
    let (this, after) = (facts(op), facts(next));
    if this.load {
        // Its data phase overlaps with the address phase of the next instruction.
        let mut busy = bit(op.d);
        if this.indexed {
            busy |= bit(op.n);
        }
        let chains = (after.load && (indexed_loads_chain || !after.indexed) || after.store)
            && after.address & busy == 0;
        // So it does with a NOP [j].
        let hint = matches!(next.code.kind, Kind::Base(V6::Nop) | Kind::Hint);
        return if chains || hint { -1 } else { 0 };
    }
    if this.store {
        if after.load || after.load_multiple {
            // A load waits for the write before it [j].
            return i32::from(!this.register_offset);
        }
        if this.indexed && after.store && after.indexed && op.n == next.n {
            return 1;
        }
        if this.register_offset && matches!(next.code.kind, Kind::Base(V6::Nop) | Kind::Hint) {
            return -1;
        }
    }
    // An IT instruction is folded into a 16-bit instruction before it (DDI 0337, 1.2).
    let plain = !this.store && op.code.width == 1 && cycles(op) == 1;
    if next.code.kind == Kind::It && plain && !is_flow(op) {
        return -1;
    }
    0
}

/// May `op` go elsewhere than to the next instruction?
fn is_flow(op: &Op<Code>) -> bool {
    matches!(
        op.code.kind,
        Kind::Cbz
            | Kind::Cbnz
            | Kind::It
            | Kind::Base(
                V6::Beq
                    | V6::Bne
                    | V6::Bcs
                    | V6::Bcc
                    | V6::Bmi
                    | V6::Bpl
                    | V6::Bvs
                    | V6::Bvc
                    | V6::Bhi
                    | V6::Bls
                    | V6::Bge
                    | V6::Blt
                    | V6::Bgt
                    | V6::Ble
            )
    )
}

/// Cycles that a branch waits for the second half of a 32-bit target that is not in one word.
pub fn refill(target: &Op<Code>, address: u32) -> u32 {
    u32::from(target.code.width == 2 && address & 2 != 0)
}

/// Cycles of a division beyond the first: 2 to 12 in all, fewer for small quotients. The manuals
/// give the range and "the number of leading ones and zeros"; that four bits of the quotient take
/// a cycle fits the range and is an assumption.
pub fn division(dividend: u32, divisor: u32) -> u32 {
    if divisor == 0 || dividend < divisor {
        return 1;
    }
    let bits = divisor.leading_zeros() - dividend.leading_zeros() + 1;
    3 + bits.div_ceil(4)
}
