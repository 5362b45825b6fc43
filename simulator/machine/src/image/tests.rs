//! A small linked program (`tests/data/lines.c`), whole and damaged in every way.

use super::{Architecture, Image, ImageError};
use crate::board::{Memory, MemoryKind, MemoryTiming};

const LINES: &[u8] = include_bytes!("../../tests/data/lines.elf");
/// Code of 16 bits and of 32 (`tests/data/short.c`).
const SHORT: &[u8] = include_bytes!("../../tests/data/short.elf");

fn patched(patches: &[(usize, &[u8])]) -> Result<Image, ImageError> {
    let mut file = LINES.to_vec();
    for &(at, bytes) in patches {
        file[at..at + bytes.len()].copy_from_slice(bytes);
    }
    Image::parse(&file)
}

fn flash(base: u32, size: u32) -> Memory {
    Memory { name: "flash".to_owned(), kind: MemoryKind::Flash, base, size, timing: MemoryTiming::ZeroWait }
}

#[test]
fn segments_lie_at_their_load_addresses() {
    let image = Image::parse(LINES).expect("good");
    assert_eq!(image.architecture, Architecture::Avr);
    assert_eq!(image.entry, 0);
    let places: Vec<_> = image.segments.iter().map(|s| (s.address, s.bytes.len())).collect();
    assert_eq!(places, [(0, 0x2a), (0x2a, 2)], ".data follows .text in flash");
    assert_eq!(image.segments[1].bytes, [7, 0]);
    let bytes = image.flash_bytes(&flash(0, 0x40), |_| true).expect("fits");
    assert_eq!(&bytes[..2], [0x20, 0x91]);
    assert_eq!(&bytes[0x2a..0x2d], [7, 0, 0xff]);
}

#[test]
fn symbols_by_name_and_by_address() {
    let image = Image::parse(LINES).expect("good");
    let add = image.symbol("add_three").expect("there");
    assert_eq!((add.address, add.size, add.is_function), (0, 16, true));
    let counter = image.symbol("counter").expect("there");
    assert_eq!((counter.address, counter.size, counter.is_function), (0x80_0100, 2, false));
    assert!(image.symbol("absent").is_none());
    let name = |address| image.function_at(address).map(|s| s.name.as_str());
    assert_eq!(name(0), Some("add_three"));
    assert_eq!(name(0xf), Some("add_three"));
    assert_eq!(name(0x10), Some("after"), "a label without a size");
    assert_eq!(name(0x13), Some("after"), "reaches to the next function");
    assert_eq!(name(0x29), Some("main"));
    assert_eq!(name(0x2a), None, "past the end of the section");
    assert_eq!(name(0x80_0100), None, "data is no function");
}

#[test]
fn lines_come_from_the_debug_information() {
    let image = Image::parse(LINES).expect("good");
    assert_eq!(image.line(0x08).as_deref(), Some("./lines.c:9"));
    assert_eq!(image.line(0x24).as_deref(), Some("./lines.c:23"));
    assert_eq!(image.line(0x4000), None);
}

#[test]
fn code_of_16_bits_has_even_addresses_and_is_told_apart() {
    let image = Image::parse(SHORT).expect("good");
    assert_eq!(image.architecture, Architecture::Mips);
    let address = |name| image.symbol(name).map(|symbol| symbol.address);
    assert_eq!((address("add_three"), address("wide")), (Some(0x40_0000), Some(0x40_0004)));
    assert_eq!(image.mips16().collect::<Vec<_>>(), [0x40_0000]);
    // Debug information has odd addresses for the one, even ones for the other.
    assert_eq!(image.line(0x40_0000).as_deref(), Some("./short.c:10"));
    assert_eq!(image.line(0x40_0002).as_deref(), Some("./short.c:10"));
    assert_eq!(image.line(0x40_0018).as_deref(), Some("./short.c:15"));
    let none = Image::parse(LINES).expect("good");
    assert_eq!(none.mips16().count(), 0);
}

