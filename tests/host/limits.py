"""The longest inputs of algorithms that count their blocks or store a length in a field."""

COUNTED = {
    "paef-forkskinny-64-192": 8 << 13,
    "paef-forkskinny-128-192": 16 << 13,
    "paef-forkskinny-128-256": 16 << 13,
    "paef-forkskinny-128-288": 16 << 53,
    "skinny-aead-m5": 16 * (2**24 - 1),
    "skinny-aead-m6": 16 * (2**24 - 1),
}
"""The bytes of the longest message, and of the longest associated data, where blocks of either are
counted: ForkAE v1, table 3; the period of SKINNY-AEAD's LFSR of 24 bits."""

LIMITED = {
    "aes-128-ccm": 2**24 - 1,
    "aes-256-ccm": 2**24 - 1,
    "aes-ccm-16-128-128": 2**16 - 1,
    "aes-ccm-16-128-256": 2**16 - 1,
    "aes-ccm-16-64-128": 2**16 - 1,
    "aes-ccm-16-64-256": 2**16 - 1,
}
"""The same for messages only, whose length is stored in a field: SP 800-38C, section 5.3."""
