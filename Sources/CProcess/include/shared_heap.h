#ifndef SNIPPET_SHARED_HEAP_H
#define SNIPPET_SHARED_HEAP_H

/// Makes glibc return freed memory to the system soon; does nothing elsewhere.
///
/// By default glibc gives each thread a heap of its own, and after a while serves even large blobs
/// from it. Blobs that one thread loads and another frees then leave gaps of some 45 MB beside a
/// cache of 64. After this call all threads share two heaps, and any block of more than 64 KiB stays
/// outside them.
///
/// In C because Swift sees neither `mallopt` nor the macros that tell glibc apart.
void snippet_heap_share(void);

/// Returns unused memory to the system with glibc; does nothing elsewhere.
void snippet_heap_trim(void);

#endif
