//! Multiplications, divisions, and the DSP extension: registers, flags, program counter, cycles
//! of a Cortex-M4. Semantics after DDI 0403E, A7.7; cycles after DDI 0439, table 3-1.

use super::harness::check_on;
use pennyweight_thumb::core::CortexM4;

#[track_caller]
fn check(asm: &str, before: &str, after: &str, cycles: u64) {
    check_on::<CortexM4>(asm, before, after, cycles);
}

#[test]
fn multiplications() {
    check("mul r0, r8, r1", "r8=6 r1=7 NZCV", "r0=2a", 1);
    check("mla r0, r1, r2, r3", "r1=6 r2=7 r3=1", "r0=2b", 1);
    check("mls r0, r1, r2, r3", "r1=6 r2=7 r3=2b", "r0=1", 1);
    check("umull r0, r1, r2, r3", "r2=ffffffff r3=ffffffff", "r0=1 r1=fffffffe", 1);
    check("smull r0, r1, r2, r3", "r2=ffffffff r3=2", "r0=fffffffe r1=ffffffff", 1);
    check("umlal r0, r1, r2, r3", "r0=ffffffff r1=1 r2=2 r3=3", "r0=5 r1=2", 1);
    check("smlal r0, r1, r2, r3", "r0=0 r1=0 r2=ffffffff r3=1", "r0=ffffffff r1=ffffffff", 1);
    check(
        "umaal r0, r1, r2, r3",
        "r0=ffffffff r1=ffffffff r2=ffffffff r3=ffffffff",
        "r0=ffffffff r1=ffffffff",
        1,
    );
}

#[test]
fn divisions() {
    check("udiv r0, r1, r2: by nothing", "r1=5 r2=0", "r0=0", 2);
    check("udiv r0, r1, r2", "r1=1 r2=2", "r0=0", 2);
    check("udiv r0, r1, r2", "r1=ffffffff r2=1", "r0=ffffffff", 12);
    check("sdiv r0, r1, r2", "r1=fffffff9 r2=2", "r0=fffffffd", 5);
    check("sdiv r0, r1, r2: overflow", "r1=80000000 r2=ffffffff", "r0=80000000", 12);
}

#[test]
fn halfword_multiplications() {
    check("smulbt r0, r1, r2", "r1=ffff r2=20000", "r0=fffffffe", 1);
    check("smlatb r0, r1, r2, r3", "r1=20000 r2=3 r3=1", "r0=7", 1);
    check("smlabb r0, r1, r2, r3: overflow", "r1=7fff r2=7fff r3=7fffffff", "r0=bfff0000 q=1", 1);
    check("smulwb r0, r1, r2", "r1=10000 r2=5", "r0=5", 1);
    check("smlawt r0, r1, r2, r3", "r1=ffffffff r2=10000 r3=0", "r0=ffffffff", 1);
    check("smuad r0, r1, r2", "r1=30002 r2=50004", "r0=17", 1);
    check("smuad r0, r1, r2: overflow", "r1=80008000 r2=80008000", "r0=80000000 q=1", 1);
    check("smladx r0, r1, r2, r3", "r1=30002 r2=50004 r3=1", "r0=17", 1);
    check("smusd r0, r1, r2", "r1=30002 r2=50004", "r0=fffffff9", 1);
    check("smlsdx r0, r1, r2, r3", "r1=30002 r2=50004 r3=1", "r0=ffffffff", 1);
    check("smmul r0, r1, r2", "r1=80000000 r2=2", "r0=ffffffff", 1);
    check("smmulr r0, r1, r2", "r1=40000000 r2=2", "r0=1", 1);
    check("smmla r0, r1, r2, r3", "r1=10000 r2=10000 r3=5", "r0=6", 1);
    check("smmls r0, r1, r2, r3", "r1=1 r2=1 r3=5", "r0=4", 1);
    check("smlalbb r0, r1, r2, r3", "r0=ffffffff r1=0 r2=2 r3=3", "r0=5 r1=1", 1);
    check("smlald r0, r1, r2, r3", "r0=0 r1=0 r2=30002 r3=50004", "r0=17 r1=0", 1);
    check("smlsld r0, r1, r2, r3", "r0=0 r1=0 r2=30002 r3=50004", "r0=fffffff9 r1=ffffffff", 1);
    check("usad8 r0, r1, r2", "r1=1020304 r2=4030201", "r0=8", 1);
    check("usada8 r0, r1, r2, r3", "r1=ff r2=0 r3=1", "r0=100", 1);
}

