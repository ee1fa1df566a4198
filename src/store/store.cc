// The seam has no code of its own: this file proves that its header compiles alone.
#include "store/store.h"
