/*
 * GASCON's S-box for DryGASCON128, inlined.
 *
 * References: S. Riou, "DryGASCON" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 2; same names.
 */
#ifndef PENNYWEIGHT_DRYGASCON_SUBSTITUTE_H
#define PENNYWEIGHT_DRYGASCON_SUBSTITUTE_H

#include "inline.h"

#define SUBSTITUTE_CALL ALWAYS_INLINE
#include "substitute5.h"

#endif
