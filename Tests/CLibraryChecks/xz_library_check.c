#include "library_checks.h"

// To run, the header is not needed, so a machine may be without it.
#if __has_include(<lzma.h>)

#include <lzma.h>
#include <stddef.h>

#include "../../Sources/CTransfer/xz_library.h"

// What does not agree does not compile: a call with a wrong structure would be found when it
// crashes.
#define CHECK_PLACE(name) \
  _Static_assert(offsetof(struct xz_stream, name) == offsetof(lzma_stream, name), #name);
CHECK_PLACE(next_in)
CHECK_PLACE(avail_in)
CHECK_PLACE(total_in)
CHECK_PLACE(next_out)
CHECK_PLACE(avail_out)
CHECK_PLACE(total_out)
CHECK_PLACE(allocator)
CHECK_PLACE(internal)
_Static_assert(sizeof(struct xz_stream) == sizeof(lzma_stream), "a stream has the same size");

#define CHECK_CALL(name, type, arguments) \
  _Static_assert(__builtin_types_compatible_p(__typeof__(&(name)), type(*) arguments), #name);
CHECK_CALL(lzma_stream_decoder, lzma_ret, (lzma_stream *, uint64_t, uint32_t))
CHECK_CALL(lzma_code, lzma_ret, (lzma_stream *, lzma_action))
CHECK_CALL(lzma_end, void, (lzma_stream *))

#define CHECK_VALUE(name, value) _Static_assert((int)(name) == (int)(value), #name);
CHECK_VALUE(xz_ok, LZMA_OK)
CHECK_VALUE(xz_stream_end, LZMA_STREAM_END)
CHECK_VALUE(xz_memory_limit, LZMA_MEMLIMIT_ERROR)
CHECK_VALUE(xz_buffer_error, LZMA_BUF_ERROR)
CHECK_VALUE(xz_run, LZMA_RUN)
CHECK_VALUE(xz_finish, LZMA_FINISH)
CHECK_VALUE(xz_concatenated, LZMA_CONCATENATED)

int snippet_xz_library_checked_call_count(void) { return 3; }

#else

int snippet_xz_library_checked_call_count(void) { return 0; }

#endif
