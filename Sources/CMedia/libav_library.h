#ifndef SNIPPET_LIBAV_LIBRARY_H
#define SNIPPET_LIBAV_LIBRARY_H

#if !__has_include(<libavformat/avformat.h>)
#error "The headers of libav are missing: install libavformat-dev (Debian, Ubuntu) or ffmpeg (Homebrew, with CPATH=$(brew --prefix)/include), or build without the trait Media."
#endif

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>

#if LIBAVUTIL_VERSION_INT < AV_VERSION_INT(57, 24, 100)
#error "This libav is too old: FFmpeg 5.1 or later is needed, or build without the trait Media."
#endif

// The calls of libav.
//
// It is loaded when the first recording is decoded, like libvips: it brings a hundred libraries
// along, some 10 MB and 10 ms in every program that keeps recordings and decodes them in a worker.
// Its headers describe its structures and calls; they are only declarations, so including them
// links nothing.
#define LIBAV_LIBRARY_UTIL_CALLS(call) \
  call(av_frame_alloc)                 \
  call(av_frame_free)                  \
  call(av_free)                        \
  call(av_log_set_level)               \
  call(av_malloc)                      \
  call(av_max_alloc)                   \
  call(av_rescale_q)                   \
  call(av_strerror)                    \
  call(av_version_info)                \
  call(av_dict_free)                   \
  call(av_dict_set)

#define LIBAV_LIBRARY_CODEC_CALLS(call) \
  call(avcodec_alloc_context3)          \
  call(avcodec_find_decoder)            \
  call(avcodec_find_decoder_by_name)    \
  call(avcodec_free_context)            \
  call(avcodec_open2)                   \
  call(avcodec_parameters_to_context)   \
  call(avcodec_receive_frame)           \
  call(avcodec_send_packet)             \
  call(av_packet_alloc)                 \
  call(av_packet_free)                  \
  call(av_new_packet)                   \
  call(av_packet_unref)

#define LIBAV_LIBRARY_FORMAT_CALLS(call) \
  call(av_find_input_format)             \
  call(av_read_frame)                    \
  call(avformat_alloc_context)           \
  call(avformat_close_input)             \
  call(avformat_open_input)              \
  call(avio_alloc_context)               \
  call(avio_context_free)

struct libav_library {
#define LIBAV_LIBRARY_MEMBER(name) __typeof__(&name) name;
  LIBAV_LIBRARY_UTIL_CALLS(LIBAV_LIBRARY_MEMBER)
  LIBAV_LIBRARY_CODEC_CALLS(LIBAV_LIBRARY_MEMBER)
  LIBAV_LIBRARY_FORMAT_CALLS(LIBAV_LIBRARY_MEMBER)
#undef LIBAV_LIBRARY_MEMBER
};

// The calls, once for the whole process; NULL if the libraries are missing.
const struct libav_library *libav_library_get(void);

#endif
