use pennyweight_avr::AvrMachine;
use pennyweight_machine::Arg;

use super::{Instruction, State};
use crate::avr::models::choose;
use crate::avr::operands::operands;
use crate::places::Place;
use crate::traced::{Accessed, Executed, Receiver, Source, Tracker};

const RAM: u32 = 0x80_0200;

/// R10 to R17 and R18 to R25 when the code begins, and R8 and R9: the address of RAM.
const LOW: u64 = 0x1716_1514_1312_1110;
const HIGH: u64 = 0x8847_c635_b413_a291;

/// All changes, with the register, the old and the new value.
#[derive(Default)]
struct Seen(Vec<(Place, Option<u8>, u8, u8)>, Tracker);

impl Receiver for Seen {
    fn executed(&mut self, executed: &impl Executed, accesses: &[Accessed]) {
        self.1.executed(executed, accesses);
    }

    fn change(&mut self, place: Place, register: Option<u8>, old: u32, new: u32, source: Source) {
        self.0.push((place, register, old as u8, new as u8));
        self.1.change(place, register, old, new, source);
    }
}

impl Seen {
    fn at(&self, place: Place) -> Vec<(u8, u8)> {
        self.0.iter().filter(|each| each.0 == place).map(|&(_, _, old, new)| (old, new)).collect()
    }

    fn registers(&self) -> Vec<(u8, u8, u8)> {
        let of = |each: &&(Place, Option<u8>, u8, u8)| each.0 == Place::Register;
        self.0.iter().filter(of).map(|&(_, register, old, new)| (register.unwrap_or(99), old, new)).collect()
    }

    /// The accessed register, its neighbour, and the values of both.
    fn neighbours(&self) -> Vec<(u8, u8, u8, u8)> {
        let beside = |&(place, register, old, new): &(Place, Option<u8>, u8, u8)| match (place, register) {
            (Place::Neighbour(neighbour), Some(register)) => Some((register, neighbour, new, old)),
            _ => None,
        };
        self.0.iter().filter_map(beside).collect()
    }
}

fn run_with(board: &str, code: &[u16], ram: &[u8], tracker: Tracker) -> Seen {
    let board = pennyweight_bundled::board(board);
    let flash: Vec<u8> = code.iter().chain(&[0x9508]).flat_map(|word| word.to_le_bytes()).collect();
    let mut machine = AvrMachine::with_flash(&board, &flash).expect("a good board");
    let args = [Arg::U64(HIGH), Arg::U64(LOW), Arg::Pointer(RAM)];
    let entry = machine.entry(0, &args).expect("a function");
    let mut run = machine.run_beside();
    run.write(&machine, RAM, ram);
    run.enter(&entry);
    let model = choose(&board.core.timing).expect("a model");
    let (mut state, mut seen) = (State::default(), Seen(Vec::new(), tracker));
    seen.1.recording = true;
    while run.pc() < 2 * code.len() as u32 {
        let pc = run.pc();
        let of = Instruction { pc, operands: operands(&machine.op(pc).expect("an instruction")) };
        assert_eq!(state.step(&of, model, &machine, &mut run, &mut seen), Ok(()));
        seen.1.now += 1;
    }
    seen
}

fn run(code: &[u16]) -> Seen {
    run_with("atmega328p", code, &[0x51, 0x52, 0x53], Tracker::default())
}

/// movw r26, r8
const POINT: u16 = 0x01d4;

#[test]
fn registers_are_overwritten() {
    // eor r18, r19; ldi r18, 5
    let seen = run(&[0x2723, 0xe025]);
    assert_eq!(seen.registers(), [(18, 0x91, 0x33), (18, 0x33, 5)]);
}

#[test]
fn operands_follow_each_other() {
    // eor r18, r19; eor r20, r21; lsr r22; andi r23, 3; mov r24, r25
    let seen = run(&[0x2723, 0x2745, 0x9566, 0x7073, 0x2f89]);
    assert_eq!(seen.at(Place::Operand1), [(0, 0x91), (0x91, 0x13), (0x13, 0x35), (0x35, 0xc6)]);
    assert_eq!(seen.at(Place::Operand2), [(0, 0xa2), (0xa2, 0xb4), (0xb4, 3), (3, 0x88)]);
}

