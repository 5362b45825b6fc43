//! Every kind of 16-bit instruction: registers, memory, program counter and cycles. Encodings are those of
//! GNU as 2.40 (mipsel-linux-gnu, -mips16 -march=m4k). What instructions do with random operands is held
//! against QEMU by `lockstep_mips --set mips16e`; here are the cases at the edges, and the cycles.

use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::{Access, CallOptions, Exit, Fault, FaultKind, Machine as _, Zone};
use pennyweight_mips::op::Reg;
use pennyweight_mips::MipsMachine;

mod common;
use common::{board, loaded, options, Notes, FLASH, RAM, SP};

/// MOVE r0, s0
const NOP: u16 = 0x6500;
const JRC_RA: u16 = 0xe8a0;
const RA: u32 = 0xa000_001f;

/// 16-bit `code` at the start of flash.
fn machine(code: &[u16], before: &[(u8, u32)]) -> MipsMachine {
    let bytes: Vec<u8> = code.iter().flat_map(|half| half.to_le_bytes()).collect();
    loaded(&bytes, FLASH | 1, before)
}

/// What one instruction does: registers that change, and the next instruction (from flash's start).
#[track_caller]
fn does(asm: &str, code: &[u16], before: &[(u8, u32)], cycles: u64, after: &[(u8, u32)], pc: u32) {
    let mut stepped = machine(code, before);
    let mut wanted = stepped.state().registers;
    for &(number, value) in after {
        wanted[Reg(number)] = value;
    }
    assert_eq!(stepped.step(), Ok(cycles), "{asm}");
    let state = stepped.state();
    for i in 0..32 {
        assert_eq!(state.registers[Reg(i)], wanted[Reg(i)], "{asm}: r{i}");
    }
    assert_eq!(state.pc, (FLASH + pc) | 1, "{asm}");
}

#[test]
fn arithmetic() {
    let before: &[(u8, u32)] = &[(4, 0x8000_0001), (5, 0x0001_fff0)];
    for &(asm, half, register, result) in &[
        ("addiu v0, sp, 16", 0x0204, 2, SP + 16),
        ("addiu v0, pc, 8", 0x0a02, 2, FLASH + 8),
        ("addiu a0, -5", 0x4cfb, 4, 0x7fff_fffc),
        ("addiu a0, a1, -3", 0x458d, 4, 0x0001_ffed),
        ("slti a0, 200", 0x54c8, 24, 1),
        ("sltiu a0, 200", 0x5cc8, 24, 0),
        ("cmpi a0, 200", 0x74c8, 24, 0x8000_00c9),
        ("li v0, 200", 0x6ac8, 2, 200),
        ("sll v0, a1, 8", 0x32a0, 2, 0x01ff_f000),
        ("srl v0, a1, 4", 0x32b2, 2, 0x1fff),
        ("sra v0, a0, 7", 0x329f, 2, 0xff00_0000),
        ("addu v0, a0, a1", 0xe4a9, 2, 0x8001_fff1),
        ("subu v0, a0, a1", 0xe4ab, 2, 0x7ffe_0011),
        ("slt a0, a1", 0xeca2, 24, 1),
        ("sltu a0, a1", 0xeca3, 24, 0),
        ("sllv a1, a0", 0xeca4, 5, 0x0003_ffe0),
        ("srlv a1, a0", 0xeca6, 5, 0xfff8),
        ("srav a1, a0", 0xeca7, 5, 0xfff8),
        ("cmp a0, a1", 0xecaa, 24, 0x8001_fff1),
        ("neg v0, a1", 0xeaab, 2, 0xfffe_0010),
        ("and a0, a1", 0xecac, 4, 0),
        ("or a0, a1", 0xecad, 4, 0x8001_fff1),
        ("xor a0, a1", 0xecae, 4, 0x8001_fff1),
        ("not v0, a1", 0xeaaf, 2, 0xfffe_000f),
        ("zeb a0", 0xec11, 4, 1),
        ("zeh a0", 0xec31, 4, 1),
        ("seb a1", 0xed91, 5, 0xffff_fff0),
        ("seh a1", 0xedb1, 5, 0xffff_fff0),
        ("move t0, a0", 0x650c, 8, 0x8000_0001),
        ("move v0, t7", 0x674f, 2, 0xa000_000f),
        ("move zero, s0", 0x6500, 0, 0),
        ("addiu sp, -16", 0x63fe, 29, SP - 16),
    ] {
        does(asm, &[half], before, 1, &[(register, result)], 2);
    }
}

