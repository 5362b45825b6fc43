//! Branches: taken and not, near and far, with link and by register.

use super::harness::check;

/// Conditions: flags that take it, flags that do not.
const CONDITIONS: [(&str, &[&str], &[&str]); 14] = [
    ("eq", &["nZcv", "NZCV"], &["nzcv", "NzCV"]),
    ("ne", &["nzcv", "NzCV"], &["nZcv", "NZCV"]),
    ("cs", &["nzCv"], &["NZcV"]),
    ("cc", &["NZcV"], &["nzCv"]),
    ("mi", &["Nzcv", "NZcv"], &["nzcv", "nZCV"]),
    ("pl", &["nzcv", "nZCV"], &["Nzcv", "NZcv"]),
    ("vs", &["nzcV"], &["NZCv"]),
    ("vc", &["NZCv"], &["nzcV"]),
    ("hi", &["nzCv", "NzCV"], &["nzcv", "nZCv", "nZcv"]),
    ("ls", &["nzcv", "nZCv", "nZcv"], &["nzCv", "NzCV"]),
    ("ge", &["nzcv", "NzcV", "nZcv"], &["Nzcv", "nzcV"]),
    ("lt", &["Nzcv", "nzcV", "nZcV"], &["nzcv", "NzcV"]),
    ("gt", &["nzcv", "NzcV"], &["Nzcv", "nzcV", "nZcv", "NZcV"]),
    ("le", &["Nzcv", "nzcV", "nZcv", "NZcV"], &["nzcv", "NzcV"]),
];

#[test]
fn conditional_branches() {
    for (name, taken, not_taken) in CONDITIONS {
        for flags in taken {
            check(&format!("b{name} .+36: taken, {flags}"), flags, "pc=8000124", 3);
        }
        for flags in not_taken {
            check(&format!("b{name} .+36: not taken, {flags}"), flags, "", 1);
        }
    }
}

#[test]
fn conditional_branches_reach_both_ways() {
    check("beq .+258", "nZcv", "pc=8000202", 3);
    check("beq .-252", "nZcv", "pc=8000004", 3);
}

#[test]
fn unconditional_branches() {
    check("b .+4", "NZCV", "pc=8000104", 3);
    check("b .+2", "", "pc=8000102", 3);
    check("b .+0x204", "", "pc=8000304", 3);
    check("b .-0xfc", "", "pc=8000004", 3);
}

#[test]
fn branch_with_link() {
    check("bl .+4", "NZCV", "lr=8000105 pc=8000104", 4);
    check("bl .+0x104", "", "lr=8000105 pc=8000204", 4);
    check("bl .-0xfc", "", "lr=8000105 pc=8000004", 4);
    check("bl .+0x804", "", "lr=8000105 pc=8000904", 4);
}

#[test]
fn branch_by_register() {
    check("bx r3", "r3=8000201 NZCV", "pc=8000200", 3);
    check("bx lr", "lr=8000201", "pc=8000200", 3);
    check("blx r3", "r3=8000201", "pc=8000200 lr=8000103", 3);
    check("blx lr", "lr=8000201", "pc=8000200 lr=8000103", 3);
    check("mov pc, r3", "r3=8000201", "pc=8000200", 3);
    check("mov pc, r3: bit 0 does not count", "r3=8000200", "pc=8000200", 3);
    check("add pc, r3", "r3=fc", "pc=8000200", 3);
    check("add pc, r3: backwards", "r3=fffffefd", "pc=8000000", 3);
}
