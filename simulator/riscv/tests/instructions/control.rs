//! Jumps; branches are in `official`.

use super::assembler::{jal, word};
use super::harness::check;

// The first time a jump is met, its target is not predicted: three cycles more.

#[test]
fn jump_and_link() {
    for (offset, target) in [(0x10, 0x2000_0110u32), (-0x10, 0x2000_00f0), (0xffe, 0x2000_10fe)] {
        check("jal x0", jal(0, offset), "", &format!("pc={target:x}"), 4);
        check("jal x1", jal(1, offset), "", &format!("x1=20000104 pc={target:x}"), 4);
        check("jal x9", jal(9, offset), "", &format!("x9=20000104 pc={target:x}"), 4);
    }
    check("jal x5, +2", jal(5, 2), "", "x5=20000104 pc=20000102", 4);
}

#[test]
fn jump_to_a_register() {
    check("jalr x0, 0(x9)", word("jalr", 0, 9, 0), "x9=20000180", "pc=20000180", 4);
    check("jalr x1, 4(x9)", word("jalr", 1, 9, 4), "x9=20000180", "x1=20000104 pc=20000184", 4);
    check("jalr x9, -4(x9)", word("jalr", 9, 9, -4), "x9=20000180", "x9=20000104 pc=2000017c", 4);
    check("bit 0 of the sum is dropped", word("jalr", 0, 9, 2), "x9=2000017f", "pc=20000180", 4);
    check("jalr x0, 0(x1)", word("jalr", 0, 1, 0), "x1=20000180", "pc=20000180", 4);
    check("jalr x5, 0(x1)", word("jalr", 5, 1, 0), "x1=20000180", "x5=20000104 pc=20000180", 4);
}
