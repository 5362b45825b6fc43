"""What the toy MAC and XOF of `packages/common` answer, computed apart from them."""

from __future__ import annotations


class _Sponge:
    def __init__(self, custom: bytes) -> None:
        self.s = bytearray(16)
        self.at = 0
        self.absorb(custom + bytes([len(custom) & 0xFF]))

    def absorb(self, data: bytes) -> None:
        for byte in data:
            following = (self.at + 1) % 16
            self.s[self.at] = (self.s[self.at] * 5 + byte + self.s[following] + 1) & 0xFF
            self.at = following

    def squeeze(self, size: int) -> bytes:
        output = bytearray()
        for _ in range(size):
            self.absorb(b"\7")
            output.append((self.s[(self.at + 15) % 16] + self.s[self.at]) & 0xFF)
        return bytes(output)


def toy_xof(message: bytes, size: int, custom: bytes = b"") -> bytes:
    """`size` bytes of output."""
    sponge = _Sponge(custom)
    sponge.absorb(message)
    sponge.absorb(bytes(range(48)))
    return sponge.squeeze(size)


def toy_mac(key: bytes, message: bytes, custom: bytes = b"") -> bytes:
    """The tag of 16 bytes."""
    return toy_xof(key + message, 16, custom)
