#include "toy_mac.h"