#[test]
fn extended_arithmetic() {
    let before: &[(u8, u32)] = &[(4, 0x8000_0001), (5, 0x0001_fff0)];
    for &(asm, code, register, result) in &[
        ("addiu v0, sp, 0x1234", [0xf222, 0x0214], 2, SP + 0x1234),
        ("addiu v0, pc, -4", [0xf7ff, 0x0a1c], 2, FLASH - 4),
        ("addiu a0, -0x1234", [0xf5dd, 0x4c0c], 4, 0x7fff_edcd),
        ("addiu a0, a1, -0x1234", [0xf5cd, 0x458c], 4, 0x0001_edbc),
        ("slti a0, -2", [0xf7ff, 0x541e], 24, 1),
        ("sltiu a0, -2", [0xf7ff, 0x5c1e], 24, 1),
        ("cmpi a0, 0xfedc", [0xf6df, 0x741c], 24, 0x8000_fedd),
        ("li v0, 0xfedc", [0xf6df, 0x6a1c], 2, 0xfedc),
        ("sll v0, a1, 31", [0xf7c0, 0x32a0], 2, 0),
        ("srl v0, a1, 31", [0xf7c0, 0x32a2], 2, 0),
        ("sra v0, a0, 31", [0xf7c0, 0x3283], 2, u32::MAX),
        ("addiu sp, -16", [0xf7ff, 0x6310], 29, SP - 16),
    ] {
        does(asm, &code, before, 1, &[(register, result)], 4);
    }
}

#[test]
fn products_and_quotients() {
    let after = |half: u16, s: u32, t: u32| {
        // mfhi v0; mflo v1
        let mut machine = machine(&[half, 0xea10, 0xeb12], &[(4, s), (5, t)]);
        let outcome = machine.run_to(FLASH + 7, &options());
        let registers = &machine.state().registers;
        (registers[Reg(2)], registers[Reg(3)], outcome.cycles)
    };
    assert_eq!(after(0xecb8, u32::MAX, 3), (u32::MAX, 0xffff_fffd, 3)); // mult a0, a1
    assert_eq!(after(0xecb9, u32::MAX, 3), (2, 0xffff_fffd, 3)); // multu
    assert_eq!(after(0xecba, (-7i32) as u32, 2), (u32::MAX, (-3i32) as u32, 14)); // div, of 8 bits
    assert_eq!(after(0xecbb, 0x1_0007, 2), (1, 0x8003, 28)); // divu, of 24 bits
}