#[test]
fn parallel_sums_and_ge() {
    check("sadd8 r0, r1, r2", "r1=7f80ff01 r2=1ff0101", "r0=807f0002 ge=b", 1);
    check("uadd8 r0, r1, r2", "r1=ff01ff01 r2=1010101", "r0=20002 ge=a", 1);
    check("usub8 r0, r1, r2", "r1=5030201 r2=4040202", "r0=1ff00ff ge=a", 1);
    check("ssub8 r0, r1, r2", "r1=80000000 r2=1000000", "r0=7f000000 ge=7", 1);
    check("sadd16 r0, r1, r2", "r1=7fff8000 r2=1ffff", "r0=80007fff ge=c", 1);
    check("usub16 r0, r1, r2", "r1=50001 r2=40002", "r0=1ffff ge=c", 1);
    check("uasx r0, r1, r2", "r1=ffff0005 r2=30001", "r0=2 ge=f", 1);
    check("sasx r0, r1, r2", "r1=10005 r2=60002", "r0=3ffff ge=c", 1);
    check("usax r0, r1, r2", "r1=10005 r2=60002", "r0=ffff000b ge=0", 1);
    check("qadd8 r0, r1, r2", "r1=7f80ff01 r2=1ff0101 ge=5", "r0=7f800002", 1);
    check("uqsub8 r0, r1, r2", "r1=5030201 r2=4040202", "r0=1000000", 1);
    check("uqadd16 r0, r1, r2", "r1=ffff0001 r2=10001", "r0=ffff0002", 1);
    check("qsub16 r0, r1, r2", "r1=80000001 r2=10002", "r0=8000ffff", 1);
    check("uhadd8 r0, r1, r2", "r1=ff010203 r2=ff010202", "r0=ff010202", 1);
    check("shsub16 r0, r1, r2", "r1=80000001 r2=10002", "r0=bfffffff", 1);
    check("shasx r0, r1, r2", "r1=10005 r2=60002", "r0=1ffff", 1);
    check("uhsax r0, r1, r2", "r1=10005 r2=60002", "r0=ffff0005", 1);
    check("sel r0, r1, r2", "r1=11223344 r2=aabbccdd ge=5", "r0=aa22cc44", 1);
}

#[test]
fn packing_and_extending() {
    check("pkhbt r0, r1, r2, lsl #4", "r1=aaaa1234 r2=5678bbb", "r0=56781234", 1);
    check("pkhtb r0, r1, r2, asr #16", "r1=1234aaaa r2=5678bbbb", "r0=12345678", 1);
    check("pkhtb r0, r1, r2, asr #32", "r1=1234aaaa r2=80000000", "r0=1234ffff", 1);
    check("sxtab r0, r1, r2", "r1=10 r2=ff", "r0=f", 1);
    check("uxtab r0, r1, r2, ror #24", "r1=10 r2=ff000000", "r0=10f", 1);
    check("sxtah r0, r1, r2", "r1=1 r2=8000", "r0=ffff8001", 1);
    check("uxtah r0, r1, r2, ror #16", "r1=1 r2=80000000", "r0=8001", 1);
    check("sxtab16 r0, r1, r2", "r1=10001 r2=ff00fe", "r0=ffff", 1);
    check("uxtab16 r0, r1, r2, ror #8", "r1=ffff0001 r2=2000300", "r0=10004", 1);
    check("sxtb16 r0, r1", "r1=80007f", "r0=ff80007f", 1);
    check("uxtb16 r0, r1, ror #8", "r1=12345678", "r0=120056", 1);
}

#[test]
fn saturation() {
    check("ssat r0, #8, r1", "r1=7f", "r0=7f", 1);
    check("ssat r0, #8, r1", "r1=80", "r0=7f q=1", 1);
    check("ssat r0, #8, r1, lsl #4", "r1=fffffff0", "r0=ffffff80 q=1", 1);
    check("ssat r0, #32, r1, asr #1", "r1=80000000", "r0=c0000000", 1);
    check("usat r0, #8, r1", "r1=100", "r0=ff q=1", 1);
    check("usat r0, #8, r1", "r1=ffffffff", "r0=0 q=1", 1);
    check("usat r0, #0, r1, asr #31", "r1=7fffffff", "r0=0", 1);
    check("ssat16 r0, #4, r1", "r1=80007", "r0=70007 q=1", 1);
    check("usat16 r0, #4, r1", "r1=ffff0010", "r0=f q=1", 1);
    check("qadd r0, r1, r2", "r1=7fffffff r2=1", "r0=7fffffff q=1", 1);
    check("qsub r0, r1, r2", "r1=80000000 r2=1 q=1", "r0=80000000", 1);
    check("qdadd r0, r1, r2", "r1=1 r2=3", "r0=7", 1);
    check("qdsub r0, r1, r2: the doubling saturates", "r1=0 r2=80000000", "r0=7fffffff q=1", 1);
}
