/* Its folder's name has spaces. */
#include "toy.h"
