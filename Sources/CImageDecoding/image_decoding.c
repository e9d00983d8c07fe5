#include "image_decoding.h"

#include <stdio.h>
#include <string.h>

#ifdef SNIPPET_MEDIA

#include <pthread.h>
#include <vips/vips.h>

// What a library says on standard error is for nobody: a failure is told with its reason.
static void keep_silent(const gchar *domain, GLogLevelFlags level, const gchar *message,
                        gpointer data) {
  (void)domain;
  (void)level;
  (void)message;
  (void)data;
}

static int start_status = -1;

static void start(void) {
  g_log_set_handler("VIPS", G_LOG_LEVEL_WARNING | G_LOG_LEVEL_INFO | G_LOG_LEVEL_DEBUG,
                    keep_silent, NULL);
  start_status = vips_init("snippets");
  if (start_status != 0) return;
  vips_block_untrusted_set(TRUE);
  vips_concurrency_set(1);
  vips_cache_set_max(0);
}

int snippet_image_start(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
  return start_status;
}

const char *snippet_image_version(void) {
  return snippet_image_start() == 0 ? vips_version_string() : NULL;
}

int snippet_image_has_loader(const char *name) {
  return snippet_image_start() == 0 && vips_type_find("VipsOperation", name) != 0;
}

// The first line of what libvips complained of, without its line ends.
static void take_reason(struct snippet_image_reason *reason) {
  char *text = vips_error_buffer_copy();
  snprintf(reason->text, sizeof reason->text, "%s", text ? text : "");
  g_free(text);
  reason->text[strcspn(reason->text, "\n")] = 0;
  // The buffer is one for all threads; left alone, it would grow.
  vips_error_clear();
}

// Formats that a store knows, and whose libraries are made for bytes from strangers. Others are not
// even looked at, so that nothing depends on what else the library was built with.
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
  reason->text[0] = 0;
  if (snippet_image_start() != 0) return snippet_image_no_library;
  const char *loader = vips_foreign_find_load_buffer(bytes, byte_count);
  if (!loader || !is_allowed(loader)) {
    vips_error_clear();
    return snippet_image_no_loader;
  }
  *image = vips_image_new_from_buffer(bytes, byte_count, "", "access", VIPS_ACCESS_SEQUENTIAL,
                                      NULL);
  if (*image) return snippet_image_done;
  take_reason(reason);
  return snippet_image_damaged;
}

int snippet_image_read_header(const void *bytes, size_t byte_count,
                              struct snippet_image_header *header,
                              struct snippet_image_reason *reason) {
  VipsImage *image = NULL;
  int status = open_image(bytes, byte_count, &image, reason);
  if (status == snippet_image_done) {
    int is_turned = vips_image_get_orientation(image) >= 5;
    int width = vips_image_get_width(image);
    int height = vips_image_get_page_height(image);
    header->width = is_turned ? height : width;
    header->height = is_turned ? width : height;
    g_object_unref(image);
  }
  if (status != snippet_image_no_library) vips_thread_shutdown();
  return status;
}

struct watch {
  snippet_image_stop stop;
  void *context;
  int is_stopped;
};

static void look(VipsImage *image, VipsProgress *progress, struct watch *watch) {
  (void)progress;
  if (watch->is_stopped || !watch->stop(watch->context)) return;
  watch->is_stopped = 1;
  vips_image_set_kill(image, TRUE);
}

// Replaces an image by what an operation made of it.
static int become(VipsImage **image, VipsImage *next, int status) {
  if (status != 0) return status;
  g_object_unref(*image);
  *image = next;
  return 0;
}

static int write_rgba(VipsImage *image, struct snippet_image_picture *picture) {
  picture->bytes = vips_image_write_to_memory(image, &picture->byte_count);
  return picture->bytes ? 0 : -1;
}

static int write_encoded(VipsImage *image, struct snippet_image_picture *picture) {
  picture->is_webp = vips_image_hasalpha(image);
  // Stripped: where a picture was taken is nothing for a copy of it.
  return picture->is_webp
             ? vips_webpsave_buffer(image, &picture->bytes, &picture->byte_count, "Q", 80, "strip",
                                    TRUE, NULL)
             : vips_jpegsave_buffer(image, &picture->bytes, &picture->byte_count, "Q", 82,
                                    "optimize_coding", TRUE, "strip", TRUE, NULL);
}