#[test]
fn each_damage_has_its_error() {
    let error = |patches: &[(usize, &[u8])]| patched(patches).expect_err("must be refused");
    assert_eq!(Image::parse(b"").expect_err("empty"), ImageError::NotElf);
    assert_eq!(Image::parse(b"MZ and more").expect_err("not ELF"), ImageError::NotElf);
    assert_eq!(Image::parse(&LINES[..20]).expect_err("no header"), ImageError::Truncated);
    assert_eq!(Image::parse(&LINES[..0x60]).expect_err("no tables"), ImageError::Truncated);
    assert_eq!(Image::parse(&LINES[..0x800]).expect_err("no section table"), ImageError::Truncated);
    assert_eq!(error(&[(4, &[2])]), ImageError::Class);
    assert_eq!(error(&[(5, &[2])]), ImageError::Endianness);
    assert_eq!(error(&[(16, &[1, 0])]), ImageError::NotLinked);
    assert_eq!(error(&[(18, &[62, 0])]), ImageError::UnknownMachine(62));
    // The second program header starts at 52 + 32: p_offset +4, p_paddr +12, p_filesz +16, p_memsz +20.
    assert_eq!(error(&[(84 + 12, &[0x28, 0, 0, 0])]), ImageError::Overlap { address: 0x28 });
    assert_eq!(error(&[(84 + 4, &[0, 0, 0, 0x40])]), ImageError::Truncated);
    assert_eq!(error(&[(84 + 4, &[0xff; 4])]), ImageError::Truncated);
    assert_eq!(error(&[(84 + 20, &[0xff; 4])]), ImageError::TooLarge { address: 0x2a, size: 0xffff_ffff });
    assert_eq!(error(&[(84 + 16, &[0, 0, 0, 2])]), ImageError::TooLarge { address: 0x2a, size: 0x200_0000 });
    assert!(matches!(error(&[(84 + 12, &[0xff; 4])]), ImageError::Malformed(_)));
    assert!(matches!(error(&[(84 + 16, &[1])]), ImageError::Malformed(_)));
    assert_eq!(error(&[(52, &[0]), (84, &[0])]), ImageError::Empty);
}

#[test]
fn every_error_is_one_sentence_with_a_remedy() {
    let all = [
        ImageError::NotElf,
        ImageError::Class,
        ImageError::Endianness,
        ImageError::NotLinked,
        ImageError::UnknownMachine(62),
        ImageError::WrongMachine { found: Architecture::Arm, needed: Architecture::Avr },
        ImageError::Truncated,
        ImageError::Malformed("x".to_owned()),
        ImageError::TooLarge { address: 1, size: 2 },
        ImageError::Overlap { address: 1 },
        ImageError::Empty,
        ImageError::OutsideFlash { address: 1, size: 2, base: 3, flash: 4 },
    ];
    for error in all {
        let message = error.to_string();
        assert!(!message.contains('\n') && message.contains("; "), "{message}");
    }
}

#[test]
fn an_image_is_refused_by_the_wrong_core_and_by_a_small_flash() {
    let image = Image::parse(LINES).expect("good");
    assert_eq!(image.require(Architecture::Avr), Ok(()));
    assert_eq!(
        image.require(Architecture::Arm),
        Err(ImageError::WrongMachine { found: Architecture::Avr, needed: Architecture::Arm })
    );
    let outside = |base, size| image.flash_bytes(&flash(base, size), |_| true).expect_err("outside");
    assert_eq!(outside(0, 0x2b), ImageError::OutsideFlash { address: 0x2a, size: 2, base: 0, flash: 0x2b });
    assert!(matches!(outside(0x10, 0x100), ImageError::OutsideFlash { address: 0, .. }));
    assert!(image.flash_bytes(&flash(0, 0x2a), |s| s.address < 0x2a).is_ok());
}

/// Cut at every length and with random bytes changed: an answer, never a panic or a hang.
#[test]
fn damaged_files_never_panic() {
    for length in 0..LINES.len() {
        let _ = Image::parse(&LINES[..length]).map(|image| image.line(0));
    }
    let mut state = 1u64;
    let mut next = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    for round in 0..4_000 {
        let mut file = LINES.to_vec();
        for _ in 0..=round % 8 {
            // Half of the damage hits the headers.
            let reach = if round % 2 == 0 { 120 } else { file.len() };
            let at = next(reach);
            file[at] = next(256) as u8;
        }
        if let Ok(image) = Image::parse(&file) {
            for address in [0, 8, 0x24, 0x80_0100, u32::MAX] {
                let _ = (image.line(address), image.function_at(address));
            }
            let _ = image.flash_bytes(&flash(0, 0x8000), |_| true);
        }
    }
}
