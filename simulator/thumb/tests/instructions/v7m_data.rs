//! ARMv7-M data processing: registers, flags, program counter, cycles of a Cortex-M4.
//! Semantics after DDI 0403E, A7.7; cycles after DDI 0439, table 3-1.

use super::harness::check_on;
use pennyweight_thumb::core::CortexM4;

#[track_caller]
fn check(asm: &str, before: &str, after: &str, cycles: u64) {
    check_on::<CortexM4>(asm, before, after, cycles);
}

#[test]
fn immediates_and_their_carry() {
    check("and.w r8, r1, #0xff00", "r1=12345678 NZCV", "r8=5600", 1);
    check("ands.w r8, r1, #0x80000000", "r1=80000001 nzcv", "r8=80000000 NzCv", 1);
    check("ands.w r8, r1, #0x0ff00000", "r1=ffffffff nZCV", "r8=ff00000 nzcV", 1);
    check(
        "ands.w r8, r1, #0xff: an immediate that is not rotated leaves the carry",
        "r1=ff nzCv",
        "r8=ff nzCv",
        1,
    );
    check("bic.w r0, r1, #0xff00ff00", "r1=ffffffff", "r0=ff00ff", 1);
    check("bics.w r0, r1, #0xff000000", "r1=ff000000 nzcv", "r0=0 nZCv", 1);
    check("orr.w r0, r1, #0x00ab00ab", "r1=1", "r0=ab00ab", 1);
    check("orrs.w r0, r1, #0xf0000000", "r1=1 nZcV", "r0=f0000001 NzCV", 1);
    check("orn r0, r1, #0xff", "r1=1", "r0=ffffff01", 1);
    check("orns r0, r1, #0xff", "r1=1 nzcv", "r0=ffffff01 Nzcv", 1);
    check("eor.w r0, r1, #0xabababab", "r1=ffffffff", "r0=54545454", 1);
    check("eors.w r0, r1, #0xabababab", "r1=abababab nzCv", "r0=0 nZCv", 1);
    check("mov.w r0, #0x12800", "NZCV", "r0=12800", 1);
    check("movs.w r0, #0x80000000", "nzcv", "r0=80000000 NzCv", 1);
    check("mvn r0, #0", "", "r0=ffffffff", 1);
    check("mvns r0, #0", "nzCV", "r0=ffffffff NzCV", 1);
    check("tst.w r1, #0x80000000", "r1=7fffffff nzcv", "nZCv", 1);
    check("teq r1, #0x1000", "r1=1000 nzCv", "nZcv", 1);
    check("add.w r8, r1, #0x10000", "r1=ffff0000 NZCV", "r8=0", 1);
    check("adds.w r8, r1, #0x10000", "r1=ffff0000", "r8=0 nZCv", 1);
    check("adc r0, r1, #1", "r1=1 nzCv", "r0=3", 1);
    check("adcs r0, r1, #1", "r1=fffffffe nzCv", "r0=0 nZCv", 1);
    check("sbc r0, r1, #1", "r1=3 nzcv", "r0=1", 1);
    check("sbcs r0, r1, #1", "r1=1 nzcv", "r0=ffffffff Nzcv", 1);
    check("sub.w r0, r8, #0x10000", "r8=5", "r0=ffff0005", 1);
    check("subs.w r0, r8, #0x10000", "r8=10000", "r0=0 nZCv", 1);
    check("rsb r0, r1, #16", "r1=6", "r0=a", 1);
    check("rsbs.w r0, r1, #16", "r1=11", "r0=ffffffff Nzcv", 1);
    check("cmp.w r8, #0x100", "r8=100", "nZCv", 1);
    check("cmn.w r8, #1", "r8=ffffffff", "nZCv", 1);
}

