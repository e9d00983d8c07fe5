#pragma once

#include <stdint.h>

/// How often this thread has asked for memory since it began, or -1 where that cannot be told.
int64_t allocation_count(void);
