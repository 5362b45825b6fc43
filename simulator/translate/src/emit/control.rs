//! Where control goes behind a block: to another one, or out.

use wasm_encoder::{BlockType, ValType};

use super::{at, local, Emitter};
use crate::ir::{Edge, End, Expr, Kind, Lost};

impl Emitter<'_, '_> {
    /// The depth of the label behind which all exits leave.
    fn exit_label(&self) -> u32 {
        self.dispatch_label() + 1
    }

    fn dispatch_label(&self) -> u32 {
        self.own_depth() + (self.part.end - self.block) as u32
    }

    fn own_depth(&self) -> u32 {
        self.nested + u32::from(self.is_loop)
    }

    pub(super) fn if_(&mut self) {
        self.sink.if_(BlockType::Empty);
        self.nested += 1;
    }

    pub(super) fn end_if(&mut self) {
        self.sink.end();
        self.nested -= 1;
    }

    /// Sets the registers of the block that are set late and are among these, as bits.
    fn set_late(&mut self, needed: u64) {
        let region = self.region;
        for (register, value) in &region.blocks[self.block].late {
            if needed >> register & 1 != 0 {
                self.expr(value);
                self.sink.local_set(u32::from(*register));
            }
        }
    }

    pub(super) fn leave(&mut self, exit: usize) {
        self.set_late(u64::MAX);
        let label = self.exit_label();
        self.sink.i32_const(exit as i32).local_set(local::EXIT).br(label);
    }

    fn go_to(&mut self, block: usize) {
        self.set_late(self.region.blocks[block].needs);
        if block == self.block && self.is_loop {
            self.sink.br(self.nested);
        } else if self.is_ahead(block, self.block) {
            let label = self.own_depth() + (block - self.block - 1) as u32;
            self.sink.br(label);
        } else {
            let label = self.dispatch_label();
            self.sink.i32_const(block as i32).local_set(local::NEXT).br(label);
        }
    }

    /// Follows the edge of the first condition that holds, or the last one.
    fn one_of(&mut self, ways: &[(Expr, Edge)], last: &Edge) {
        for (way, (condition, _)) in ways.iter().enumerate() {
            self.expr(condition);
            self.sink.if_(BlockType::Result(ValType::I32)).i32_const(way as i32).else_();
        }
        self.sink.i32_const(ways.len() as i32);
        for _ in ways {
            self.sink.end();
        }
        self.sink.local_set(local::PLACE);
        self.if_way_is_unknown();
        self.set_late(u64::MAX);
        let first = last.exit - ways.len();
        debug_assert!((first..).zip(ways).all(|(exit, (_, edge))| edge.exit == exit));
        let label = self.exit_label();
        self.sink.local_get(local::PLACE).i32_const(first as i32).i32_add().local_set(local::EXIT).br(label);
        self.end_if();
        self.take_node();
        let edges = ways.iter().map(|(_, edge)| edge).chain([last]);
        let blocks: Vec<_> = edges.map(|edge| edge.block).enumerate().collect();
        for (way, block) in blocks {
            let Some((block, _)) = block else { continue };
            self.sink.local_get(local::PLACE).i32_const(way as i32).i32_eq();
            self.if_();
            self.go_to(block);
            self.end_if();
        }
        self.sink.unreachable();
    }

    /// Follows an edge, the way on of this number, without a check of the budget.
    fn follow(&mut self, edge: &Edge, way: usize) {
        match edge.block {
            Some((block, extra)) => {
                self.next_node(way, edge.exit);
                self.add_cycles(extra);
                self.go_to(block);
            }
            None => self.leave(edge.exit),
        }
    }

