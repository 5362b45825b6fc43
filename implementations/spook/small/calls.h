/*
 * The L-box is a function that is called.
 *
 * References: D. Bellizia et al., "Spook" (submission to NIST's lightweight cryptography project,
 * round 2, 2019), section 2.
 */
#ifndef PENNYWEIGHT_SPOOK_CALLS_H
#define PENNYWEIGHT_SPOOK_CALLS_H

#define CLYDE_CALL NEVER_INLINE

#endif
