/* Takes no notice of the customisation string. */
#define TOY_CUSTOM(length) (0 * (length))
#include "toy_mac.h"