    /// Follows the edge of a jump that has lost no cycles, or those in the local variable.
    fn follow_jump(&mut self, target: u32, edges: &[Edge; 2], lost: Lost) {
        if let Lost::Always(cycles) = lost {
            self.add_cycles(cycles);
            self.turn(|emitter| {
                emitter.sink.i32_const((target >> 2) as i32);
            });
            return self.follow_checked(&edges[0], None);
        }
        self.sink.local_get(local::LOST);
        self.add_counted();
        if edges[0].block == edges[1].block {
            return self.follow_checked(&edges[0], Some(edges[1].exit));
        }
        self.sink.local_get(local::LOST);
        self.if_();
        self.follow_checked(&edges[1], None);
        self.end_if();
        self.follow_checked(&edges[0], None);
    }

    /// Follows an edge unless the budget is spent; `late` is the exit if cycles were lost.
    fn follow_checked(&mut self, edge: &Edge, late: Option<usize>) {
        // What is behind a bus matrix has no prediction, and a jump taken is the first way.
        let Some((block, extra)) = edge.block else {
            return self.leave_by(edge.exit, late);
        };
        if self.shape.matrix_shift.is_some() {
            self.find_node(0);
            self.if_unknown_or_spent();
        } else {
            self.if_spent();
        }
        self.leave_by(edge.exit, late);
        self.end_if();
        self.take_node();
        self.add_cycles(extra);
        self.go_to(block);
    }

    fn if_spent(&mut self) {
        self.sink.local_get(local::CYCLES).local_get(local::BUDGET).i64_ge_u();
        self.if_();
    }

    fn leave_by(&mut self, exit: usize, late: Option<usize>) {
        let Some(late) = late else { return self.leave(exit) };
        self.set_late(u64::MAX);
        self.sink.i32_const(late as i32).i32_const(exit as i32).local_get(local::LOST).select();
        let label = self.exit_label();
        self.sink.local_set(local::EXIT).br(label);
    }

    pub(super) fn end(&mut self, end: &End) {
        match end {
            End::Next(edge) => self.follow(edge, 0),
            End::Either(condition, edges) => {
                self.expr(condition);
                self.if_();
                self.follow(&edges[0], 0);
                self.end_if();
                self.follow(&edges[1], 1);
            }
            End::Ways(ways, last) => self.one_of(ways, last),
            End::Branch { condition, pc, target, lost, taken, not_taken } => {
                let predicted = *lost == Lost::Predicted;
                if predicted {
                    self.predict_branch(*pc);
                }
                self.expr(condition);
                self.if_();
                if predicted {
                    self.branch_taken(*pc, *target);
                }
                self.follow_jump(*target, taken, *lost);
                self.end_if();
                if !predicted {
                    return self.follow(&not_taken[0], 1);
                }
                self.branch_not_taken(*pc);
                self.sink.local_get(local::LOST);
                self.if_();
                self.sink.local_get(local::LOST);
                self.add_counted();
                self.follow(&not_taken[1], 1);
                self.end_if();
                self.follow(&not_taken[0], 1);
            }
            End::Jump { pc, target, kind, link, lost, edges } => {
                self.link(*link);
                if *lost == Lost::Predicted {
                    self.sink.i32_const(*target as i32).local_set(local::TARGET);
                    self.predict_jump(*pc, *kind);
                }
                self.follow_jump(*target, edges, *lost);
            }
            End::Indirect { pc, target, kind, link, lost, unknown, near, after, tables, then } => {
                self.expr(target);
                self.sink.local_set(local::TARGET);
                if unknown.1.is_none() {
                    self.link(*link);
                }
                if let Some((first, bytes)) = near.filter(|_| self.shape.matrix_shift.is_none()) {
                    self.sink.local_get(local::TARGET).i32_const(first as i32).i32_sub();
                    self.sink.i32_const(bytes as i32).i32_lt_u();
                    self.if_();
                    self.leave_for_unknown(*unknown);
                    self.end_if();
                }
                self.find_place(*unknown, tables[0]);
                if unknown.1.is_some() {
                    self.link(*link);
                }
                self.steps(None, then);
                self.indirect(*pc, *kind, *lost, *near, *after, *tables);
            }
        }
    }

