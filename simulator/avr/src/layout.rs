//! From a board's memories to an AVR's address spaces.

use pennyweight_machine::{Board, BoardError, Memory, MemoryKind, MemoryTiming};

use crate::cpu::{io, Map, Range, DATA_BASE, SPACE};
use crate::timing::Core;

/// Flash of at most this many bytes is reached by a 16-bit program counter.
const LARGEST_FLASH: u32 = 128 << 10;
/// One past the last ELF address of data space.
const DATA_END: u64 = DATA_BASE as u64 + SPACE as u64;
/// Where I/O, signature and user rows and EEPROM end on AVRxt parts (ATmega808/1608/3208/4808/809/
/// 1609/3209/4809 data sheet, DS40002173, section 6.2 "Memory Map").
const XT_IO_END: u32 = 0x1500;

/// A core with its memories.
pub(crate) struct Layout {
    pub core: Core,
    /// Bytes of flash.
    pub flash: u32,
    pub map: Map,
}

impl Layout {
    /// Reads a board; one that no AVR with a 16-bit program counter is like is refused.
    pub fn of(board: &Board) -> Result<Layout, BoardError> {
        let core = Core::of_file(&board.core, &board.all_extensions()?)?;
        let refuse = |what: &str| Err(BoardError(format!("{}: {what}", board.source)));
        let (flash, ram, window) = match (core.maps_registers, board.memories.as_slice()) {
            (_, [flash, ram]) if are_flash_and_ram(flash, ram) => (flash, ram, None),
            (false, [flash, ram, window])
                if are_flash_and_ram(flash, ram) && window.kind == MemoryKind::Flash =>
            {
                (flash, ram, Some(window))
            }
            (true, _) => {
                return refuse("an AVR has one flash and, above it, one ram; correct the [[memory]] tables");
            }
            (false, _) => {
                return refuse(
                    "an AVRxt has one flash, above it one ram, and above that the window of kind \"flash\" \
                     through which loads reach flash; correct the [[memory]] tables",
                );
            }
        };
        if board.memories.iter().any(|m| m.timing != MemoryTiming::ZeroWait) {
            return refuse("an AVR's memories have no wait states; write timing = { model = \"zero-wait\" }");
        }
        if flash.base != 0 || flash.size > LARGEST_FLASH || flash.size & 1 != 0 {
            return refuse(&format!(
                "flash must start at 0 and have an even size of at most {LARGEST_FLASH} bytes; correct base \
                 and size"
            ));
        }
        let io_end = if core.maps_registers { u32::from(io::SREG) + 1 } else { XT_IO_END };
        if ram.base < DATA_BASE + io_end || ram.end() > DATA_END {
            return refuse(&format!(
                "ram must lie in data space, {:#x} to {DATA_END:#x}; correct base and size",
                DATA_BASE + io_end
            ));
        }
        if window.is_some_and(|window| window.end() > DATA_END || window.size > flash.size) {
            return refuse(
                "the window of flash must lie in data space, below 0x810000, and be no larger than flash; \
                 correct base and size",
            );
        }
        let range = |memory: &Memory| Range { base: memory.base - DATA_BASE, size: memory.size };
        let sram = range(ram);
        let map = Map {
            io_end: if core.maps_registers { sram.base } else { XT_IO_END },
            sram,
            flash: window.map_or(Range { base: 0, size: 0 }, range),
        };
        Ok(Layout { core, flash: flash.size, map })
    }
}

fn are_flash_and_ram(flash: &Memory, ram: &Memory) -> bool {
    flash.kind == MemoryKind::Flash && ram.kind == MemoryKind::Ram
}