static int make_thumbnail(const void *bytes, size_t byte_count, int size, int form,
                          int has_profile, struct watch *watch, struct snippet_image_picture *picture) {
  VipsImage *image = NULL;
  VipsImage *next = NULL;
  // Truncated bytes fail rather than give a picture that is grey below. Colours are converted
  // only where the image has a profile: from sRGB to sRGB would change them.
  int made = has_profile ? vips_thumbnail_buffer((void *)bytes, byte_count, &image, size, "height",
                                                 size, "size", VIPS_SIZE_DOWN, "option_string",
                                                 "fail_on=error", "export_profile", "srgb", NULL)
                         : vips_thumbnail_buffer((void *)bytes, byte_count, &image, size, "height",
                                                 size, "size", VIPS_SIZE_DOWN, "option_string",
                                                 "fail_on=error", NULL);
  if (made != 0) return -1;
  int status = 0;
  if (vips_image_get_interpretation(image) != VIPS_INTERPRETATION_sRGB) {
    status = vips_colourspace(image, &next, VIPS_INTERPRETATION_sRGB, NULL);
    status = become(&image, next, status);
  }
  if (status == 0 && vips_image_get_format(image) != VIPS_FORMAT_UCHAR) {
    status = vips_cast(image, &next, VIPS_FORMAT_UCHAR, NULL);
    status = become(&image, next, status);
  }
  if (status == 0 && form == snippet_image_rgba && !vips_image_hasalpha(image)) {
    status = vips_addalpha(image, &next, NULL);
    status = become(&image, next, status);
  }
  if (status == 0 && form == snippet_image_rgba && vips_image_get_bands(image) > 4) {
    status = vips_extract_band(image, &next, 0, "n", 4, NULL);
    status = become(&image, next, status);
  }
  if (status == 0) {
    picture->width = vips_image_get_width(image);
    picture->height = vips_image_get_height(image);
    vips_image_set_progress(image, TRUE);
    g_signal_connect(image, "eval", G_CALLBACK(look), watch);
    status = form == snippet_image_rgba ? write_rgba(image, picture)
                                        : write_encoded(image, picture);
  }
  g_object_unref(image);
  return status;
}

int snippet_image_thumbnail(const void *bytes, size_t byte_count, int size, int form,
                            uint64_t maximum_pixel_count, snippet_image_stop stop, void *context,
                            struct snippet_image_picture *picture,
                            struct snippet_image_reason *reason) {
  VipsImage *header = NULL;
  memset(picture, 0, sizeof *picture);
  int status = open_image(bytes, byte_count, &header, reason);
  if (status == snippet_image_done) {
    uint64_t width = (uint64_t)vips_image_get_width(header);
    uint64_t height = (uint64_t)vips_image_get_height(header);
    int has_profile = vips_image_get_typeof(header, VIPS_META_ICC_NAME) != 0;
    g_object_unref(header);
    struct watch watch = {stop, context, stop(context)};
    if (width * height > maximum_pixel_count) {
      status = snippet_image_too_large;
    } else if (watch.is_stopped) {
      status = snippet_image_stopped;
    } else if (make_thumbnail(bytes, byte_count, size, form, has_profile, &watch, picture) !=
               0) {
      status = watch.is_stopped ? snippet_image_stopped : snippet_image_damaged;
      take_reason(reason);
      snippet_image_free(picture->bytes);
      picture->bytes = NULL;
    }
  }
  if (status != snippet_image_no_library) vips_thread_shutdown();
  return status;
}

void snippet_image_free(void *bytes) { g_free(bytes); }

size_t snippet_image_peak_byte_count(void) { return vips_tracked_get_mem_highwater(); }

#else

int snippet_image_start(void) { return -1; }

const char *snippet_image_version(void) { return NULL; }

int snippet_image_has_loader(const char *name) {
  (void)name;
  return 0;
}

int snippet_image_read_header(const void *bytes, size_t byte_count,
                              struct snippet_image_header *header,
                              struct snippet_image_reason *reason) {
  (void)bytes;
  (void)byte_count;
  (void)header;
  reason->text[0] = 0;
  return snippet_image_no_library;
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

size_t snippet_image_peak_byte_count(void) { return 0; }

#endif
