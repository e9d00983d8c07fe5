#include "libav_decoding.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#ifdef SNIPPET_MEDIA

#include <libavutil/pixfmt.h>

#include "libav_library.h"

// The place of each colour in a pixel, in bytes; below 0 for a missing one.
struct places {
  int format;
  int byte_count;
  int red, green, blue, alpha;
};

static const struct places all_places[] = {
    {AV_PIX_FMT_BGR24, 3, 2, 1, 0, -1}, {AV_PIX_FMT_BGR0, 4, 2, 1, 0, -1},
    {AV_PIX_FMT_RGB0, 4, 0, 1, 2, -1},  {AV_PIX_FMT_0BGR, 4, 3, 2, 1, -1},
    {AV_PIX_FMT_0RGB, 4, 1, 2, 3, -1},  {AV_PIX_FMT_BGRA, 4, 2, 1, 0, 3},
    {AV_PIX_FMT_RGBA, 4, 0, 1, 2, 3},   {AV_PIX_FMT_ABGR, 4, 3, 2, 1, 0},
    {AV_PIX_FMT_ARGB, 4, 1, 2, 3, 0},   {AV_PIX_FMT_GRAY8, 1, 0, 0, 0, -1},
};

static const struct places *places_of(int format) {
  for (size_t index = 0; index < sizeof all_places / sizeof *all_places; index++)
    if (all_places[index].format == format) return &all_places[index];
  return NULL;
}

// The number of bits of each colour, from the lowest on: blue, green, red.
static int has_bits(int format, int bits[3]) {
  static const struct {
    int format, blue, green, red;
  } all[] = {{AV_PIX_FMT_RGB555LE, 5, 5, 5},
             {AV_PIX_FMT_RGB565LE, 5, 6, 5},
             {AV_PIX_FMT_RGB444LE, 4, 4, 4}};
  for (size_t index = 0; index < sizeof all / sizeof *all; index++) {
    if (all[index].format != format) continue;
    bits[0] = all[index].blue;
    bits[1] = all[index].green;
    bits[2] = all[index].red;
    return 1;
  }
  return 0;
}

static int is_known(int format) {
  int bits[3];
  return format == AV_PIX_FMT_PAL8 || format == AV_PIX_FMT_MONOBLACK || places_of(format) ||
         has_bits(format, bits);
}

// Whether there are both visible pixels and others. Programs without transparency leave zeros in
// its place.
static int is_transparent(const AVFrame *frame) {
  const struct places *places = places_of(frame->format);
  if (!places || places->alpha < 0) return 0;
  int is_seen = 0, is_clear = 0;
  for (int y = 0; y < frame->height && !(is_seen && is_clear); y++) {
    const uint8_t *pixel = frame->data[0] + (ptrdiff_t)y * frame->linesize[0] + places->alpha;
    for (int x = 0; x < frame->width; x++, pixel += places->byte_count) {
      is_seen |= *pixel != 0;
      is_clear |= *pixel != UINT8_MAX;
    }
  }
  return is_seen && is_clear;
}

static int decode(const struct libav_library *library, AVCodecContext *codec, AVFrame *frame,
                  const void *bytes, size_t byte_count) {
  AVPacket *packet = library->av_packet_alloc();
  if (!packet) return AVERROR(ENOMEM);
  // The library may read beyond the end of its input, so it gets a copy.
  int error = byte_count > INT32_MAX - AV_INPUT_BUFFER_PADDING_SIZE
                  ? AVERROR_INVALIDDATA
                  : library->av_new_packet(packet, (int)byte_count);
  if (error >= 0) {
    memcpy(packet->data, bytes, byte_count);
    error = library->avcodec_send_packet(codec, packet);
  }
  library->av_packet_free(&packet);
  return error < 0 ? error : library->avcodec_receive_frame(codec, frame);
}

