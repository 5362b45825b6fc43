"""What can go wrong between this machine and a device."""

from __future__ import annotations

from pennyweight.model import UserError


class DeviceError(UserError):
    """The device, or the way to it, failed: no fault of the code that was measured on it."""


class LostConnectionError(DeviceError):
    """The server, the port or the cable went away."""


class SilentError(DeviceError):
    """The other side is there and does not answer in time."""


class PartResetError(DeviceError):
    """The part was reset while something was asked of it."""
