/*
 * ForkSkinny-64-192.
 *
 * References: E. Andreeva, V. Lallemand, A. Purnal, R. Reyhanitabar, A. Roy, D. Vizár, "ForkAE v1"
 * (submission to NIST's lightweight cryptography project, round 2, 2019), section 2.
 */
#ifndef PENNYWEIGHT_FORKSKINNY_VARIANT_H
#define PENNYWEIGHT_FORKSKINNY_VARIANT_H

#define FORKSKINNY_BYTES 8
#define FORKSKINNY_TWEAKEYS 3
#define FORKSKINNY_BEFORE 17
#define FORKSKINNY_AFTER 23

#endif
