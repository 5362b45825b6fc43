//! Branches: taken and not, near and far, with link and by register.

use super::harness::check;

/// Conditions: encoding, flags that take it, flags that do not.
const CONDITIONS: [(u16, &str, &[&str], &[&str]); 14] = [
    (0x0, "eq", &["nZcv", "NZCV"], &["nzcv", "NzCV"]),
    (0x1, "ne", &["nzcv", "NzCV"], &["nZcv", "NZCV"]),
    (0x2, "cs", &["nzCv"], &["NZcV"]),
    (0x3, "cc", &["NZcV"], &["nzCv"]),
    (0x4, "mi", &["Nzcv", "NZcv"], &["nzcv", "nZCV"]),
    (0x5, "pl", &["nzcv", "nZCV"], &["Nzcv", "NZcv"]),
    (0x6, "vs", &["nzcV"], &["NZCv"]),
    (0x7, "vc", &["NZCv"], &["nzcV"]),
    (0x8, "hi", &["nzCv", "NzCV"], &["nzcv", "nZCv", "nZcv"]),
    (0x9, "ls", &["nzcv", "nZCv", "nZcv"], &["nzCv", "NzCV"]),
    (0xa, "ge", &["nzcv", "NzcV", "nZcv"], &["Nzcv", "nzcV"]),
    (0xb, "lt", &["Nzcv", "nzcV", "nZcV"], &["nzcv", "NzcV"]),
    (0xc, "gt", &["nzcv", "NzcV"], &["Nzcv", "nzcV", "nZcv", "NZcV"]),
    (0xd, "le", &["Nzcv", "nzcV", "nZcv", "NZcV"], &["nzcv", "NzcV"]),
];

#[test]
fn conditional_branches() {
    for (condition, name, taken, not_taken) in CONDITIONS {
        let code = [0xd000 | condition << 8 | 0x10];
        for flags in taken {
            check(&format!("b{name} +0x20 taken, {flags}"), &code, flags, "pc=8000124", 3);
        }
        for flags in not_taken {
            check(&format!("b{name} +0x20 not taken, {flags}"), &code, flags, "", 1);
        }
    }
}

#[test]
fn conditional_branches_reach_both_ways() {
    check("beq +254", &[0xd07f], "nZcv", "pc=8000202", 3);
    check("beq -256", &[0xd080], "nZcv", "pc=8000004", 3);
}

#[test]
fn unconditional_branches() {
    check("b +0", &[0xe000], "NZCV", "pc=8000104", 3);
    check("b -4 + 2", &[0xe7ff], "", "pc=8000102", 3);
    check("b +0x200", &[0xe100], "", "pc=8000304", 3);
    check("b -0x100", &[0xe780], "", "pc=8000004", 3);
}

#[test]
fn branch_with_link() {
    check("bl +0", &[0xf000, 0xf800], "NZCV", "lr=8000105 pc=8000104", 4);
    check("bl +0x100", &[0xf000, 0xf880], "", "lr=8000105 pc=8000204", 4);
    check("bl -0x100", &[0xf7ff, 0xff80], "", "lr=8000105 pc=8000004", 4);
    check("bl +0x800", &[0xf000, 0xfc00], "", "lr=8000105 pc=8000904", 4);
}

#[test]
fn branch_by_register() {
    check("bx r3", &[0x4718], "r3=8000201 NZCV", "pc=8000200", 3);
    check("bx lr", &[0x4770], "lr=8000201", "pc=8000200", 3);
    check("blx r3", &[0x4798], "r3=8000201", "pc=8000200 lr=8000103", 3);
    check("blx lr", &[0x47f0], "lr=8000201", "pc=8000200 lr=8000103", 3);
    check("mov pc, r3", &[0x469f], "r3=8000201", "pc=8000200", 3);
    check("mov pc, r3: bit 0 does not count", &[0x469f], "r3=8000200", "pc=8000200", 3);
    check("add pc, r3", &[0x449f], "r3=fc", "pc=8000200", 3);
    check("add pc, r3: backwards", &[0x449f], "r3=fffffefd", "pc=8000000", 3);
}
