/* The constants that assembly reads. */
#define PW_ASM
#include "../../implementations/gift/fixsliced32/encrypt.c"
