#pragma once
#include "lab/hip_names.h"