int snippet_bitmap_open(const void *bytes, size_t byte_count, int64_t maximum_pixel_count,
                        struct snippet_bitmap *bitmap, struct snippet_libav_reason *reason) {
  const struct libav_library *library = libav_library_get();
  memset(bitmap, 0, sizeof *bitmap);
  reason->text[0] = 0;
  if (!library) return snippet_libav_no_library;
  const AVCodec *decoder = library->avcodec_find_decoder(AV_CODEC_ID_BMP);
  if (!decoder) return snippet_libav_no_decoder;
  AVFrame *frame = library->av_frame_alloc();
  AVCodecContext *codec = library->avcodec_alloc_context3(decoder);
  int error = frame && codec ? 0 : AVERROR(ENOMEM);
  if (error >= 0) {
    codec->thread_count = 1;
    codec->max_pixels = maximum_pixel_count;
    error = library->avcodec_open2(codec, decoder, NULL);
  }
  if (error >= 0) error = decode(library, codec, frame, bytes, byte_count);
  library->avcodec_free_context(&codec);
  bitmap->decoder = frame;
  if (error < 0) {
    if (library->av_strerror(error, reason->text, sizeof reason->text) != 0) reason->text[0] = 0;
    // A kind that it does not read, or colours at unknown places.
    return error == AVERROR_PATCHWELCOME || error == AVERROR(EINVAL) ? snippet_libav_no_decoder
                                                                     : snippet_libav_damaged;
  }
  if (!is_known(frame->format)) return snippet_libav_no_decoder;
  bitmap->width = frame->width;
  bitmap->height = frame->height;
  bitmap->channel_count = is_transparent(frame) ? 4 : 3;
  return snippet_libav_done;
}

void snippet_bitmap_row(const struct snippet_bitmap *bitmap, int y, uint8_t *row) {
  const AVFrame *frame = bitmap->decoder;
  const uint8_t *pixels = frame->data[0] + (ptrdiff_t)y * frame->linesize[0];
  const struct places *places = places_of(frame->format);
  const uint32_t *palette = (const uint32_t *)frame->data[1];
  int bits[3];
  int is_packed = has_bits(frame->format, bits);
  for (int x = 0; x < bitmap->width; x++, row += bitmap->channel_count) {
    if (places) {
      const uint8_t *pixel = pixels + (ptrdiff_t)x * places->byte_count;
      row[0] = pixel[places->red];
      row[1] = pixel[places->green];
      row[2] = pixel[places->blue];
      if (bitmap->channel_count == 4) row[3] = pixel[places->alpha];
    } else if (is_packed) {
      unsigned number = pixels[2 * x] | (unsigned)pixels[2 * x + 1] << 8;
      for (int color = 0; color < 3; number >>= bits[color], color++) {
        unsigned most = (1U << bits[color]) - 1;
        row[2 - color] = (uint8_t)(((number & most) * UINT8_MAX + most / 2) / most);
      }
    } else {
      uint32_t color = frame->format == AV_PIX_FMT_PAL8 ? palette[pixels[x]]
                       : pixels[x / 8] >> (7 - x % 8) & 1 ? 0xFFFFFF
                                                          : 0;
      row[0] = (uint8_t)(color >> 16);
      row[1] = (uint8_t)(color >> 8);
      row[2] = (uint8_t)color;
    }
  }
}

void snippet_bitmap_close(struct snippet_bitmap *bitmap) {
  const struct libav_library *library = libav_library_get();
  AVFrame *frame = bitmap->decoder;
  if (library && frame) library->av_frame_free(&frame);
  bitmap->decoder = NULL;
}

#else

int snippet_bitmap_open(const void *bytes, size_t byte_count, int64_t maximum_pixel_count,
                        struct snippet_bitmap *bitmap, struct snippet_libav_reason *reason) {
  (void)bytes;
  (void)byte_count;
  (void)maximum_pixel_count;
  memset(bitmap, 0, sizeof *bitmap);
  reason->text[0] = 0;
  return snippet_libav_no_library;
}

void snippet_bitmap_row(const struct snippet_bitmap *bitmap, int y, uint8_t *row) {
  (void)bitmap;
  (void)y;
  (void)row;
}

void snippet_bitmap_close(struct snippet_bitmap *bitmap) { (void)bitmap; }

#endif