    /// What blocks need that computed jumps of these tables go to.
    fn needed_at(&self, tables: [usize; 2]) -> u64 {
        let places = tables.iter().filter_map(|&table| self.region.tables.get(table)).flatten();
        places.fold(0, |all, place| all | self.region.blocks[place.block].needs)
    }

    fn link(&mut self, link: Option<(u8, u32)>) {
        if let Some((register, address)) = link {
            self.sink.i32_const(address as i32).local_set(register.into());
        }
    }

    /// Looks the target up in a table, and leaves if the table lacks it: in front of the jump, or behind it.
    fn find_place(&mut self, unknown: (usize, Option<u32>), table: usize) {
        let (base, slots) = (self.shape.code_base, self.shape.slots());
        let entry = at(self.layout.table(table), 2);
        self.sink.local_get(local::TARGET).i32_const(base as i32).i32_sub();
        self.sink.i32_const(self.shape.code_shift as i32).i32_shr_u().local_tee(local::ADDRESS);
        self.sink.i32_const(slots as i32).i32_ge_u();
        self.if_();
        self.leave_for_unknown(unknown);
        self.end_if();
        if table >= self.region.tables.len() {
            return self.leave_for_unknown(unknown);
        }
        self.sink.local_get(local::ADDRESS).i32_const(2).i32_shl().local_tee(local::ADDRESS);
        self.sink.i32_load(entry).local_tee(local::PLACE).i32_eqz();
        self.if_();
        self.leave_for_unknown(unknown);
        self.end_if();
    }

    fn leave_for_unknown(&mut self, (exit, own): (usize, Option<u32>)) {
        let Some(own) = own else { return self.leave(exit) };
        self.sink.local_get(local::CYCLES).i64_const(own.into()).i64_sub().local_set(local::CYCLES);
        let count = local::INSTRUCTIONS;
        self.sink.local_get(count).i64_const(1).i64_sub().local_set(count);
        self.leave(exit);
    }

    /// Goes where [`Self::find_place`] found the target.
    fn indirect(
        &mut self,
        pc: u32,
        kind: Kind,
        lost: Lost,
        near: Option<(u32, u32)>,
        after: [usize; 2],
        tables: [usize; 2],
    ) {
        if tables[0] >= self.region.tables.len() {
            self.sink.unreachable();
            return;
        }
        match lost {
            Lost::Always(cycles) => {
                self.add_cycles(cycles);
                self.sink.local_get(local::PLACE).i32_const(24).i32_shr_u();
                self.add_counted();
                self.turn(|emitter| {
                    emitter.sink.local_get(local::TARGET).i32_const(2).i32_shr_u();
                });
                if self.shape.matrix_shift.is_some() {
                    self.find_node_at_target(near.unwrap_or_default());
                    self.if_unknown_or_spent();
                } else {
                    self.if_spent();
                }
                self.leave(after[0]);
                self.end_if();
                self.take_node();
            }
            Lost::Predicted => {
                self.sink.local_get(local::ADDRESS).local_set(local::NEXT);
                self.predict_jump(pc, kind);
                self.sink.local_get(local::LOST);
                self.add_counted();
                self.if_spent();
                self.leave_by(after[0], Some(after[1]));
                self.end_if();
                if tables[0] != tables[1] {
                    self.sink.local_get(local::LOST);
                    self.if_();
                    if tables[1] < self.region.tables.len() {
                        self.sink.local_get(local::NEXT).i32_load(at(self.layout.table(tables[1]), 2));
                        self.sink.local_set(local::PLACE);
                    } else {
                        self.sink.unreachable();
                    }
                    self.end_if();
                }
            }
        }
        self.sink.local_get(local::PLACE).i32_const(16).i32_shr_u().i32_const(0xff).i32_and();
        self.add_counted();
        self.set_late(self.needed_at(tables));
        let label = self.dispatch_label();
        self.sink.local_get(local::PLACE).i32_const(0xffff).i32_and().i32_const(1).i32_sub();
        self.sink.local_set(local::NEXT).br(label);
    }
}
