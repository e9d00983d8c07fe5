#include "image_decoding.h"

#include <stdio.h>
#include <string.h>

#ifdef SNIPPET_MEDIA

#include <pthread.h>

#include "image_library.h"

// Messages of a library on standard error are suppressed: a failure is reported with its reason.
static void keep_silent(const char *domain, int level, const char *message, void *data) {
  (void)domain;
  (void)level;
  (void)message;
  (void)data;
}

static struct image_library library;
static int start_status = -1;

static void start(void) {
  if (image_library_load(&library) != 0) return;
  library.g_log_set_handler("VIPS", image_library_quiet_levels, keep_silent, NULL);
  start_status = library.vips_init("snippets");
  if (start_status != 0) return;
  library.vips_block_untrusted_set(1);
  library.vips_concurrency_set(1);
  library.vips_cache_set_max(0);
}

int snippet_image_start(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
  return start_status;
}

const char *snippet_image_version(void) {
  return snippet_image_start() == 0 ? library.vips_version_string() : NULL;
}

int snippet_image_has_loader(const char *name) {
  return snippet_image_start() == 0 && library.vips_type_find("VipsOperation", name) != 0;
}

static pthread_mutex_t running_lock = PTHREAD_MUTEX_INITIALIZER;
static int running_count;

// Begins to decode. All threads share libvips's errors, and an image that is decoded may leave some,
// as every HEIC does. They are no reason for the next one. While others decode they may be theirs;
// a worker decodes one image at a time.
static void begin(void) {
  pthread_mutex_lock(&running_lock);
  if (running_count++ == 0) library.vips_error_clear();
  pthread_mutex_unlock(&running_lock);
}

static void end(void) {
  library.vips_thread_shutdown();
  pthread_mutex_lock(&running_lock);
  running_count--;
  pthread_mutex_unlock(&running_lock);
}

// Takes the first line of libvips's error that is not about reading ahead, without its line end.
static void take_reason(struct snippet_image_reason *reason) {
  static const char reading[] = "source: ";
  char *text = library.vips_error_buffer_copy();
  const char *line = text ? text : "";
  while (strncmp(line, reading, sizeof reading - 1) == 0) {
    const char *next = strchr(line, '\n');
    if (!next || !next[1]) break;
    line = next + 1;
  }
  snprintf(reason->text, sizeof reason->text, "%s", line);
  library.g_free(text);
  reason->text[strcspn(reason->text, "\n")] = 0;
  // All threads share the buffer, and it would grow if left alone.
  library.vips_error_clear();
}

// Allows formats that a store knows, and whose libraries are made for untrusted bytes. Others are
// not even examined, so that nothing depends on how the library was built.
static int is_allowed(const char *loader) {
  static const char *const prefixes[] = {
      "VipsForeignLoadJpeg", "VipsForeignLoadPng",  "VipsForeignLoadWebp",
      "VipsForeignLoadNsgif", "VipsForeignLoadTiff", "VipsForeignLoadHeif",
  };
  for (size_t index = 0; index < sizeof prefixes / sizeof *prefixes; index++)
    if (strncmp(loader, prefixes[index], strlen(prefixes[index])) == 0) return 1;
  return 0;
}

// Opens the header only.
static int open_image(const void *bytes, size_t byte_count, VipsImage **image,
                      struct snippet_image_reason *reason) {
  const char *loader = library.vips_foreign_find_load_buffer(bytes, byte_count);
  if (!loader || !is_allowed(loader)) {
    library.vips_error_clear();
    return snippet_image_no_loader;
  }
  *image = library.vips_image_new_from_buffer(bytes, byte_count, "", "access",
                                              image_library_sequential_access, NULL);
  if (*image) return snippet_image_done;
  take_reason(reason);
  return snippet_image_damaged;
}

struct watch {
  snippet_image_stop stop;
  void *context;
  int is_stopped;
};

static void look(VipsImage *image, void *progress, struct watch *watch) {
  (void)progress;
  if (watch->is_stopped || !watch->stop(watch->context)) return;
  watch->is_stopped = 1;
  library.vips_image_set_kill(image, 1);
}

// Replaces an image by the result of an operation.
static int become(VipsImage **image, VipsImage *next, int status) {
  if (status != 0) return status;
  library.g_object_unref(*image);
  *image = next;
  return 0;
}

static int write_rgba(VipsImage *image, struct snippet_image_picture *picture) {
  picture->bytes = library.vips_image_write_to_memory(image, &picture->byte_count);
  return picture->bytes ? 0 : -1;
}

static int write_encoded(VipsImage *image, struct snippet_image_picture *picture) {
  picture->is_webp = library.vips_image_hasalpha(image);
  // Stripped: a copy does not need the place where the picture was taken.
  return picture->is_webp
             ? library.vips_webpsave_buffer(image, &picture->bytes, &picture->byte_count, "Q", 80,
                                            "strip", 1, NULL)
             : library.vips_jpegsave_buffer(image, &picture->bytes, &picture->byte_count, "Q", 82,
                                            "optimize_coding", 1, "strip", 1, NULL);
}

