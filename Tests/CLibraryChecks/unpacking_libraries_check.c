#include "library_checks.h"

// To run, the headers are not needed, so a machine may be without them.
#if __has_include(<lzma.h>) && __has_include(<bzlib.h>) && __has_include(<zstd.h>)

#include <bzlib.h>
#include <lzma.h>
#include <stddef.h>
#include <zstd.h>

#include "../../Sources/CTransfer/unpacking_libraries.h"

// What does not agree does not compile: a call with a wrong structure would be found when it
// crashes.
#define CHECK_PLACE(own, other, name, their)                                            \
  _Static_assert(offsetof(own, name) == offsetof(other, their), #own " has " #name);
CHECK_PLACE(struct xz_stream, lzma_stream, next_in, next_in)
CHECK_PLACE(struct xz_stream, lzma_stream, avail_in, avail_in)
CHECK_PLACE(struct xz_stream, lzma_stream, next_out, next_out)
CHECK_PLACE(struct xz_stream, lzma_stream, avail_out, avail_out)
CHECK_PLACE(struct xz_stream, lzma_stream, allocator, allocator)
CHECK_PLACE(struct xz_stream, lzma_stream, internal, internal)
CHECK_PLACE(struct bzip2_stream, bz_stream, next_in, next_in)
CHECK_PLACE(struct bzip2_stream, bz_stream, avail_in, avail_in)
CHECK_PLACE(struct bzip2_stream, bz_stream, next_out, next_out)
CHECK_PLACE(struct bzip2_stream, bz_stream, avail_out, avail_out)
CHECK_PLACE(struct bzip2_stream, bz_stream, state, state)
CHECK_PLACE(struct bzip2_stream, bz_stream, allocator, bzalloc)
CHECK_PLACE(struct zstd_input, ZSTD_inBuffer, bytes, src)
CHECK_PLACE(struct zstd_input, ZSTD_inBuffer, count, size)
CHECK_PLACE(struct zstd_input, ZSTD_inBuffer, place, pos)
CHECK_PLACE(struct zstd_output, ZSTD_outBuffer, bytes, dst)
CHECK_PLACE(struct zstd_output, ZSTD_outBuffer, count, size)
CHECK_PLACE(struct zstd_output, ZSTD_outBuffer, place, pos)
_Static_assert(sizeof(struct xz_stream) == sizeof(lzma_stream), "the streams have one size");
_Static_assert(sizeof(struct bzip2_stream) == sizeof(bz_stream), "the streams have one size");

#define CHECK_CALL(name, type, arguments) \
  _Static_assert(__builtin_types_compatible_p(__typeof__(&(name)), type(*) arguments), #name);
CHECK_CALL(lzma_stream_decoder, lzma_ret, (lzma_stream *, uint64_t, uint32_t))
CHECK_CALL(lzma_code, lzma_ret, (lzma_stream *, lzma_action))
CHECK_CALL(lzma_end, void, (lzma_stream *))
CHECK_CALL(BZ2_bzDecompressInit, int, (bz_stream *, int, int))
CHECK_CALL(BZ2_bzDecompress, int, (bz_stream *))
CHECK_CALL(BZ2_bzDecompressEnd, int, (bz_stream *))
CHECK_CALL(ZSTD_createDStream, ZSTD_DStream *, (void))
CHECK_CALL(ZSTD_decompressStream, size_t, (ZSTD_DStream *, ZSTD_outBuffer *, ZSTD_inBuffer *))
CHECK_CALL(ZSTD_isError, unsigned, (size_t))
CHECK_CALL(ZSTD_freeDStream, size_t, (ZSTD_DStream *))

#define CHECK_VALUE(name, value) _Static_assert((int)(name) == (int)(value), #name);
CHECK_VALUE(xz_ok, LZMA_OK)
CHECK_VALUE(xz_stream_end, LZMA_STREAM_END)
CHECK_VALUE(xz_memory_limit, LZMA_MEMLIMIT_ERROR)
CHECK_VALUE(xz_buffer_error, LZMA_BUF_ERROR)
CHECK_VALUE(xz_run, LZMA_RUN)
CHECK_VALUE(xz_finish, LZMA_FINISH)
CHECK_VALUE(xz_concatenated, LZMA_CONCATENATED)
CHECK_VALUE(bzip2_ok, BZ_OK)
CHECK_VALUE(bzip2_stream_end, BZ_STREAM_END)

int snippet_unpacking_libraries_checked_call_count(void) { return 10; }

#else

int snippet_unpacking_libraries_checked_call_count(void) { return 0; }

#endif
