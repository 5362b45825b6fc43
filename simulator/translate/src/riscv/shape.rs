//! What translated code depends on, from a board.

use pennyweight_machine::board::timing::MOST_WAYS;
use pennyweight_machine::board::{MemoryKind, MemoryTiming};
use pennyweight_machine32::Parts;
use pennyweight_riscv::core::{Core, Division, JumpCosts, PredictorSize};
use pennyweight_riscv::registers::Reg;

use crate::layout::{CacheShape, PredictorShape, Shape};

/// Larger memories are not copied.
const MOST_RAM: usize = 1 << 20;
/// Larger programs are not translated.
const MOST_FLASH: usize = 1 << 24;
/// Caches with more lines in a set would take too much code.
const WAYS: u32 = 4;

/// What the code of a machine with these parts depends on; `None` if it cannot be translated.
#[must_use]
pub fn shape(parts: &Parts<'_>, core: &Core) -> Option<Shape> {
    let memories = parts.memories;
    let flash = parts.board.memories.iter().find(|memory| memory.kind == MemoryKind::Flash)?;
    let (cache, data_wait) = match flash.timing {
        MemoryTiming::ZeroWait => (None, 0),
        MemoryTiming::InstructionCache { size, ways, miss, data_read, .. } => {
            // As `InstructionCache::new` has it.
            let line_shift = parts.flash.line_shift()?;
            let ways = ways.clamp(1, MOST_WAYS).next_power_of_two();
            let lines = (size >> line_shift).next_power_of_two().max(ways);
            (Some(CacheShape { line_shift, ways, sets: lines / ways, miss }), data_read)
        }
        _ => return None,
    };
    let written = memories.flash.iter().rposition(|word| *word != [0xff; 4]).map_or(0, |last| last + 1);
    let predictor = match core.jumps {
        JumpCosts::Predicted { predictor: PredictorSize { targets, histories, returns }, mispredicted } => {
            Some(PredictorShape { targets, histories, returns, penalty: mispredicted })
        }
        JumpCosts::Refilled(_) => None,
        // What is fetched ahead of predicted loops is not part of translated code.
        JumpCosts::Looped(_) => return None,
    };
    let Division::ByQuotient(least, most) = core.division else { return None };
    let fits = memories.ram.len() * 4 <= MOST_RAM
        && written * 4 <= MOST_FLASH
        && parts.used <= MOST_FLASH
        && cache.is_none_or(|cache| cache.ways <= WAYS);
    fits.then_some(Shape {
        registers: 32,
        stack_pointer: Reg::SP as u32,
        ram_base: memories.ram_base,
        ram_size: memories.ram.len() as u32 * 4,
        flash_base: memories.flash_base,
        flash_size: written as u32 * 4,
        code_size: parts.used as u32,
        // Start-up copies constants to RAM only where flash is slow.
        flash_loads: cache.is_none(),
        data_wait,
        division: (least, most),
        predictor,
        cache,
    })
}