#[test]
fn plain_immediates() {
    check("addw r0, r1, #0xfff", "r1=1 NZCV", "r0=1000", 1);
    check("subw r0, r1, #0xfff", "r1=1000", "r0=1", 1);
    check("movw r0, #0xabcd", "NZCV", "r0=abcd", 1);
    check("movt r0, #0xabcd", "r0=12345678", "r0=abcd5678", 1);
    check("add.w sp, sp, #0x100", "", "sp=20000900", 1);
    check("subw sp, sp, #0x104", "", "sp=200006fc", 1);
    check("add.w r8, sp, #8", "", "r8=20000808", 1);
    check("adds.w sp, sp, #0x80", "NZCV", "sp=20000880 nzcv", 1);
    check("subs.w sp, sp, #0x104", "NZcV", "sp=200006fc nzCv", 1);
    check("subs.w sp, sp, r0", "r0=100 NZcV", "sp=20000700 nzCv", 1);
    check("adds.w sp, sp, r0, lsl #3", "r0=10 NZCV", "sp=20000880 nzcv", 1);
    check("addw r0, pc, #8", "", "r0=800010c", 1);
    check("subw r0, pc, #4", "", "r0=8000100", 1);
}

#[test]
fn shifted_registers() {
    check("and.w r0, r1, r2, lsl #4", "r1=ff0 r2=12", "r0=120", 1);
    check("ands.w r0, r1, r2, lsr #1", "r1=ff r2=3 nzcv", "r0=1 nzCv", 1);
    check("bic.w r0, r1, r2, asr #31", "r1=1234 r2=80000000", "r0=0", 1);
    check("orr.w r0, r1, r2, ror #8", "r1=1 r2=12", "r0=12000001", 1);
    check("orrs.w r0, r1, r2, ror #8", "r1=1 r2=92 nzcv", "r0=92000001 NzCv", 1);
    check("orn r0, r1, r2", "r1=1 r2=fffffff0", "r0=f", 1);
    check("eor.w r8, r9, r10", "r9=ff r10=f", "r8=f0", 1);
    check("eor.w r0, r1, r2, ror #31", "r1=0 r2=80000000", "r0=1", 1);
    check("eors.w r0, r1, r2, rrx", "r1=0 r2=3 nzCv", "r0=80000001 NzCv", 1);
    check("eors.w r0, r1, r2, lsr #32", "r1=5 r2=80000000 nzcv", "r0=5 nzCv", 1);
    check("eors.w r0, r1, r2, asr #32", "r1=0 r2=80000000 nzcv", "r0=ffffffff NzCv", 1);
    check("add.w r0, r1, r2, lsl #3", "r1=1 r2=2 NZCV", "r0=11", 1);
    check("add.w r0, r1, r2, ror #4", "r1=1 r2=f", "r0=f0000001", 1);
    check("adds.w r8, r1, r2", "r1=7fffffff r2=1", "r8=80000000 NzcV", 1);
    check("adds.w r0, r1, r2, lsr #4", "r1=ffffffff r2=10", "r0=0 nZCv", 1);
    check("adc.w r0, r1, r2", "r1=1 r2=2 nzCv", "r0=4", 1);
    check("adcs.w r0, r1, r2, lsl #1", "r1=1 r2=2 nzCv", "r0=6 nzcv", 1);
    check("sbc.w r0, r1, r2", "r1=5 r2=2 nzcv", "r0=2", 1);
    check("sbcs.w r0, r1, r2, lsl #1", "r1=5 r2=2 nzCv", "r0=1 nzCv", 1);
    check("sub.w r0, r1, r2, lsr #2", "r1=5 r2=8", "r0=3", 1);
    check("subs.w r8, r1, r2", "r1=2 r2=2", "r8=0 nZCv", 1);
    check("rsb r0, r1, r2, lsl #2", "r1=1 r2=2", "r0=7", 1);
    check("rsbs r0, r1, r2", "r1=1 r2=2", "r0=1 nzCv", 1);
    check("cmp.w r1, r2, lsl #1", "r1=4 r2=2", "nZCv", 1);
    check("cmn.w r1, r2, lsl #1", "r1=4 r2=fffffffe", "nZCv", 1);
    check("tst.w r1, r2, lsl #31", "r1=80000000 r2=1 nzcv", "Nzcv", 1);
    check("teq r1, r2, lsl #1", "r1=2 r2=80000001 nzcv", "nZCv", 1);
    check("mvn.w r0, r1, lsl #4", "r1=f", "r0=ffffff0f", 1);
    check("mvns.w r8, r1", "r1=ffffffff nzCV", "r8=0 nZCV", 1);
    check("mov.w r8, r9", "r9=5 NZCV", "r8=5", 1);
    check("movs.w r8, r9", "r9=0 nzCV", "r8=0 nZCV", 1);
    check("add.w sp, sp, r1, lsl #2", "r1=4", "sp=20000810", 1);
    check("sub.w sp, sp, r1", "r1=10", "sp=200007f0", 1);
}

