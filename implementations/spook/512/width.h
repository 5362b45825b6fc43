/*
 * Spook with Shadow-512.
 *
 * References: D. Bellizia, F. Berti, O. Bronchain, G. Cassiers, S. Duval, C. Guo, G. Leander, G.
 * Leurent, I. Levi, C. Momin, O. Pereira, T. Peters, F.-X. Standaert, F. Wiemer, "Spook"
 * (submission to NIST's lightweight cryptography project, round 2, 2019), section 2.
 */
#ifndef PENNYWEIGHT_SPOOK_WIDTH_H
#define PENNYWEIGHT_SPOOK_WIDTH_H

/* Bundles of 128 bits in Shadow's state. */
#define SHADOW_BUNDLES 4

#endif