#[test]
fn operations_on_words_have_two_steps() {
    // adiw r24, 0x3f; movw r18, r20
    let seen = run(&[0x96cf, 0x019a]);
    assert_eq!(seen.at(Place::Operand1), [(0, 0x47), (0x47, 0x88)]);
    assert_eq!(seen.at(Place::Operand2), [(0, 0x3f), (0x3f, 0), (0, 0x13), (0x13, 0xb4)]);
    assert_eq!(seen.registers(), [(24, 0x47, 0x86), (25, 0x88, 0x88), (18, 0x91, 0x13), (19, 0xa2, 0xb4)]);
}

#[test]
fn products_are_in_the_first_two_registers() {
    // mul r18, r19
    let seen = run(&[0x9f23]);
    let product = (0x91u16 * 0xa2).to_le_bytes();
    assert_eq!(seen.registers(), [(0, 0, product[0]), (1, 0, product[1])]);
    assert_eq!((seen.at(Place::Operand1), seen.at(Place::Operand2)), (vec![(0, 0x91)], vec![(0, 0xa2)]));
}

#[test]
fn loads_and_stores_follow_each_other_on_the_bus() {
    // movw r26, r8; ld r18, X+; st X+, r19; ld r20, X; lds r21, RAM; sts RAM, r22
    let code = [POINT, 0x912d, 0x933d, 0x914c, 0x9150, 0x0200, 0x9360, 0x0200];
    for board in ["atmega328p", "atmega128"] {
        let seen = run_with(board, &code, &[0x51, 0x52, 0x53], Tracker::default());
        assert_eq!(
            seen.at(Place::DataBus),
            [(0, 0x51), (0x51, 0xa2), (0xa2, 0x53), (0x53, 0x51), (0x51, 0x35)],
            "{board}"
        );
        assert_eq!(seen.at(Place::Memory), [(0x52, 0xa2), (0x51, 0x35)], "{board}");
        // A load changes its register and its pointer.
        assert_eq!(seen.registers()[2..5], [(18, 0x91, 0x51), (26, 0, 1), (27, 2, 2)], "{board}");
        // Loads and stores do not change the latches.
        assert_eq!(seen.at(Place::Operand2).len(), 2, "{board}");
    }
}

#[test]
fn the_stack_and_flash_are_on_the_bus_too() {
    // push r18; pop r19; ldi r30, 1; ldi r31, 0; lpm r20, Z+; in r21, SREG
    let seen = run(&[0x932f, 0x913f, 0xe0e1, 0xe0f0, 0x9145, 0xb75f]);
    assert_eq!(seen.at(Place::DataBus), [(0, 0x91), (0x91, 0x91), (0x91, 0x93), (0x93, 0)]);
    assert_eq!(seen.at(Place::Memory), [(0, 0x91)]);
    assert_eq!(seen.registers()[0], (19, 0xa2, 0x91));
    assert_eq!(seen.registers()[3..6], [(20, 0x13, 0x93), (30, 1, 2), (31, 0, 0)]);
    // rcall +0: both bytes of the return address
    let called = run(&[0xd000]);
    assert_eq!(called.at(Place::DataBus), [(0, 1), (1, 0)]);
    assert_eq!(called.at(Place::Memory), [(0, 1), (0, 0)]);
}

#[test]
fn comparisons_are_values() {
    // cp r19, r18 (no carry); cpc r18, r19 (0x91 - 0xa2 = -0x11, then a carry); cpi r20, 0x10; cpse r22, r21
    let seen = run(&[0x1732, 0x0723, 0x0732, 0x3140, 0x1365, 0x0000]);
    assert_eq!(seen.at(Place::Result), [(0, 0x11), (0, 0xef), (0, 0x10), (0, 3), (0, 0x81)]);
    assert_eq!(seen.registers(), []);
    // sbrc r18, 0; bst r18, 0: the bit is in no place, the register is an operand
    let tested = run(&[0xfd20, 0xfb20]);
    assert_eq!((tested.at(Place::Result), tested.at(Place::Operand1).len()), (vec![], 2));
}

