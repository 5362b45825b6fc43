/* Includes a file that is not its own. */
#include "/etc/hostname"
#include "toy.h"
