"""Errors of devices and of the connection to them."""

from __future__ import annotations

from pennyweight.model import UserError

PERMISSION_REMEDY = (
    "install the rules that `pennyweight devices --udev-rules` prints, or join the group that owns "
    "the port (usually dialout), and log in again"
)
"""For ports that the user may not open."""

PROBE_REMEDY = (
    "install the rules that `pennyweight devices --udev-rules` prints, and reconnect the probe"
)
"""For probes that the user may not open."""

NO_TABLE = (
    "the table [device] is missing, so real boards of this type cannot be used; "
    "docs/howto/board.md describes the table"
)
"""For board files without a table `[device]`."""


class DeviceError(UserError):
    """The device or the connection to it failed; the measured code is not at fault."""


class WrongPartError(DeviceError):
    """The part or the connection is not one of the board's."""


class LostConnectionError(DeviceError):
    """The server, port or cable was disconnected."""


class SilentError(DeviceError):
    """The device or server is connected but does not answer in time."""


class OtherVersionError(DeviceError):
    """The monitor on the part is from another version of Pennyweight."""


class CounterError(DeviceError):
    """The part's cycle counter does not count."""


class PartResetError(DeviceError):
    """The part was reset during a request."""