#[test]
fn memory() {
    let content = 0x8182_8384_8586_8788_u64;
    let run = |code: &[u16]| {
        let mut machine = machine(code, &[(4, SP), (5, 0x89ab_cdef)]);
        machine.write(SP, &content.to_le_bytes()).expect("RAM");
        assert_eq!(machine.step(), Ok(1));
        let mut after = [0; 8];
        machine.read(SP, &mut after).expect("RAM");
        (machine.state().registers[Reg(5)], u64::from_le_bytes(after))
    };
    for (asm, code, register, memory) in [
        ("lb a1, 1(a0)", 0x84a1, 0xffff_ff87, content),
        ("lbu a1, 1(a0)", 0xa4a1, 0x87, content),
        ("lh a1, 2(a0)", 0x8ca1, 0xffff_8586, content),
        ("lhu a1, 2(a0)", 0xaca1, 0x8586, content),
        ("lw a1, 4(a0)", 0x9ca1, 0x8182_8384, content),
        ("lw a1, 4(sp)", 0x9501, 0x8182_8384, content),
        ("sb a1, 1(a0)", 0xc4a1, 0x89ab_cdef, 0x8182_8384_8586_ef88),
        ("sh a1, 2(a0)", 0xcca1, 0x89ab_cdef, 0x8182_8384_cdef_8788),
        ("sw a1, 4(a0)", 0xdca1, 0x89ab_cdef, 0x89ab_cdef_8586_8788),
        ("sw a1, 4(sp)", 0xd501, 0x89ab_cdef, 0x89ab_cdef_8586_8788),
        ("sw ra, 4(sp)", 0x6201, 0x89ab_cdef, (u64::from(RA) << 32) | 0x8586_8788),
    ] {
        assert_eq!(run(&[code]), (register, memory), "{asm}");
    }
    let below = |code: [u16; 2]| {
        let mut machine = machine(&code, &[(4, SP), (5, 0x89ab_cdef)]);
        machine.write(SP - 4, &[1, 2, 3, 0x84]).expect("RAM");
        assert_eq!(machine.step(), Ok(1));
        let mut after = [0; 4];
        machine.read(SP - 4, &mut after).expect("RAM");
        (machine.state().registers[Reg(5)], u32::from_le_bytes(after))
    };
    assert_eq!(below([0xf7ff, 0x84bd]).0, 2); // lb a1, -3(a0)
    assert_eq!(below([0xf7ff, 0x9cbc]).0, 0x8403_0201); // lw a1, -4(a0)
    assert_eq!(below([0xf7ff, 0xd51c]).1, 0x89ab_cdef); // sw a1, -4(sp)
    assert_eq!(below([0xf7ff, 0x621c]).1, RA); // sw ra, -4(sp)
}

/// Cycles and instructions of code that runs into `stop` halfwords from its start.
fn cost(code: &[u16], before: &[(u8, u32)], stop: u32) -> (u64, u64) {
    let mut machine = machine(code, before);
    let outcome = machine.run_to((FLASH + 2 * stop) | 1, &options());
    assert_eq!(outcome.exit, Exit::Returned);
    (outcome.cycles, outcome.instructions)
}

#[test]
fn loads_are_waited_for() {
    let (lw, addu, other) = (0x9500, 0xe5a9, 0xe489); // lw a1, 0(sp); addu v0, a1, a1; addu v0, a0, a0
    assert_eq!(cost(&[lw, addu], &[], 2), (3, 2));
    assert_eq!(cost(&[lw, other, addu], &[], 3), (3, 3));
    assert_eq!(cost(&[lw, other], &[], 2), (2, 2));
}

#[test]
fn branches_have_no_delay_slots_and_cost_one_cycle_if_taken() {
    // b to itself: an endless loop
    let mut endless = machine(&[0x17ff], &[]);
    assert_eq!(endless.step(), Ok(2));
    assert_eq!(endless.state().pc, FLASH | 1);
    for (asm, code, register, if_zero) in [
        ("beqz a0", &[0x2403][..], 4, true),
        ("bnez a0", &[0x2c03], 4, false),
        ("bteqz", &[0x6003], 24, true),
        ("btnez", &[0x6103], 24, false),
        ("beqz a0, extended", &[0xf000, 0x2403], 4, true),
        ("bnez a0, extended", &[0xf000, 0x2c03], 4, false),
        ("bteqz, extended", &[0xf000, 0x6003], 24, true),
        ("btnez, extended", &[0xf000, 0x6103], 24, false),
    ] {
        let behind = 2 * code.len() as u32;
        for (value, taken) in [(0, if_zero), (1, !if_zero)] {
            let (cycles, pc) = if taken { (2, behind + 6) } else { (1, behind) };
            does(asm, code, &[(register, value)], cycles, &[], pc);
        }
    }
    // b -0x100 halfwords, extended, from 4 KB on
    let mut code = vec![NOP; 0x400];
    code.extend([0xf71f, 0x1000]);
    let mut far = machine(&code, &[]);
    far.state_mut().jump(FLASH + 0x801);
    assert_eq!(far.step(), Ok(2));
    assert_eq!(far.state().pc, FLASH + 0x804 - 0x200 + 1);
}