static int make_thumbnail(const void *bytes, size_t byte_count, int size, int form,
                          int has_profile, const char *options, struct watch *watch,
                          struct snippet_image_picture *picture) {
  VipsImage *image = NULL;
  VipsImage *next = NULL;
  // Colours are converted only if the image has a profile: a conversion from sRGB to sRGB would
  // change them.
  int made = has_profile
                 ? library.vips_thumbnail_buffer((void *)bytes, byte_count, &image, size, "height",
                                                 size, "size", image_library_size_down,
                                                 "option_string", options,
                                                 "export_profile", "srgb", NULL)
                 : library.vips_thumbnail_buffer((void *)bytes, byte_count, &image, size, "height",
                                                 size, "size", image_library_size_down,
                                                 "option_string", options, NULL);
  if (made != 0) return -1;
  int status = 0;
  if (library.vips_image_get_interpretation(image) != image_library_srgb) {
    status = library.vips_colourspace(image, &next, image_library_srgb, NULL);
    status = become(&image, next, status);
  }
  if (status == 0 && library.vips_image_get_format(image) != image_library_uchar) {
    status = library.vips_cast(image, &next, image_library_uchar, NULL);
    status = become(&image, next, status);
  }
  if (status == 0 && form == snippet_image_rgba && !library.vips_image_hasalpha(image)) {
    status = library.vips_addalpha(image, &next, NULL);
    status = become(&image, next, status);
  }
  if (status == 0 && form == snippet_image_rgba && library.vips_image_get_bands(image) > 4) {
    status = library.vips_extract_band(image, &next, 0, "n", 4, NULL);
    status = become(&image, next, status);
  }
  if (status == 0) {
    picture->width = library.vips_image_get_width(image);
    picture->height = library.vips_image_get_height(image);
    library.vips_image_set_progress(image, 1);
    library.g_signal_connect_data(image, "eval", (image_library_callback)look, watch, NULL, 0);
    status = form == snippet_image_rgba ? write_rgba(image, picture)
                                        : write_encoded(image, picture);
  }
  library.g_object_unref(image);
  return status;
}

int snippet_image_thumbnail(const void *bytes, size_t byte_count, int size, int form,
                            uint64_t maximum_pixel_count, snippet_image_stop stop, void *context,
                            struct snippet_image_picture *picture,
                            struct snippet_image_reason *reason) {
  VipsImage *header = NULL;
  memset(picture, 0, sizeof *picture);
  reason->text[0] = 0;
  if (snippet_image_start() != 0) return snippet_image_no_library;
  begin();
  int status = open_image(bytes, byte_count, &header, reason);
  if (status == snippet_image_done) {
    uint64_t width = (uint64_t)library.vips_image_get_width(header);
    uint64_t height = (uint64_t)library.vips_image_get_height(header);
    int has_profile = library.vips_image_get_typeof(header, IMAGE_LIBRARY_PROFILE) != 0;
    library.g_object_unref(header);
    struct watch watch = {stop, context, stop(context)};
    picture->image_width = (int)width;
    picture->image_height = (int)height;
    if (width * height > maximum_pixel_count) {
      status = snippet_image_too_large;
    } else if (watch.is_stopped) {
      status = snippet_image_stopped;
    } else if (make_thumbnail(bytes, byte_count, size, form, has_profile, "fail_on=error", &watch,
                              picture) != 0) {
      take_reason(reason);
      snippet_image_free(picture->bytes);
      picture->bytes = NULL;
      // A picture that is cut short or damaged is shown as far as it goes, as viewers do.
      if (!watch.is_stopped && make_thumbnail(bytes, byte_count, size, form, has_profile,
                                              "fail_on=none", &watch, picture) == 0) {
        library.vips_error_clear();
      } else {
        status = watch.is_stopped ? snippet_image_stopped : snippet_image_damaged;
        library.vips_error_clear();
        snippet_image_free(picture->bytes);
        picture->bytes = NULL;
      }
    }
  }
  end();
  return status;
}

void snippet_image_free(void *bytes) {
  if (bytes) library.g_free(bytes);
}

#else

int snippet_image_start(void) { return -1; }

const char *snippet_image_version(void) { return NULL; }

int snippet_image_has_loader(const char *name) {
  (void)name;
  return 0;
}

int snippet_image_thumbnail(const void *bytes, size_t byte_count, int size, int form,
                            uint64_t maximum_pixel_count, snippet_image_stop stop, void *context,
                            struct snippet_image_picture *picture,
                            struct snippet_image_reason *reason) {
  (void)bytes;
  (void)byte_count;
  (void)size;
  (void)form;
  (void)maximum_pixel_count;
  (void)stop;
  (void)context;
  memset(picture, 0, sizeof *picture);
  reason->text[0] = 0;
  return snippet_image_no_library;
}

void snippet_image_free(void *bytes) { (void)bytes; }

#endif
