//! Arithmetic, logic, shifts and bits: registers, SREG, program counter and cycles.
//!
//! Every operand's flags are covered by the unit tests of `flags`; here each instruction shows that
//! it takes the right operands, writes the right register and costs what the manual states.

mod common;

use common::Case;

#[test]
fn add_and_adc() {
    Case::new("add r0, r31").r(0, 11).r(31, 245).then_r(0, 0).then_sreg("HZC").takes(1, 1);
    Case::new("add r16, r17").r(16, 0x7f).r(17, 1).sreg("C").then_r(16, 0x80).then_sreg("HVN").takes(1, 1);
    Case::new("add r5, r5").r(5, 0x81).then_r(5, 2).then_sreg("CVS").takes(1, 1);
    Case::new("adc r0, r1").r(0, 10).r(1, 20).sreg("CIT").then_r(0, 31).then_sreg("IT").takes(1, 1);
    Case::new("adc r0, r1").r(0, 10).r(1, 245).sreg("C").then_r(0, 0).then_sreg("HZC").takes(1, 1);
    Case::new("adc r9, r9").r(9, 0x80).sreg("C").then_r(9, 1).then_sreg("CVS").takes(1, 1);
}

#[test]
fn sub_sbc_and_their_immediates() {
    Case::new("sub r0, r1").r(0, 0).r(1, 10).then_r(0, 246).then_sreg("HNSC").takes(1, 1);
    Case::new("sub r2, r3").r(2, 0x80).r(3, 1).sreg("C").then_r(2, 0x7f).then_sreg("HVS").takes(1, 1);
    Case::new("sub r4, r4").then_r(4, 0).then_sreg("Z").takes(1, 1);
    Case::new("sbc r0, r1").r(0, 0).r(1, 10).sreg("C").then_r(0, 245).then_sreg("HNSC").takes(1, 1);
    Case::new("sbc r0, r1").r(0, 11).r(1, 10).sreg("CZ").then_r(0, 0).then_sreg("Z").takes(1, 1);
    Case::new("sbc r0, r1").r(0, 11).r(1, 10).sreg("C").then_r(0, 0).then_sreg("").takes(1, 1);
    Case::new("subi r31, 0x0f").r(31, 0x0e).sreg("T").then_r(31, 0xff).then_sreg("THNSC").takes(1, 1);
    Case::new("subi r16, 0xff").r(16, 0).then_r(16, 1).then_sreg("HC").takes(1, 1);
    Case::new("sbci r23, 3").r(23, 3).sreg("IC").then_r(23, 0xff).then_sreg("IHNSC").takes(1, 1);
    Case::new("sbci r16, 3").r(16, 3).sreg("Z").then_r(16, 0).then_sreg("Z").takes(1, 1);
}

#[test]
fn comparisons_change_no_register() {
    Case::new("cp r11, r10").r(11, 0).r(10, 10).then_sreg("HNSC").takes(1, 1);
    Case::new("cp r11, r10").r(11, 5).r(10, 5).sreg("HNSC").then_sreg("Z").takes(1, 1);
    Case::new("cpc r27, r18").r(27, 1).r(18, 1).sreg("C").then_sreg("HNSC").takes(1, 1);
    Case::new("cpc r27, r18").r(27, 1).r(18, 0).sreg("CZ").then_sreg("Z").takes(1, 1);
    Case::new("cpc r27, r18").r(27, 1).r(18, 0).sreg("C").then_sreg("").takes(1, 1);
    Case::new("cpi r26, 9").r(26, 8).then_sreg("HNSC").takes(1, 1);
    Case::new("cpi r26, 0x80").r(26, 0x80).then_sreg("Z").takes(1, 1);
}

