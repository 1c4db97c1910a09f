// The driver interface is missing (rewriter/names.cpp); many programs include this file and do not use it.
#pragma once
#include "emulator/device/runtime.h"
