//! Branch prediction, as in `pennyweight_riscv::core::Predictor`, on tables in linear memory.
//!
//! Where a jump's entry in the branch target buffer is follows from a table by its place in flash, so that
//! nothing is searched for.

use wasm_encoder::{BlockType, Function, ValType};

use super::{at, local, Emitter, INSERT};
use crate::ir::Kind;
use crate::layout::{Layout, PredictorShape, Shape};

/// Branches that a history has.
const HISTORY_LENGTH: u32 = 8;
/// Bits that it is hashed to.
const HISTORY_BITS: u32 = 3;
/// The factor of the hash.
const HISTORY_FACTOR: i32 = 221;
/// What an empty return-address stack returns to.
const NOWHERE: i32 = 1;

impl Emitter<'_, '_> {
    fn predictor(&self) -> PredictorShape {
        self.shape.predictor.unwrap_or(PredictorShape { targets: 1, histories: 8, returns: 1, penalty: 0 })
    }

    /// The offset of the place in flash of a jump.
    fn place(&self, pc: u32) -> u32 {
        self.layout.places + (pc.wrapping_sub(self.shape.code_base) >> 1)
    }

    /// Sets `PLACE` to the offset of a branch's counter, `LOST` to whether it is predicted to be taken.
    pub(super) fn predict_branch(&mut self, pc: u32) {
        let size = self.predictor().histories;
        let bits = size.trailing_zeros();
        let word = pc >> 2;
        let address = (word ^ word >> bits & 3) & (size - 1);
        self.sink.local_get(local::HISTORY).i32_const(HISTORY_FACTOR).i32_mul();
        self.sink.i32_const((HISTORY_LENGTH - HISTORY_BITS) as i32).i32_shr_u();
        self.sink.i32_const((1 << HISTORY_BITS) - 1).i32_and();
        self.sink.i32_const((bits - HISTORY_BITS) as i32).i32_shl();
        self.sink.i32_const(address as i32).i32_xor().local_tee(local::PLACE);
        self.sink.i32_load8_u(at(self.layout.taken, 0)).local_set(local::LOST);
        self.sink.local_get(local::HISTORY).i32_const(1).i32_shr_u().local_set(local::HISTORY);
    }

    /// Sets the branch's counter and the history to the way that it goes.
    fn goes(&mut self, taken: bool) {
        self.sink.local_get(local::PLACE).i32_const(taken.into()).i32_store8(at(self.layout.taken, 0));
        if taken {
            let bit = 1 << (HISTORY_LENGTH - 1);
            self.sink.local_get(local::HISTORY).i32_const(bit).i32_or().local_set(local::HISTORY);
        }
    }

    /// The branch that is not taken loses cycles only if it was predicted to go to a known target.
    pub(super) fn branch_not_taken(&mut self, pc: u32) {
        let penalty = self.predictor().penalty;
        let place = at(self.place(pc), 0);
        self.goes(false);
        self.sink.local_get(local::LOST).if_(BlockType::Empty);
        self.sink.i32_const(penalty as i32).i32_const(0);
        self.sink.i32_const(0).i32_load8_u(place).select().local_set(local::LOST);
        self.sink.end();
    }

    pub(super) fn branch_taken(&mut self, pc: u32, target: u32) {
        let penalty = self.predictor().penalty as i32;
        self.goes(true);
        self.tick();
        self.find(pc);
        self.sink.if_(BlockType::Empty);
        self.touch();
        self.sink.i32_const(0).i32_const(penalty).local_get(local::LOST).select().local_set(local::LOST);
        self.sink.else_();
        self.sink.i32_const(target as i32).local_set(local::TARGET);
        self.call_insert(pc);
        self.sink.i32_const(penalty).local_set(local::LOST);
        self.sink.end();
    }

    /// An unconditional jump to the address in `TARGET`; sets `LOST` to the cycles lost.
    pub(super) fn predict_jump(&mut self, pc: u32, kind: Kind) {
        let PredictorShape { returns, penalty, .. } = self.predictor();
        let penalty = penalty as i32;
        self.tick();
        // What the return-address stack says goes to `VALUE`.
        match kind {
            Kind::Plain => {}
            Kind::Call(back) => self.push(back, returns),
            Kind::Return => self.pop(returns),
        }
        self.find(pc);
        self.sink.if_(BlockType::Empty);
        self.touch();
        let targets = at(self.layout.targets, 2);
        if kind == Kind::Return {
            self.sink.local_get(local::VALUE);
        } else {
            self.sink.local_get(local::ENTRY).i32_const(2).i32_shl().i32_load(targets);
        }
        self.sink.local_get(local::TARGET).i32_eq().if_(BlockType::Empty);
        self.sink.i32_const(0).local_set(local::LOST);
        self.sink.else_();
        self.sink.local_get(local::ENTRY).i32_const(2).i32_shl().local_get(local::TARGET).i32_store(targets);
        self.sink.i32_const(penalty).local_set(local::LOST);
        self.sink.end();
        self.sink.else_();
        self.call_insert(pc);
        self.sink.i32_const(penalty).local_set(local::LOST);
        self.sink.end();
    }

