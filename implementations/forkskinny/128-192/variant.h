/*
 * ForkSkinny-128-192 and -128-256.
 *
 * References: E. Andreeva, V. Lallemand, A. Purnal, R. Reyhanitabar, A. Roy, D. Vizár, "ForkAE v1"
 * (submission to NIST's lightweight cryptography project, round 2, 2019), section 2.
 */
#ifndef PENNYWEIGHT_FORKSKINNY_VARIANT_H
#define PENNYWEIGHT_FORKSKINNY_VARIANT_H

#define FORKSKINNY_BYTES 16
#define FORKSKINNY_TWEAKEYS 2
#define FORKSKINNY_BEFORE 21
#define FORKSKINNY_AFTER 27

#endif
