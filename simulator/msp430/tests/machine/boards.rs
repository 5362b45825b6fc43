//! Boards and images that no MSP430 is like: one sentence each.

use pennyweight_msp430::Msp430Machine;

use crate::common::*;

fn refusal(change: impl Fn(&str) -> String) -> String {
    let board = pennyweight_bundled::board_from(&change(BOARD));
    Msp430Machine::with_flash(&board, &[]).err().map_or_else(|| "taken".into(), |e| e.to_string())
}

#[test]
fn what_is_no_msp430_is_refused() {
    for (from, to, words) in [
        ("\"msp430\"", "\"avre+\"", "instruction_set is \"avre\"; correct it to \"msp430\""),
        ("size = 0x2000", "size = 0x1000", "ends at 0x10000"),
        ("base = 0x1100\nsize = 0x2800", "base = 0x1100\nsize = 0x2801", "even base and size"),
        ("base = 0x0200", "base = 0x0100", "between 0x0200"),
        ("kind = \"mirror\"", "kind = \"ram\"", "exactly one memory of kind \"ram\""),
        ("size = 0x800", "size = 0xc00", "taken"),
        (
            "{ model = \"zero-wait\" }",
            "{ model = \"prefetch\", wait_states = 1, line = 4, lines = 3 }",
            "no wait states",
        ),
    ] {
        let message = refusal(|text| text.replacen(from, to, 1));
        assert!(message.contains(words), "{from} -> {to}: {message}");
    }
    assert_eq!(refusal(str::to_owned), "taken");
}
