//! What translated code depends on, from a board.

use pennyweight_machine::board::timing::MOST_WAYS;
use pennyweight_machine::board::{MemoryKind, MemoryTiming};
use pennyweight_machine32::Parts;
use pennyweight_riscv::core::{self, Core, JumpCosts, PredictorSize};
use pennyweight_riscv::registers::Reg;

use super::looped::REGISTERS;
use crate::layout::{CacheShape, Division, PredictorShape, Shape};

/// What the code of a machine with these parts depends on; `None` if it cannot be translated.
#[must_use]
pub fn shape(parts: &Parts<'_>, core: &Core) -> Option<Shape> {
    let flash = parts.board.memories.iter().find(|memory| memory.kind == MemoryKind::Flash)?;
    let (cache, data_wait) = match flash.timing {
        MemoryTiming::ZeroWait => (None, 0),
        MemoryTiming::InstructionCache { size, ways, miss, data_read, .. } => {
            // As `InstructionCache::new` has it.
            let line_shift = parts.flash.line_shift()?;
            let ways = ways.clamp(1, MOST_WAYS).next_power_of_two();
            let lines = (size >> line_shift).next_power_of_two().max(ways);
            (Some(CacheShape::new(line_shift, lines, ways, miss)), data_read)
        }
        // Its state is part of what decides which block comes.
        MemoryTiming::FetchBuffer { .. } if matches!(core.jumps, JumpCosts::Refilled(_)) => (None, 0),
        _ => return None,
    };
    let predictor = match core.jumps {
        JumpCosts::Predicted { predictor: PredictorSize { targets, histories, returns }, mispredicted } => {
            Some(PredictorShape { targets, histories, returns, penalty: mispredicted })
        }
        // Which branch of predicted loops is remembered is a register of the intermediate form.
        JumpCosts::Refilled(_) | JumpCosts::Looped(_) => None,
    };
    let division = match core.division {
        core::Division::ByQuotient(least, most) => Division::ByQuotient(least, most),
        core::Division::ByDivisor(least) => Division::ByDivisor(least),
        core::Division::Fixed(cycles) => Division::Fixed(cycles),
    };
    // Start-up copies constants to RAM only where flash is slow.
    let flash_loads = cache.is_none();
    let plain = Shape::plain(parts, REGISTERS, Reg::SP as u32)?;
    let fits = !cache.is_some_and(|cache| cache.is_too_wide());
    fits.then_some(Shape { flash_loads, data_wait, division, predictor, cache, ..plain })
}
