//! The effects of instructions, inferred by executing them on generated values.
//!
//! What is inferred is of the registers in the window; [`physical`] maps them to the physical registers.

use pennyweight_machine::effects::{infer, Effects, Question, Sources, Trial, Tried, CELLS};
use pennyweight_machine::fault::NO_FAULT;
use pennyweight_memory::trial::TrialBus;

use crate::core::Options;
use crate::decode::{B4CONST, B4CONSTU};
use crate::execute::execute;
use crate::op::{Code, Flow, Op, Reg, Registers};
use crate::special::{self, Effect, Extra, Special};
use crate::windows::{Windows, PS_WOE};

/// Cells from here on are no address registers.
const OTHERS: usize = 64;
/// SAR, ACCLO, ACCHI, M0 to M3, BR, SCOMPARE1, EXCSAVE1, THREADPTR, and the bits that each has.
const BITS: [u32; 11] = [6, 32, 8, 32, 32, 32, 32, 16, 32, 32, 32];
/// Cells 0 to 15 are a0 to a15.
const WIDTHS: [u32; OTHERS + BITS.len()] = {
    let mut widths = [0; OTHERS + BITS.len()];
    let mut i = 0;
    while i < 16 {
        widths[i] = 32;
        i += 1;
    }
    i = 0;
    while i < BITS.len() {
        widths[OTHERS + i] = BITS[i];
        i += 1;
    }
    widths
};
/// Where the made-up instruction is, and what follows it.
const PLACE: (u32, u32) = (0x1000, 0x1003);

/// What `op` does to what is in the window.
pub fn effects(op: &Op) -> Effects {
    let special = (op.code == Code::Special).then(|| special::decode(op.imm, Options::ALL)).flatten();
    if let Some(steered) = special.and_then(|special| steers(&special)) {
        return steered;
    }
    let constants = usize::from(op.d.0 & 15);
    let named = [op.imm, B4CONST[constants], B4CONSTU[constants]];
    let hints: Vec<u32> = named.iter().flat_map(|&n| [n, n.wrapping_neg(), !n, n.wrapping_add(1)]).collect();
    let question = Question { widths: &WIDTHS, load_width: 32, hints: &hints };
    let mut effects = infer(question, |trial| try_once(op, trial));
    match op.code {
        Code::Call0 | Code::Callx0 => effects.writes.push((0, Sources::default())),
        // How often the core goes back determines where the program continues.
        Code::Loop | Code::Loopnez | Code::Loopgtz => effects.flow |= cell(op.s),
        _ => {}
    }
    effects
}

/// The same of physical registers, when the window is at `windows`.
pub fn physical(effects: &Effects, windows: &Windows) -> Effects {
    let (first, number) = (4 * windows.base, windows.registers());
    let place = |cell: u32| if cell < 16 { (cell + first) % number } else { cell };
    let sources = |old: &Sources| {
        let in_window = (0..16).filter(|cell| old.cells >> cell & 1 != 0);
        let moved = in_window.fold(0, |cells, cell| cells | 1 << place(cell));
        Sources { cells: old.cells >> OTHERS << OTHERS | moved, loads: old.loads }
    };
    Effects {
        writes: effects
            .writes
            .iter()
            .map(|(cell, from)| (place((*cell).into()) as u8, sources(from)))
            .collect(),
        stores: effects.stores.iter().map(sources).collect(),
        address: sources(&effects.address),
        flow: sources(&effects.flow),
        time: sources(&effects.time),
    }
}

/// ENTRY has moved the window from `before` to `now`: its new stack pointer is made of the old one.
pub fn entered(op: &Op, before: &Windows, now: &Windows) -> Option<Effects> {
    let Some(Special::Entry(s, _)) = special::decode(op.imm, Options::ALL) else { return None };
    let moved = |number: u32, windows: &Windows| (number + 4 * windows.base) % windows.registers();
    let from = Sources { cells: 1 << moved(s.0.into(), before), loads: 0 };
    let to = moved(Reg::SP.0.into(), now) as u8;
    (op.code == Code::Special).then(|| Effects { writes: vec![(to, from)], ..Effects::default() })
}

/// Effects of what moves the window or decides where the program continues: it is not tried.
fn steers(special: &Special) -> Option<Effects> {
    let goes = |reg: Reg| Effects { flow: cell(reg), ..Effects::default() };
    match *special {
        Special::Return => Some(goes(Reg::A0)),
        Special::Entry(..) | Special::Rotate(_) | Special::LeaveHandler(_) | Special::LeaveException => {
            Some(Effects::default())
        }
        Special::Write(t, number) if decides(number) => Some(goes(t)),
        Special::Exchange(t, number) if decides(number) => {
            Some(Effects { writes: vec![(t.0, Sources::default())], ..goes(t) })
        }
        _ => None,
    }
}

/// Special registers that decide where the program continues, or where the window is: LBEG, LEND, LCOUNT,
/// WINDOWBASE, WINDOWSTART, EPC1, PS, VECBASE.
fn decides(number: u32) -> bool {
    matches!(number, 0..=2 | 72 | 73 | 177 | 230 | 231)
}

fn cell(reg: Reg) -> Sources {
    Sources { cells: 1 << (reg.0 & 15), loads: 0 }
}

