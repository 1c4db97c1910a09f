#pragma once
#include "emulator/device/include/nvToolsExt.h"
