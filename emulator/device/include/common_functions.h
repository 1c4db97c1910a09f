#pragma once
#include "emulator/device/runtime.h"