#[test]
fn adiw_and_sbiw() {
    Case::new("adiw r24, 63").r(24, 0xff).r(25, 0xff).then_r(24, 62).then_r(25, 0).then_sreg("C").takes(2, 1);
    Case::new("adiw r26, 1")
        .r(26, 0xff)
        .r(27, 0x7f)
        .sreg("H")
        .then_pointer('X', 0x8000)
        .then_sreg("HVN")
        .takes(2, 1);
    Case::new("adiw r30, 1").pointer('Z', 0xffff).then_pointer('Z', 0).then_sreg("ZC").takes(2, 1);
    Case::new("sbiw r24, 1").r(24, 0).r(25, 0).then_r(24, 0xff).then_r(25, 0xff).then_sreg("NSC").takes(2, 1);
    Case::new("sbiw r28, 2")
        .pointer('Y', 0x8001)
        .sreg("H")
        .then_pointer('Y', 0x7fff)
        .then_sreg("HVS")
        .takes(2, 1);
    Case::new("sbiw r28, 33").pointer('Y', 33).then_pointer('Y', 0).then_sreg("Z").takes(2, 1);
}

#[test]
fn logic() {
    Case::new("and r3, r4")
        .r(3, 0b1100)
        .r(4, 0b1010)
        .sreg("HCV")
        .then_r(3, 0b1000)
        .then_sreg("HC")
        .takes(1, 1);
    Case::new("and r3, r3").r(3, 0x80).then_sreg("NS").takes(1, 1);
    Case::new("andi r19, 0x0f").r(19, 0xf0).then_r(19, 0).then_sreg("Z").takes(1, 1);
    Case::new("or r5, r2").r(5, 0b1100).r(2, 0b1010).sreg("V").then_r(5, 0b1110).then_sreg("").takes(1, 1);
    Case::new("ori r22, 0x81").r(22, 0x11).then_r(22, 0x91).then_sreg("NS").takes(1, 1);
    Case::new("eor r6, r7").r(6, 0b1100).r(7, 0b1010).then_r(6, 0b0110).takes(1, 1);
    Case::new("eor r6, r6").sreg("N").then_r(6, 0).then_sreg("Z").takes(1, 1);
    Case::new("com r8").r(8, 0x7f).then_r(8, 0x80).then_sreg("NSC").takes(1, 1);
    Case::new("com r8").r(8, 0xff).sreg("V").then_r(8, 0).then_sreg("ZC").takes(1, 1);
}

#[test]
fn one_operand() {
    Case::new("neg r20").r(20, 56).then_r(20, 200).then_sreg("HNSC").takes(1, 1);
    Case::new("neg r20").r(20, 0x80).then_r(20, 0x80).then_sreg("VNC").takes(1, 1);
    Case::new("neg r20").r(20, 0).sreg("HC").then_r(20, 0).then_sreg("Z").takes(1, 1);
    Case::new("inc r5").r(5, 0x7f).sreg("CH").then_r(5, 0x80).then_sreg("CHVN").takes(1, 1);
    Case::new("inc r5").r(5, 0xff).then_r(5, 0).then_sreg("Z").takes(1, 1);
    Case::new("dec r5").r(5, 0x80).sreg("CH").then_r(5, 0x7f).then_sreg("CHVS").takes(1, 1);
    Case::new("dec r5").r(5, 0).then_r(5, 0xff).then_sreg("NS").takes(1, 1);
    Case::new("swap r1").r(1, 0xa5).sreg("CZ").then_r(1, 0x5a).takes(1, 1);
}

#[test]
fn shifts() {
    Case::new("asr r16").r(16, 0x81).sreg("H").then_r(16, 0xc0).then_sreg("HNSC").takes(1, 1);
    Case::new("asr r16").r(16, 0x80).then_r(16, 0xc0).then_sreg("NV").takes(1, 1);
    Case::new("asr r16").r(16, 0x01).then_r(16, 0).then_sreg("ZCVS").takes(1, 1);
    Case::new("lsr r7").r(7, 0x81).then_r(7, 0x40).then_sreg("CVS").takes(1, 1);
    Case::new("lsr r7").r(7, 0x80).sreg("C").then_r(7, 0x40).then_sreg("").takes(1, 1);
    Case::new("ror r0").r(0, 0x11).sreg("C").then_r(0, 0x88).then_sreg("NSC").takes(1, 1);
    Case::new("ror r0").r(0, 0x10).sreg("C").then_r(0, 0x88).then_sreg("NV").takes(1, 1);
    Case::new("ror r0").r(0, 0x01).sreg("H").then_r(0, 0).then_sreg("HZCVS").takes(1, 1);
}

