#pragma once
#include "lab/emulated/runtime.h"
