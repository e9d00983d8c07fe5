#ifndef SNIPPET_CHAFA_LIBRARY_H
#define SNIPPET_CHAFA_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

// The calls of libchafa, and of the GLib that it uses.
//
// Both are loaded when the first picture is drawn, because most commands draw none. Including their
// headers would link them, so the calls are declared here, and a target of the tests compares the
// declarations with the headers.

typedef struct ChafaCanvas ChafaCanvas;
typedef struct ChafaCanvasConfig ChafaCanvasConfig;
typedef struct ChafaSymbolMap ChafaSymbolMap;
typedef struct ChafaTermDb ChafaTermDb;
typedef struct ChafaTermInfo ChafaTermInfo;
typedef struct _GString GString;

// The beginning of a GString.
struct chafa_library_text {
  char *bytes;
  size_t byte_count;
};

enum {
  chafa_library_sets_direct_colors = 33, // CHAFA_TERM_SEQ_SET_COLOR_FGBG_DIRECT
  chafa_library_sets_256_colors = 36,    // CHAFA_TERM_SEQ_SET_COLOR_FGBG_256
  chafa_library_sets_16_colors = 39,     // CHAFA_TERM_SEQ_SET_COLOR_FGBG_16
  chafa_library_begins_sixels = 40,      // CHAFA_TERM_SEQ_BEGIN_SIXELS
  chafa_library_begins_kitty = 43,       // CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1

  chafa_library_direct_colors = 0, // CHAFA_CANVAS_MODE_TRUECOLOR
  chafa_library_240_colors = 2,    // CHAFA_CANVAS_MODE_INDEXED_240
  chafa_library_16_colors = 3,     // CHAFA_CANVAS_MODE_INDEXED_16
  chafa_library_no_colors = 5,     // CHAFA_CANVAS_MODE_FGBG

  chafa_library_sixels = 1, // CHAFA_PIXEL_MODE_SIXELS
  chafa_library_kitty = 2,  // CHAFA_PIXEL_MODE_KITTY

  chafa_library_rgba = 4,      // CHAFA_PIXEL_RGBA8_UNASSOCIATED
  chafa_library_diffusion = 2, // CHAFA_DITHER_MODE_DIFFUSION

  chafa_library_space = 1,      // CHAFA_SYMBOL_TAG_SPACE
  chafa_library_solid = 2,      // CHAFA_SYMBOL_TAG_SOLID
  chafa_library_blocks = 8,     // CHAFA_SYMBOL_TAG_BLOCK
  chafa_library_braille = 2048, // CHAFA_SYMBOL_TAG_BRAILLE
};

// The type of the result, the name, the types of the arguments.
#define CHAFA_LIBRARY_CALLS(call)                                                                \
  call(ChafaTermDb *, chafa_term_db_get_default, (void))                                         \
  call(ChafaTermInfo *, chafa_term_db_detect, (ChafaTermDb *, char **))                          \
  call(ChafaTermInfo *, chafa_term_db_get_fallback_info, (ChafaTermDb *))                        \
  call(int, chafa_term_info_have_seq, (const ChafaTermInfo *, unsigned))                         \
  call(void, chafa_term_info_unref, (ChafaTermInfo *))                                           \
  call(ChafaSymbolMap *, chafa_symbol_map_new, (void))                                           \
  call(void, chafa_symbol_map_add_by_tags, (ChafaSymbolMap *, CHAFA_LIBRARY_TAGS))               \
  call(void, chafa_symbol_map_unref, (ChafaSymbolMap *))                                         \
  call(ChafaCanvasConfig *, chafa_canvas_config_new, (void))                                     \
  call(void, chafa_canvas_config_set_geometry, (ChafaCanvasConfig *, int, int))                  \
  call(void, chafa_canvas_config_set_cell_geometry, (ChafaCanvasConfig *, int, int))             \
  call(void, chafa_canvas_config_set_canvas_mode, (ChafaCanvasConfig *, unsigned))               \
  call(void, chafa_canvas_config_set_pixel_mode, (ChafaCanvasConfig *, unsigned))                \
  call(void, chafa_canvas_config_set_work_factor, (ChafaCanvasConfig *, float))                  \
  call(void, chafa_canvas_config_set_symbol_map, (ChafaCanvasConfig *, const ChafaSymbolMap *))  \
  call(void, chafa_canvas_config_set_dither_mode, (ChafaCanvasConfig *, unsigned))               \
  call(void, chafa_canvas_config_set_dither_grain_size, (ChafaCanvasConfig *, int, int))         \
  call(void, chafa_canvas_config_unref, (ChafaCanvasConfig *))                                   \
  call(ChafaCanvas *, chafa_canvas_new, (const ChafaCanvasConfig *))                             \
  call(void, chafa_canvas_draw_all_pixels,                                                       \
       (ChafaCanvas *, unsigned, const uint8_t *, int, int, int))                                \
  call(uint32_t, chafa_canvas_get_char_at, (ChafaCanvas *, int, int))                            \
  call(void, chafa_canvas_get_raw_colors_at, (ChafaCanvas *, int, int, int *, int *))            \
  call(GString *, chafa_canvas_print, (ChafaCanvas *, ChafaTermInfo *))                          \
  call(void, chafa_canvas_unref, (ChafaCanvas *))                                                \
  call(char *, g_string_free, (GString *, int))                                                  \
  call(void, g_free, (void *))

// An enumeration with a negative member, unlike the others.
#define CHAFA_LIBRARY_TAGS int

struct chafa_library {
#define CHAFA_LIBRARY_MEMBER(type, name, arguments) type(*name) arguments;
  CHAFA_LIBRARY_CALLS(CHAFA_LIBRARY_MEMBER)
#undef CHAFA_LIBRARY_MEMBER
};

// The calls, loaded once for the whole process; NULL where the library is missing or lacks one.
const struct chafa_library *chafa_library_get(void);

// The version in the name of the library's file, such as 0.8.4; NULL where it is missing.
const char *chafa_library_version(void);

#endif
