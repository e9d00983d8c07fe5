#ifndef SNIPPET_IMAGE_DECODING_H
#define SNIPPET_IMAGE_DECODING_H

#include <stddef.h>
#include <stdint.h>

/// Makes thumbnails with libvips.
///
/// Its calls take any number of arguments, so Swift cannot make them, and it is loaded at its first
/// use. Without the library every call returns `snippet_image_no_library`.

enum snippet_image_status {
  snippet_image_done = 0,
  /// The library is missing or did not start.
  snippet_image_no_library,
  /// No allowed loader accepts the bytes.
  snippet_image_no_loader,
  /// There are more pixels than allowed.
  snippet_image_too_large,
  /// The caller asked to stop.
  snippet_image_stopped,
  /// The bytes cannot be decoded.
  snippet_image_damaged
};

/// The form of a thumbnail's pixels.
enum snippet_image_form {
  /// Four bytes a pixel, red, green, blue and alpha, the rows from the top without a gap.
  snippet_image_rgba = 0,
  /// JPEG, or WebP with transparency.
  snippet_image_encoded
};

/// A finished picture; free its bytes with `snippet_image_free`.
struct snippet_image_picture {
  int width;
  int height;
  /// The size of the image, which may still have to be turned.
  int image_width;
  int image_height;
  /// Whether `bytes` are WebP rather than JPEG, for the encoded form.
  int is_webp;
  void *bytes;
  size_t byte_count;
};

/// Called repeatedly while pixels are made; any result but 0 stops.
typedef int (*snippet_image_stop)(void *context);

/// The reason of a failure, in words.
struct snippet_image_reason {
  char text[200];
};

/// Starts the library once, without loaders that are not made for untrusted bytes, with one thread
/// for each call and no cache; further calls do nothing.
///
/// Returns 0 when it is ready.
int snippet_image_start(void);

/// The version of the library; NULL without it.
const char *snippet_image_version(void);

/// Whether there is a loader of this name, such as "jpegload_buffer".
int snippet_image_has_loader(const char *name);

/// Makes a picture of at most `size` pixels a side, upright, in sRGB; never larger than the image.
int snippet_image_thumbnail(const void *bytes, size_t byte_count, int size, int form,
                            uint64_t maximum_pixel_count, snippet_image_stop stop, void *context,
                            struct snippet_image_picture *picture,
                            struct snippet_image_reason *reason);

void snippet_image_free(void *bytes);

#endif