#[test]
fn an_access_to_a_register_shows_its_neighbour() {
    // mov r20, r18: r18 and then r20 are accessed
    assert_eq!(run(&[0x2f42]).neighbours(), [(18, 19, 0x91, 0xa2), (20, 21, 0x91, 0xb4)]);
    // eor r18, r18: once before and once after
    assert_eq!(run(&[0x2722]).neighbours(), [(18, 19, 0x91, 0xa2), (18, 19, 0, 0xa2)]);
    // movw r26, r8; st X+, r19: the pointer is not data
    assert_eq!(run(&[POINT, 0x933d]).neighbours()[4..], [(19, 18, 0xa2, 0x91)]);
    // mov r0, r18: r0 shows all others
    let all = run(&[0x2e02]).neighbours();
    assert_eq!((all.len(), all[1], all[31]), (32, (0, 1, 0x91, 0), (0, 31, 0x91, 0)));
    assert!(all.contains(&(0, 21, 0x91, 0xb4)));
    // On AVRxt too
    let other = run_with("atmega4809", &[0x2f42], &[], Tracker::default());
    assert_eq!(other.neighbours().len(), 2);
}

/// A key byte in RAM, a random word after it: their sum, and which instruction put each where.
#[test]
fn the_first_trace_shows_where_values_come_from() {
    let mut tracker = Tracker::default();
    tracker.input(RAM, 1);
    tracker.random_word(RAM + 1);
    // movw r26, r8; ld r18, X+; ld r22, X; eor r18, r22; sts RAM, r18; mov r23, r18; ld r20, X; bst r18, 0;
    // bld r21, 0
    let code = [POINT, 0x912d, 0x916c, 0x2726, 0x9320, 0x0200, 0x2f72, 0x914c, 0xfb20, 0xf950];
    let changes = run_with("atmega328p", &code, &[0xf0, 0x12], tracker).1.changes;
    let at = |instruction, place, register| {
        let found =
            changes.iter().find(|c| (c.instruction, c.place, c.register) == (instruction, place, register));
        *found.unwrap_or_else(|| panic!("{instruction} {place:?}"))
    };
    let bus = at(2, Place::DataBus, None);
    assert_eq!((bus.old.address, bus.new.address), (Some(RAM), Some(RAM + 1)));
    assert!(bus.old.label.has_input() && !bus.new.label.has_input());
    assert_eq!(bus.new.label.words().collect::<Vec<_>>(), [0]);
    let sum = at(3, Place::Register, Some(18));
    assert_eq!((sum.old.set, sum.old.address), (Some(1), Some(RAM)));
    assert!(sum.new.label.has_input() && sum.new.label.words().count() == 1);
    let cell = at(4, Place::Memory, None);
    assert_eq!((cell.old.set, cell.new.made, cell.new.register), (None, Some(3), Some(18)));
    assert!(cell.old.label.has_input() && cell.old.label.words().count() == 0);
    let copy = at(5, Place::Operand2, None);
    assert_eq!((copy.new.set, copy.new.made, copy.new.register), (Some(5), Some(3), Some(18)));
    let beside = at(5, Place::Neighbour(22), Some(23));
    assert_eq!((beside.old.register, beside.new.register), (Some(22), Some(23)));
    assert!(!beside.old.label.has_input() && beside.new.label.has_input());
    // The pointer is made of its old value, not of what was loaded through it; the bit in T, of its register.
    assert!(!at(1, Place::Register, Some(26)).new.label.has_input());
    assert!(!at(6, Place::Register, Some(20)).new.label.has_input());
    assert!(at(8, Place::Register, Some(21)).new.label.has_input());
}
