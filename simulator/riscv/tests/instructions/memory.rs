//! Loads and stores; the values are those of the official tests (lb, lbu, lh, lhu, lw, sb, sh, sw).

use super::assembler::word;
use super::harness::{check, machine, options, PC};
use pennyweight_riscv::registers::Reg;

/// Load, the data, first offset and step, what each place gives.
const LOADS: [(&str, &str, i32, [u32; 4]); 5] = [
    ("lb", "[80000100]=0ff000ff", 1, [0xffff_ffff, 0, 0xffff_fff0, 0xf]),
    ("lbu", "[80000100]=0ff000ff", 1, [0xff, 0, 0xf0, 0xf]),
    ("lh", "[80000100]=ff0000ff [80000104]=f00f0ff0", 2, [0xff, 0xffff_ff00, 0xff0, 0xffff_f00f]),
    ("lhu", "[80000100]=ff0000ff [80000104]=f00f0ff0", 2, [0xff, 0xff00, 0xff0, 0xf00f]),
    (
        "lw",
        "[80000100]=00ff00ff [80000104]=ff00ff00 [80000108]=0ff00ff0 [8000010c]=f00ff00f",
        4,
        [0x00ff_00ff, 0xff00_ff00, 0x0ff0_0ff0, 0xf00f_f00f],
    ),
];

#[test]
fn loads() {
    for (name, data, step, values) in LOADS {
        for (i, value) in (0..).zip(values) {
            let last = 3 * step;
            for (base, offset) in [(0x8000_0100, i * step), (0x8000_0100 + last as u32, i * step - last)] {
                let before = format!("x5={base:x} {data}");
                let asm = format!("{name} x6, {offset}(x5)");
                check(&asm, word(name, 6, 5, offset), &before, &format!("x6={value:x}"), 1);
                check(&asm, word(name, 5, 5, offset), &before, &format!("x5={value:x}"), 1);
                check(&asm, word(name, 0, 5, offset), &before, "", 1);
            }
        }
    }
}

#[test]
fn loads_from_flash_and_into_sp() {
    check("lw x6, 4(x5)", word("lw", 6, 5, 4), "x5=20000200", "x6=c0000001", 1);
    check("lbu x6, 7(x5)", word("lbu", 6, 5, 7), "x5=20000200", "x6=c0", 1);
    check("lh x6, 6(x5)", word("lh", 6, 5, 6), "x5=20000200", "x6=ffffc000", 1);
    check("lw sp, 0(x5)", word("lw", 2, 5, 0), "x5=80000100 [80000100]=80000444", "x2=80000444", 1);
}

#[test]
fn stores() {
    let byte = |offset, value: u32, after: &str| {
        let before = format!("x5=80000100 x6={value:x} [80000100]=efefefef");
        check(&format!("sb {offset}"), word("sb", 5, 6, offset), &before, &format!("[80000100]={after}"), 1);
    };
    byte(0, 0xffff_ffaa, "efefefaa");
    byte(1, 0, "efef00ef");
    byte(2, 0xffff_efa0, "efa0efef");
    byte(3, 0x1230_000a, "0aefefef");
    let half = |offset, value: u32, after: &str| {
        let before = format!("x5=80000200 x6={value:x} [800001f8]=beefbeef");
        check(&format!("sh {offset}"), word("sh", 5, 6, offset), &before, &format!("[800001f8]={after}"), 1);
    };
    half(-8, 0xaa, "beef00aa");
    half(-6, 0xffff_aa00, "aa00beef");
    half(-8, 0xbeef_0aa0, "beef0aa0");
    half(-6, 0xffff_a00a, "a00abeef");
    for (offset, value) in [(0, 0x00aa_00aau32), (4, 0xaa00_aa00), (8, 0x0aa0_0aa0), (-12, 0xa00a_a00a)] {
        let before = format!("x5=80000200 x6={value:x}");
        let after = format!("[{:x}]={value:x}", 0x8000_0200u32.wrapping_add_signed(offset));
        check(&format!("sw {offset}"), word("sw", 5, 6, offset), &before, &after, 1);
    }
}

/// What was stored is loaded by the next instruction, or a few later (the official tests ld_st, st_ld).
#[test]
fn a_load_finds_what_was_just_stored() {
    const NOP: u32 = 0x13;
    let pairs = [
        ("sb", "lb", 0xffff_ffdd),
        ("sb", "lbu", 0xdd),
        ("sh", "lh", 0xffff_ccdd),
        ("sh", "lhu", 0xccdd),
        ("sw", "lw", 0xaabb_ccdd),
    ];
    for (store, load, loaded) in pairs {
        for offset in [0, 4, -8, 2044] {
            for between in 0..3 {
                let mut code = vec![word(store, 5, 6, offset)];
                code.extend(std::iter::repeat_n(NOP, between));
                code.push(word(load, 7, 5, offset));
                let bytes: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
                let mut machine = machine(&bytes, "x5=80000100 x6=aabbccdd");
                machine.run_to(PC + bytes.len() as u32, &options());
                assert_eq!(machine.state().registers[Reg::X7], loaded, "{store}, {load} {offset}");
            }
        }
    }
}
