#include "toy.h"