#[test]
fn jumps_change_the_instruction_set_by_bit_0() {
    let wide = FLASH + 0x40;
    for (asm, code, to, back, cycles) in [
        ("jal", &[0x181a, 0x0010][..], wide | 1, Some(7), 1),
        ("jalx", &[0x1c1a, 0x0010], wide, Some(7), 1),
        ("jalr a0, odd", &[0xec40], wide | 1, Some(5), 1),
        ("jalr a0, even", &[0xec40], wide, Some(5), 1),
        ("jr a0", &[0xec00], wide, None, 1),
        ("jr ra", &[0xe820], wide | 1, None, 1),
        ("jalrc a0", &[0xecc0], wide | 1, Some(3), 2),
        ("jrc a0", &[0xec80], wide, None, 2),
        ("jrc ra", &[0xe8a0], wide, None, 2),
    ] {
        let mut jumped = machine(&[code, &[0x6a07, NOP]].concat(), &[(4, to), (31, to)]);
        assert_eq!(jumped.step(), Ok(cycles), "{asm}");
        if cycles == 1 {
            // li v0, 7 in the delay slot
            assert_eq!(jumped.step(), Ok(1), "{asm}");
            assert_eq!(jumped.state().registers[Reg::V0], 7, "{asm}");
        }
        assert_eq!(jumped.state().pc, to, "{asm}");
        let ra = back.map_or(to, |behind| FLASH + behind);
        assert_eq!(jumped.state().registers[Reg::RA], ra, "{asm}");
    }
}

#[test]
fn mips32_code_calls_16_bit_code_and_gets_its_return() {
    // jalx 0x9d000010; addiu a0, zero, 1; addiu v0, v0, 1; nop; then, 16-bit: addiu v0, a0, 2; jrc ra
    let target = (FLASH + 0x10) >> 2 & 0x03ff_ffff;
    let words = [29 << 26 | target, 0x2404_0001, 0x2442_0001, 0];
    let mut bytes: Vec<u8> = words.iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
    bytes.extend([0x4442_u16, JRC_RA].iter().flat_map(|half| half.to_le_bytes()));
    let mut machine = loaded(&bytes, FLASH, &[]);
    let outcome = machine.run_to(FLASH + 0xc, &options());
    assert_eq!((outcome.exit, outcome.result), (Exit::Returned, 4));
    // The return is compact: it throws one instruction away.
    assert_eq!((outcome.cycles, outcome.instructions), (6, 5));
    assert_eq!(machine.state().registers[Reg::RA], FLASH + 8);
}

#[test]
fn relative_addresses_count_from_the_jump_in_its_delay_slot() {
    // nop; jr ra; addiu v0, pc, 8: from the jump, at 2
    let mut slot = machine(&[NOP, 0xe820, 0x0a02], &[(31, FLASH | 1)]);
    slot.state_mut().jump(FLASH + 3);
    assert_eq!((slot.step(), slot.step()), (Ok(1), Ok(1)));
    assert_eq!(slot.state().registers[Reg::V0], FLASH + 8);
    // nop; jal; lw v0, 8(pc): from JAL's first halfword, at 2, not from 6
    let mut slot = machine(&[NOP, 0x181a, 0x0010, 0xb202, 1, 2, 3, 4], &[]);
    slot.state_mut().jump(FLASH + 3);
    assert_eq!((slot.step(), slot.step()), (Ok(1), Ok(1)));
    assert_eq!(slot.state().registers[Reg::V0], 0x0002_0001);
    // Where there is no slot, from the word that contains the instruction: nop; addiu v0, pc, 8
    let mut plain = machine(&[NOP, 0x0a02], &[]);
    assert_eq!((plain.step(), plain.step()), (Ok(1), Ok(1)));
    assert_eq!(plain.state().registers[Reg::V0], FLASH + 8);
    // lw v1, -8(pc), extended, at 0x48
    let mut code = vec![0x1111; 0x24];
    code.extend([0xf7ff, 0xb318]);
    let mut extended = machine(&code, &[]);
    extended.state_mut().jump(FLASH + 0x49);
    assert_eq!(extended.step(), Ok(1));
    assert_eq!(extended.state().registers[Reg(3)], 0x1111_1111);
}

