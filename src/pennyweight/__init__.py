"""What a cipher costs on a microcontroller."""

__version__ = "0.1.0"