    /// The next time of use: each jump that is predicted uses one entry.
    fn tick(&mut self) {
        self.sink.local_get(local::CLOCK).i64_const(1).i64_add().local_set(local::CLOCK);
    }

    /// Pushes whether the jump has an entry, whose number is then in `ENTRY`.
    fn find(&mut self, pc: u32) {
        let place = at(self.place(pc), 0);
        self.sink.i32_const(0).i32_load8_u(place).local_tee(local::ENTRY);
        // The number counts from one.
        self.sink.local_get(local::ENTRY).i32_const(1).i32_sub().local_set(local::ENTRY);
    }

    fn touch(&mut self) {
        self.sink.local_get(local::ENTRY).i32_const(3).i32_shl();
        self.sink.local_get(local::CLOCK).i64_store(at(self.layout.used, 3));
    }

    fn call_insert(&mut self, pc: u32) {
        self.sink.i32_const(pc as i32).local_get(local::TARGET).local_get(local::CLOCK).call(INSERT);
    }

    fn push(&mut self, back: u32, returns: u32) {
        let last = returns as i32 - 1;
        self.sink.local_get(local::TOP).i32_const(1).i32_add().i32_const(0);
        self.sink.local_get(local::TOP).i32_const(last).i32_lt_u().select().local_set(local::TOP);
        self.sink.local_get(local::DEPTH).i32_const(1).i32_add().i32_const(returns as i32);
        self.sink.local_get(local::DEPTH).i32_const(returns as i32).i32_lt_u().select();
        self.sink.local_set(local::DEPTH);
        self.sink.local_get(local::TOP).i32_const(2).i32_shl();
        self.sink.i32_const(back as i32).i32_store(at(self.layout.returns, 2));
    }

    fn pop(&mut self, returns: u32) {
        self.sink.i32_const(NOWHERE).local_set(local::VALUE);
        self.sink.local_get(local::DEPTH).if_(BlockType::Empty);
        self.sink.local_get(local::TOP).i32_const(2).i32_shl().i32_load(at(self.layout.returns, 2));
        self.sink.local_set(local::VALUE);
        self.sink.local_get(local::DEPTH).i32_const(1).i32_sub().local_set(local::DEPTH);
        self.sink.local_get(local::TOP).i32_const(1).i32_sub().i32_const(returns as i32 - 1);
        self.sink.local_get(local::TOP).select().local_set(local::TOP);
        self.sink.end();
    }
}

/// The function that replaces the entry used longest ago by that of a jump from its first parameter to its
/// second one, at the time of the third one.
pub(super) fn insert(shape: &Shape, layout: &Layout, predictor: &PredictorShape) -> Function {
    const PC: u32 = 0;
    const TARGET: u32 = 1;
    const CLOCK: u32 = 2;
    const ENTRY: u32 = 3;
    const OLDEST: u32 = 4;
    const REPLACED: u32 = 5;
    const TIME: u32 = 6;
    let mut function = Function::new([(3, ValType::I32), (1, ValType::I64)]);
    let mut sink = function.instructions();
    sink.i64_const(-1).local_set(TIME);
    sink.loop_(BlockType::Empty);
    sink.local_get(ENTRY).i32_const(3).i32_shl().i64_load(at(layout.used, 3));
    sink.local_get(TIME).i64_lt_u().if_(BlockType::Empty);
    sink.local_get(ENTRY).local_tee(OLDEST).i32_const(3).i32_shl().i64_load(at(layout.used, 3));
    sink.local_set(TIME).end();
    sink.local_get(ENTRY).i32_const(1).i32_add().local_tee(ENTRY);
    sink.i32_const(predictor.targets as i32).i32_lt_u().br_if(0).end();
    // The replaced jump loses its entry. An odd address is that of an empty entry.
    let (base, halfwords) = (shape.code_base as i32, shape.code_size.div_ceil(2) as i32);
    sink.local_get(OLDEST).i32_const(2).i32_shl().i32_load(at(layout.sources, 2)).local_tee(REPLACED);
    sink.i32_const(1).i32_and().i32_eqz();
    sink.local_get(REPLACED).i32_const(base).i32_sub().i32_const(1).i32_shr_u().local_tee(REPLACED);
    sink.i32_const(halfwords).i32_lt_u().i32_and().if_(BlockType::Empty);
    sink.local_get(REPLACED).i32_const(0).i32_store8(at(layout.places, 0)).end();
    sink.local_get(OLDEST).i32_const(2).i32_shl().local_get(PC).i32_store(at(layout.sources, 2));
    sink.local_get(OLDEST).i32_const(2).i32_shl().local_get(TARGET).i32_store(at(layout.targets, 2));
    sink.local_get(OLDEST).i32_const(3).i32_shl().local_get(CLOCK).i64_store(at(layout.used, 3));
    sink.local_get(PC).i32_const(base).i32_sub().i32_const(1).i32_shr_u();
    sink.local_get(OLDEST).i32_const(1).i32_add().i32_store8(at(layout.places, 0));
    sink.end();
    function
}
