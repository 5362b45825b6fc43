#include "toy_xof.h"
