#pragma once

#include <stdint.h>

/// How often this thread has asked for memory since it began, or -1 where that cannot be told.
int64_t allocation_count(void);

/// How many bytes of memory the program holds, or -1 where that cannot be told.
int64_t allocated_byte_count(void);