fn try_once(op: &Op, trial: &Trial) -> Tried {
    let mut registers = Registers::default();
    for number in 0..16 {
        registers[Reg(number)] = trial.cells[usize::from(number)];
    }
    let mut sar = trial.cells[OTHERS];
    let mut extra = extra(trial);
    let mut bus = TrialBus::new(trial);
    let next = match execute(op, &mut registers, &mut sar, &mut bus, &mut NO_FAULT.clone()) {
        Flow::Taken => 1,
        Flow::To(target) | Flow::Call(target) => target,
        Flow::Fault => 2,
        Flow::Special => match special::execute(op.imm, PLACE, &mut registers, &mut extra, &mut bus) {
            Ok(Effect::On | Effect::Moved | Effect::Changed) => 0,
            Ok(Effect::To(target) | Effect::Taken(target)) => target,
            Ok(Effect::Exception(_)) => 1,
            Err(_) => 2,
        },
        _ => 0,
    };
    let mut cells = [0; CELLS];
    for (number, cell) in (0..16).zip(&mut cells) {
        *cell = registers[Reg(number)];
    }
    let mac = &extra.mac;
    let [m0, m1, m2, m3] = mac.data;
    let save = extra.windows.save;
    let others = [
        sar,
        mac.low(),
        mac.high() & 0xff,
        m0,
        m1,
        m2,
        m3,
        extra.booleans,
        extra.compare,
        save,
        extra.thread,
    ];
    cells[OTHERS..OTHERS + BITS.len()].copy_from_slice(&others);
    bus.tried(cells, next, 0)
}

/// Windows are on, and the caller's registers are in the register file.
fn extra(trial: &Trial) -> Extra {
    let others = &trial.cells[OTHERS..];
    let mut windows = Windows::new(64);
    (windows.ps, windows.start, windows.save) = (PS_WOE, 1 | 1 << 15, others[9]);
    let mut extra =
        Extra { windows, booleans: others[7], compare: others[8], thread: others[10], ..Extra::default() };
    extra.mac.set_low(others[1]);
    extra.mac.set_high(others[2]);
    extra.mac.data.copy_from_slice(&others[3..7]);
    extra
}

#[cfg(test)]
mod tests {
    use super::{effects, entered, physical, OTHERS};
    use crate::core::Options;
    use crate::decode::plain;
    use crate::windows::Windows;
    use pennyweight_machine::effects::{Effects, Sources};

    fn of(word: u32) -> Effects {
        effects(&plain(word, 0x1000, Options::ALL))
    }

    fn cells(numbers: &[usize]) -> Sources {
        Sources { cells: numbers.iter().map(|n| 1 << n).sum(), loads: 0 }
    }

    const LOAD: Sources = Sources { cells: 0, loads: 1 };
    const SAR: usize = OTHERS;
    const ACC: [usize; 2] = [OTHERS + 1, OTHERS + 2];

    #[test]
    fn registers_flow_as_the_manual_says() {
        // sub a5, a3, a4; xor a5, a3, a3; moveqz a5, a3, a4; srl a5, a4
        assert_eq!(of(0xc0_5340).writes, [(5, cells(&[3, 4]))]);
        assert_eq!(of(0x30_5330).writes, [(5, cells(&[]))]);
        assert_eq!(of(0x83_5340).writes, [(5, cells(&[3, 4, 5]))]);
        assert_eq!(of(0x91_5040).writes, [(5, cells(&[4, SAR]))]);
        // l32i a5, a3, 4; s8i a5, a4, 3; beqi a3, 8, +; ssl a3
        let load = of(0x01_2352);
        assert_eq!((load.writes, load.address), (vec![(5, LOAD)], cells(&[3])));
        let store = of(0x03_4452);
        assert_eq!((store.stores, store.address), (vec![cells(&[5])], cells(&[4])));
        assert_eq!(of(0x04_8326).flow, cells(&[3]));
        assert_eq!(of(0x40_1300).writes, [(SAR as u8, cells(&[3]))]);
    }

    #[test]
    fn what_few_programs_use_is_followed_too() {
        // mula.aa.ll a3, a4; rsr.acclo a5; wsr.acclo a5; umul.aa.ll a3, a4
        let product = of(0x78_0344);
        assert_eq!(product.written(ACC[0] as u8), Some(cells(&[3, 4, ACC[0]])));
        assert_eq!(of(0x03_1050).writes, [(5, cells(&[ACC[0]]))]);
        assert_eq!(of(0x13_1050).writes, [(ACC[0] as u8, cells(&[5]))]);
        assert_eq!(of(0x70_0344).written(ACC[0] as u8), Some(cells(&[3, 4])));
        // loop a3, +: how often decides where it continues; s32c1i a5, a3, 0; l32e a5, a3, -16; movsp a5, a3
        assert_eq!(of(0x03_8376).flow, cells(&[3]));
        let swap = of(0x00_e352);
        assert_eq!((swap.written(5), swap.address), (Some(LOAD), cells(&[3])));
        assert_eq!(of(0x09_c350).writes, [(5, LOAD)]);
        assert_eq!(of(0x00_1350).writes, [(5, cells(&[3]))]);
        // retw; callx8 a3: its return address is not secret; wsr.lcount a5
        assert_eq!(of(0x00_0090).flow, cells(&[0]));
        let call = of(0x00_03e0);
        assert_eq!((call.flow, call.writes), (cells(&[3]), vec![(8, cells(&[]))]));
        assert_eq!(of(0x13_0250).flow, cells(&[5]));
    }

    #[test]
    fn the_window_tells_which_registers_are_meant() {
        let mut windows = Windows::new(64);
        windows.base = 15;
        // srl a5, a2: a5 is the first register past the end of the file, and one more
        let shifted = physical(&of(0x91_5020), &windows);
        assert_eq!(shifted.writes, [(1, cells(&[62, SAR]))]);
        // entry a1, 32: from the caller's window to a new one
        let mut now = windows;
        now.base = 1;
        let entry = entered(&plain(0x00_4136, 0x1000, Options::ALL), &windows, &now).expect("an entry");
        assert_eq!(entry.writes, [(5, cells(&[61]))]);
    }
}