#[test]
fn save_and_restore_take_a_cycle_for_each_register_and_one_for_the_stack_pointer() {
    // save 32, ra, s0, s1; li s0, 1; restore 32, ra, s0, s1
    let mut short = machine(&[0x64f4, 0x6801, 0x6474], &[]);
    assert_eq!((short.step(), short.step()), (Ok(4), Ok(1)));
    let mut stored = [0; 12];
    short.read(SP - 12, &mut stored).expect("RAM");
    let words: Vec<u32> =
        stored.chunks(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    assert_eq!(words, [0xa000_0010, 0xa000_0011, RA]);
    assert_eq!(short.state().registers[Reg::SP], SP - 32);
    assert_eq!(short.step(), Ok(4));
    let registers = &short.state().registers;
    assert_eq!((registers[Reg(16)], registers[Reg::SP], registers[Reg::RA]), (0xa000_0010, SP, RA));
    // save a0-a2, 0x120, ra, s0-s8, a3: three arguments, ten registers, a3
    let mut long = machine(&[0xf72d, 0x64f4, 0xf721, 0x6474], &[]);
    assert_eq!(long.step(), Ok(3 + 10 + 1 + 1));
    let mut at = |address: u32| {
        let mut word = [0; 4];
        long.read(address, &mut word).expect("RAM");
        u32::from_le_bytes(word) - 0xa000_0000
    };
    assert_eq!([SP, SP + 4, SP + 8].map(&mut at), [4, 5, 6]);
    let below = [31, 30, 23, 22, 21, 20, 19, 18, 17, 16, 7];
    for (number, register) in (1..).zip(below) {
        assert_eq!(at(SP - 4 * number), register);
    }
    assert_eq!(long.state().registers[Reg::SP], SP - 0x120);
    // restore 0x120, ra, s0-s8, a3: no arguments
    assert_eq!(long.step(), Ok(10 + 1 + 1));
    assert_eq!(long.state().registers[Reg::SP], SP);
    // The last register is waited for, the stack pointer comes behind it: restore 8, s0; addu v0, s0, s0
    assert_eq!(cost(&[0x6421, 0xe009], &[], 2), (3, 2));
    // A frame of no size in the encoding is one of 128: save 128
    does("save 128", &[0x6480], &[], 1, &[(29, SP - 128)], 2);
}

#[test]
fn faults() {
    let fault = |code: &[u16], before: &[(u8, u32)]| {
        let fault = machine(code, before).step().expect_err("a fault");
        assert_eq!(fault.pc, FLASH);
        let outcome = machine(code, before).run_to(0, &options());
        assert_eq!((outcome.exit, outcome.cycles, outcome.instructions), (Exit::Fault(fault), 0, 0));
        fault.kind
    };
    let undefined = |opcode| FaultKind::Undefined { opcode };
    // ld, daddiu, sd, lwu, daddu, dsll, i8 reserved, rr reserved, cnvt reserved, jalr ra, 64-bit
    for half in [0x3800, 0x4410, 0x7800, 0xb800, 0xe4a8, 0x32a1, 0x6600, 0xeca9, 0xec51, 0xe860, 0xf800] {
        assert_eq!(fault(&[half], &[]), undefined(half.into()), "{half:#x}");
    }
    // EXTEND in front of addu, jr ra, move, jal, another EXTEND; of save with the reserved arguments
    for half in [0xe4a9, 0xe820, 0x650c, 0x181a, 0xf000] {
        assert_eq!(fault(&[0xf000, half], &[]), undefined(0xf000_0000 | u32::from(half)), "{half:#x}");
    }
    assert_eq!(fault(&[0xf00f, 0x64f4], &[]), undefined(0xf00f_64f4));
    assert_eq!(fault(&[0xe825], &[]), FaultKind::Trap { opcode: 0xe825 }); // break 1
    assert_eq!(fault(&[0xe821], &[]), FaultKind::Trap { opcode: 0xe821 }); // sdbbp 1
    let unaligned = FaultKind::Unaligned { address: SP + 6, size: 4, access: Access::Read };
    assert_eq!(fault(&[0x9ca1], &[(4, SP + 2)]), unaligned);
    assert_eq!(fault(&[0xdca1], &[(4, FLASH)]), FaultKind::FlashWrite { address: FLASH + 4 });
    // save 32: the stack ends there
    let sp = RAM + 16;
    let overflow = FaultKind::StackOverflow { address: sp - 32, limit: RAM };
    let outcome = machine(&[0x6484], &[(29, sp)]).run_to(0, &options());
    assert_eq!(outcome.exit, Exit::Fault(Fault { kind: overflow, pc: FLASH }));
    // save 32, ra: so it is where a guard zone begins below the limit.
    let limit = RAM + 0x100;
    let zones = vec![Zone { start: RAM, end: limit, no_read: true, no_write: true }];
    let guarded = CallOptions { stack_limit: limit, zones, ..options() };
    let overflow = FaultKind::StackOverflow { address: limit - 32, limit };
    let outcome = machine(&[0x64c4], &[(29, limit)]).run_to(0, &guarded);
    assert_eq!(outcome.exit, Exit::Fault(Fault { kind: overflow, pc: FLASH }));
}

#[test]
fn code_of_mips16e_is_undefined_and_named_on_a_core_without_it() {
    let mut board = board(MemoryTiming::ZeroWait);
    board.core.extensions.clear();
    let code = NOP.to_le_bytes();
    let mut machine = MipsMachine::from_flash(&board, &code, 2, FLASH | 1).expect("the board is sound");
    let undefined = FaultKind::Undefined { opcode: NOP.into() };
    assert_eq!(machine.step(), Err(Fault { kind: undefined, pc: FLASH }));
    assert_eq!(machine.missing_extension(NOP.into()), Some("mips16e"));
    let mut machine = MipsMachine::from_flash(&board, &[0xff; 4], 4, FLASH).expect("the board is sound");
    assert!(machine.step().is_err());
    assert_eq!(machine.missing_extension(0xffff_ffff), None);
}

#[test]
fn faults_of_jumps() {
    let ends = |code: &[u16], to: u32| {
        let outcome = machine(code, &[(4, to), (31, to)]).run_to(0, &options());
        match outcome.exit {
            Exit::Fault(fault) => (fault.kind, fault.pc),
            exit => panic!("{exit:?}"),
        }
    };
    // What does not fit a delay slot, behind jr ra: b, jrc ra, an extended li
    for slot in [&[0x17ff][..], &[JRC_RA], &[0xf6df, 0x6a1c]] {
        let code = [&[0xe820], slot].concat();
        let opcode = slot[0].into();
        assert_eq!(ends(&code, FLASH | 1), (FaultKind::Undefined { opcode }, FLASH + 2));
    }
    // To nowhere as 16-bit code, to half a word as MIPS32
    let unmapped = FaultKind::Unmapped { address: 0x1234_5678, size: 2, access: Access::Execute };
    assert_eq!(ends(&[JRC_RA], 0x1234_5679), (unmapped, 0x1234_5678));
    let unaligned = FaultKind::Unaligned { address: FLASH + 2, size: 4, access: Access::Execute };
    assert_eq!(ends(&[JRC_RA], FLASH + 2), (unaligned, FLASH + 2));
    // An instruction whose second half is in no memory: 0xf000 at the end of RAM
    let mut at_the_end = machine(&[JRC_RA], &[(31, RAM + 0xfff)]);
    at_the_end.write(RAM + 0xffe, &[0x00, 0xf0]).expect("RAM");
    let kind = FaultKind::Unmapped { address: RAM + 0x1000, size: 2, access: Access::Execute };
    let fault = Fault { kind, pc: RAM + 0xffe };
    assert_eq!(at_the_end.run_to(0, &options()).exit, Exit::Fault(fault));
}

#[test]
fn code_in_ram_runs_too() {
    // jrc ra; in RAM: li v0, 7; jrc a0
    let mut machine = machine(&[JRC_RA], &[(31, RAM + 1), (4, FLASH + 0x101)]);
    machine.write(RAM, &[0x07, 0x6a, 0x80, 0xec]).expect("RAM");
    let outcome = machine.run_to(FLASH + 0x101, &options());
    assert_eq!((outcome.exit, outcome.result, outcome.cycles), (Exit::Returned, 7, 5));
}

/// save 24, ra; jal +0x10; li a0, 1; restore 24, ra; jrc ra; nop; (0x10) addiu v0, a0, 6; jr ra; nop
const CALLS: [u16; 11] = [0x64c3, 0x1808, 0, 0x6c01, 0x6443, JRC_RA, NOP, NOP, 0x4446, 0xe820, NOP];

fn calls() -> MipsMachine {
    let mut code = CALLS;
    let target = (FLASH + 0x10) >> 2 & 0x03ff_ffff;
    code[1] = (3 << 11 | (target >> 16 & 31) << 5 | target >> 21) as u16;
    code[2] = target as u16;
    // Start-up in MIPS32: lui sp, 0xa000; addiu sp, sp, 0xf00
    let mut bytes: Vec<u8> = code.iter().flat_map(|half| half.to_le_bytes()).collect();
    bytes.resize(0x40, 0);
    bytes.extend([0x3c1d_a000_u32, 0x27bd_0f00].iter().flat_map(|word| word.to_le_bytes()));
    let mut machine = loaded(&bytes, FLASH + 0x40, &[]);
    assert_eq!(machine.boot(FLASH + 0x48, 100).exit, Exit::Returned);
    machine.snapshot();
    machine
}

#[test]
fn functions_of_16_bits_are_called_and_observed() {
    let mut machine = calls();
    let outcome = machine.call(FLASH | 1, &[], &options());
    assert_eq!((outcome.exit, outcome.result, outcome.stack), (Exit::Returned, 7, 24));
    assert_eq!((outcome.cycles, outcome.instructions), (11, 8));
    machine.restore();
    let mut notes = Notes::default();
    assert_eq!(machine.call_observed(FLASH | 1, &[], &options(), &mut notes), Some(outcome));
    assert_eq!(
        notes.0,
        [
            "write 4 at 0xeec",
            "0x0 SAVE 2",
            "0x2 JAL 1",
            "0x6 LI 1",
            "called 0x10 with 0xed7",
            "0x10 ADDIU 1",
            "0x12 JR 1",
            "0x14 MOVE 1",
            "returned with 0xed8",
            "read 4 at 0xeec",
            "0x8 RESTORE 2",
            "0xa JRC 2",
            "returned with 0xef0",
        ]
    );
    machine.restore();
    let zones = vec![Zone { start: RAM, end: RAM + 4, no_read: true, no_write: true }];
    assert_eq!(machine.call(FLASH | 1, &[], &CallOptions { zones, ..options() }), outcome);
    machine.restore();
    // SAVE's place is its own stack; a store below it is not: sw ra, -4(sp), extended
    let mut below = calls();
    below.write(RAM + 0x100, &[0xff, 0xf7, 0x1c, 0x62]).expect("RAM");
    let zones = vec![Zone { start: RAM, end: RAM + 4, no_read: true, no_write: true }];
    let outcome = below.call(RAM + 0x101, &[], &CallOptions { zones, ..options() });
    let address = below.stack_top() - 16 - 4;
    let kind = FaultKind::FreeStack { address, size: 4, access: Access::Write };
    assert_eq!(outcome.exit, Exit::Fault(Fault { kind, pc: RAM + 0x100 }));
}
