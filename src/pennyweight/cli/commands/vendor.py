"""`pennyweight vendor`."""

from __future__ import annotations

import click

from pennyweight.api.requests import VendorRequest
from pennyweight.cli.command import Command
from pennyweight.cli.requests import asking


@click.command(
    "vendor",
    cls=Command,
    examples=(
        "pennyweight vendor ascon-aead128/fast32 --into third-party/ascon",
        "pennyweight vendor ascon-aead128/fast32 --into ascon --api incremental --board nrf52840",
        "pennyweight vendor sha-256/small --into sha --board none",
    ),
)
@asking(VendorRequest)
def command(request: VendorRequest) -> int:
    """Copy a bundled implementation into a folder that builds without Pennyweight.

    Writes DIR/crypto_aead/ALGORITHM/IMPLEMENTATION, as in SUPERCOP: sources, headers, licence,
    known-answer tests with a Makefile, and a README with the cost on each board, measured on the
    copy. Prints the folder. `pennyweight measure DIR` gives the same cycles as the original.
    """
    from pennyweight.api import progress, vendoring
    from pennyweight.catalogue import load

    with progress("Measuring") as bar:
        copy = vendoring.vendor(request, load(), bar)
    for board, reason in copy.unmeasured.items():
        click.echo(f"pennyweight: {board}: {reason}; the README has no cost for it.", err=True)
    click.echo(str(copy.folder))
    return 0
