// How far the compiler optimises a variant: with LEVEL=0 it compiles what follows as without -O. A variant that includes
// this file, as the first one, has a parameter LEVEL.
#pragma once

#if LEVEL == 0
#pragma GCC optimize("O0")
#endif
