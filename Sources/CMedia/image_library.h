#ifndef SNIPPET_IMAGE_LIBRARY_H
#define SNIPPET_IMAGE_LIBRARY_H

#include <stddef.h>

// The calls of libvips, and of the GLib that it uses.
//
// Both are loaded when the first image is decoded, since they bring a hundred libraries along: some
// 20 MB and many files in every program that keeps pictures and decodes them in a worker. Including
// their headers would link them, so the calls are declared here, and a target of the tests compares
// the declarations with the headers.

typedef struct _VipsImage VipsImage;
typedef struct _GClosure GClosure;

enum {
  image_library_sequential_access = 1, // VIPS_ACCESS_SEQUENTIAL
  image_library_size_down = 2,         // VIPS_SIZE_DOWN
  image_library_srgb = 22,             // VIPS_INTERPRETATION_sRGB
  image_library_uchar = 0,             // VIPS_FORMAT_UCHAR
  image_library_quiet_levels = 208     // G_LOG_LEVEL_WARNING, _INFO and _DEBUG
};

#define IMAGE_LIBRARY_PROFILE "icc-profile-data" // VIPS_META_ICC_NAME

typedef void (*image_library_log)(const char *, int, const char *, void *);
typedef void (*image_library_callback)(void);
typedef void (*image_library_notify)(void *, GClosure *);

// The type of the result, the name, the types of the arguments.
#define IMAGE_LIBRARY_CALLS(call)                                                                 \
  call(int, vips_init, (const char *))                                                            \
  call(const char *, vips_version_string, (void))                                                 \
  call(void, vips_block_untrusted_set, (int))                                                     \
  call(void, vips_concurrency_set, (int))                                                         \
  call(void, vips_cache_set_max, (int))                                                           \
  call(void, vips_thread_shutdown, (void))                                                        \
  call(char *, vips_error_buffer_copy, (void))                                                    \
  call(void, vips_error_clear, (void))                                                            \
  call(unsigned long, vips_type_find, (const char *, const char *))                               \
  call(const char *, vips_foreign_find_load_buffer, (const void *, size_t))                       \
  call(VipsImage *, vips_image_new_from_buffer, (const void *, size_t, const char *, ...))        \
  call(int, vips_image_get_width, (const VipsImage *))                                            \
  call(int, vips_image_get_height, (const VipsImage *))                                           \
  call(int, vips_image_get_bands, (const VipsImage *))                                            \
  call(int, vips_image_get_interpretation, (const VipsImage *))                                   \
  call(int, vips_image_get_format, (const VipsImage *))                                           \
  call(int, vips_image_hasalpha, (VipsImage *))                                                   \
  call(unsigned long, vips_image_get_typeof, (const VipsImage *, const char *))                   \
  call(void, vips_image_set_progress, (VipsImage *, int))                                         \
  call(void, vips_image_set_kill, (VipsImage *, int))                                             \
  call(void *, vips_image_write_to_memory, (VipsImage *, size_t *))                               \
  call(int, vips_thumbnail_buffer, (void *, size_t, VipsImage **, int, ...))                      \
  call(int, vips_colourspace, (VipsImage *, VipsImage **, int, ...))                              \
  call(int, vips_cast, (VipsImage *, VipsImage **, int, ...))                                     \
  call(int, vips_addalpha, (VipsImage *, VipsImage **, ...))                                      \
  call(int, vips_extract_band, (VipsImage *, VipsImage **, int, ...))                             \
  call(int, vips_jpegsave_buffer, (VipsImage *, void **, size_t *, ...))                          \
  call(int, vips_webpsave_buffer, (VipsImage *, void **, size_t *, ...))                          \
  call(void, g_free, (void *))                                                                    \
  call(void, g_object_unref, (void *))                                                            \
  call(unsigned, g_log_set_handler, (const char *, int, image_library_log, void *))               \
  call(unsigned long, g_signal_connect_data,                                                      \
       (void *, const char *, image_library_callback, void *, image_library_notify, unsigned))

struct image_library {
#define IMAGE_LIBRARY_MEMBER(type, name, arguments) type(*name) arguments;
  IMAGE_LIBRARY_CALLS(IMAGE_LIBRARY_MEMBER)
#undef IMAGE_LIBRARY_MEMBER
};

// Loads the library, without starting it, and finds its calls. 0 when all are there.
int image_library_load(struct image_library *library);

#endif