#[test]
fn multiplications() {
    Case::new("mul r5, r6").r(5, 100).r(6, 5).then_r(0, 0xf4).then_r(1, 1).takes(2, 1);
    Case::new("mul r5, r6")
        .r(5, 200)
        .r(6, 200)
        .sreg("NVSH")
        .then_r(0, 0x40)
        .then_r(1, 0x9c)
        .then_sreg("NVSHC")
        .takes(2, 1);
    Case::new("mul r0, r1").r(0, 0).r(1, 9).then_r(0, 0).then_r(1, 0).then_sreg("Z").takes(2, 1);
    Case::new("muls r18, r31")
        .r(18, 0xfb)
        .r(31, 100)
        .then_r(0, 0x0c)
        .then_r(1, 0xfe)
        .then_sreg("C")
        .takes(2, 1);
    Case::new("muls r16, r16").r(16, 0x80).then_r(0, 0).then_r(1, 0x40).takes(2, 1);
    Case::new("mulsu r16, r17")
        .r(16, 0xfb)
        .r(17, 200)
        .then_r(0, 0x18)
        .then_r(1, 0xfc)
        .then_sreg("C")
        .takes(2, 1);
    Case::new("mulsu r23, r16").r(23, 5).r(16, 200).then_r(0, 0xe8).then_r(1, 3).takes(2, 1);
    Case::new("fmul r16, r17")
        .r(16, 200)
        .r(17, 200)
        .then_r(0, 0x80)
        .then_r(1, 0x38)
        .then_sreg("C")
        .takes(2, 1);
    Case::new("fmul r16, r17").r(16, 0x40).r(17, 0x80).then_r(0, 0).then_r(1, 0x40).takes(2, 1);
    Case::new("fmuls r20, r21").r(20, 0x80).r(21, 0x80).then_r(0, 0).then_r(1, 0x80).takes(2, 1);
    Case::new("fmuls r20, r21")
        .r(20, 0xff)
        .r(21, 1)
        .then_r(0, 0xfe)
        .then_r(1, 0xff)
        .then_sreg("C")
        .takes(2, 1);
    Case::new("fmulsu r22, r23").r(22, 0x80).r(23, 0xff).then_r(0, 0).then_r(1, 1).then_sreg("C").takes(2, 1);
    Case::new("fmulsu r22, r23").r(22, 0).r(23, 0xff).then_r(0, 0).then_r(1, 0).then_sreg("Z").takes(2, 1);
}

#[test]
fn bits_of_registers_and_of_sreg() {
    Case::new("bst r4, 2").r(4, 0x04).then_sreg("T").takes(1, 1);
    Case::new("bst r4, 7").r(4, 0x7f).sreg("TC").then_sreg("C").takes(1, 1);
    Case::new("bld r4, 2").r(4, 0).sreg("T").then_r(4, 4).takes(1, 1);
    Case::new("bld r4, 7").r(4, 0xff).sreg("IC").then_r(4, 0x7f).takes(1, 1);
    for (bit, letter) in "CZNVSHTI".chars().enumerate() {
        let letter = letter.to_string();
        let others = "CZNVSHTI".replace(&letter, "");
        Case::new(&format!("bset {bit}")).sreg("").then_sreg(&letter).takes(1, 1);
        Case::new(&format!("bset {bit}")).sreg(&others).then_sreg("CZNVSHTI").takes(1, 1);
        Case::new(&format!("bclr {bit}")).sreg("CZNVSHTI").then_sreg(&others).takes(1, 1);
        Case::new(&format!("bclr {bit}")).sreg(&letter).then_sreg("").takes(1, 1);
    }
}