#[test]
fn shifts() {
    check("lsl.w r8, r1, #4", "r1=f0000001 NZCV", "r8=10", 1);
    check("lsls.w r8, r1, #4", "r1=f0000001 nzcv", "r8=10 nzCv", 1);
    check("lsr.w r8, r1, #32", "r1=f0000001", "r8=0", 1);
    check("asr.w r8, r1, #32", "r1=f0000001", "r8=ffffffff", 1);
    check("asrs.w r8, r1, #4", "r1=80000008 nzcv", "r8=f8000000 NzCv", 1);
    check("ror.w r8, r1, #4", "r1=f", "r8=f0000000", 1);
    check("rors.w r8, r1, #4", "r1=f nzcv", "r8=f0000000 NzCv", 1);
    check("rrx r8, r1", "r1=3 nzCv", "r8=80000001", 1);
    check("rrxs r8, r1", "r1=3 nzcv", "r8=1 nzCv", 1);
    check("lsl.w r0, r8, r2", "r8=1 r2=1f", "r0=80000000", 1);
    check("lsl.w r0, r8, r2", "r8=1 r2=20", "r0=0", 1);
    check("lsls.w r0, r8, r2", "r8=3 r2=1f nzcv", "r0=80000000 NzCv", 1);
    check("lsrs.w r0, r8, r2", "r8=80000000 r2=20 nzcv", "r0=0 nZCv", 1);
    check("asrs.w r0, r8, r2", "r8=80000000 r2=ff nzcv", "r0=ffffffff NzCv", 1);
    check("asrs.w r0, r8, r2: by nothing", "r8=80000000 r2=100 nzCv", "r0=80000000 NzCv", 1);
    check("ror.w r0, r8, r2", "r8=f r2=24", "r0=f0000000", 1);
    check("rors.w r0, r8, r2", "r8=80000000 r2=20 nzcv", "r0=80000000 NzCv", 1);
}

#[test]
fn bit_fields_and_reversals() {
    check("sbfx r0, r1, #4, #8", "r1=ff0", "r0=ffffffff", 1);
    check("sbfx r0, r1, #4, #8", "r1=7f0", "r0=7f", 1);
    check("ubfx r0, r1, #4, #8", "r1=fff0", "r0=ff", 1);
    check("ubfx r0, r1, #0, #32", "r1=fedcba98", "r0=fedcba98", 1);
    check("bfi r0, r1, #8, #4", "r0=ffffffff r1=5", "r0=fffff5ff", 1);
    check("bfc r0, #8, #16", "r0=ffffffff", "r0=ff0000ff", 1);
    check("clz r0, r1", "r1=1", "r0=1f", 1);
    check("clz r0, r1", "r1=0", "r0=20", 1);
    check("rbit r0, r1", "r1=1", "r0=80000000", 1);
    check("rev.w r8, r1", "r1=12345678", "r8=78563412", 1);
    check("rev16.w r8, r1", "r1=12345678", "r8=34127856", 1);
    check("revsh.w r8, r1", "r1=80", "r8=ffff8000", 1);
    check("sxtb.w r8, r1", "r1=80", "r8=ffffff80", 1);
    check("sxth.w r8, r1, ror #16", "r1=80001234", "r8=ffff8000", 1);
    check("uxtb.w r8, r1, ror #8", "r1=1234", "r8=12", 1);
    check("uxth.w r8, r1, ror #8", "r1=12345678", "r8=3456", 1);
}
