#include "include/terminal_pictures.h"

#ifdef SNIPPET_MEDIA

#include <chafa.h>

#define QUOTED(number) #number
#define DOTTED(major, minor, micro) QUOTED(major) "." QUOTED(minor) "." QUOTED(micro)

const char *snippet_pictures_version(void) {
  return DOTTED(CHAFA_MAJOR_VERSION, CHAFA_MINOR_VERSION, CHAFA_MICRO_VERSION);
}

struct snippet_terminal snippet_pictures_detect(const char *const *environment) {
  ChafaTermInfo *info =
      chafa_term_db_detect(chafa_term_db_get_default(), (gchar **)(uintptr_t)environment);
  struct snippet_terminal found = {snippet_pixels_symbols, snippet_colors_none};
  if (chafa_term_info_have_seq(info, CHAFA_TERM_SEQ_SET_COLOR_FGBG_DIRECT))
    found.colors = snippet_colors_direct;
  else if (chafa_term_info_have_seq(info, CHAFA_TERM_SEQ_SET_COLOR_FGBG_256))
    found.colors = snippet_colors_256;
  else if (chafa_term_info_have_seq(info, CHAFA_TERM_SEQ_SET_COLOR_FGBG_16))
    found.colors = snippet_colors_16;
  if (chafa_term_info_have_seq(info, CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1))
    found.pixels = snippet_pixels_kitty;
  else if (chafa_term_info_have_seq(info, CHAFA_TERM_SEQ_BEGIN_SIXELS))
    found.pixels = snippet_pixels_sixels;
  chafa_term_info_unref(info);
  return found;
}

static ChafaCanvasMode canvas_mode(int colors) {
  switch (colors) {
    case snippet_colors_direct: return CHAFA_CANVAS_MODE_TRUECOLOR;
    // The first 16 of 256 are what each user likes them to be.
    case snippet_colors_256: return CHAFA_CANVAS_MODE_INDEXED_240;
    case snippet_colors_16: return CHAFA_CANVAS_MODE_INDEXED_16;
    default: return CHAFA_CANVAS_MODE_FGBG;
  }
}

static ChafaCanvasConfig *config_for(struct snippet_picture picture) {
  ChafaCanvasConfig *config = chafa_canvas_config_new();
  chafa_canvas_config_set_geometry(config, picture.columns, picture.lines);
  return config;
}

static ChafaCanvas *drawn(ChafaCanvasConfig *config, struct snippet_picture picture) {
  ChafaCanvas *canvas = chafa_canvas_new(config);
  chafa_canvas_draw_all_pixels(canvas, CHAFA_PIXEL_RGBA8_UNASSOCIATED, picture.pixels,
                               picture.width, picture.height, picture.width * 4);
  return canvas;
}

int snippet_pictures_draw(struct snippet_picture picture, int colors, struct snippet_cell *cells) {
  int is_plain = colors == snippet_colors_none;
  ChafaCanvasConfig *config = config_for(picture);
  chafa_canvas_config_set_canvas_mode(config, canvas_mode(colors));
  // A box in a row has few cells: each is worth the search for its best symbol.
  chafa_canvas_config_set_work_factor(config, 1);
  // Without colours dots have the most to tell; with them, blocks that every font has alike.
  ChafaSymbolMap *symbols = chafa_symbol_map_new();
  chafa_symbol_map_add_by_tags(
      symbols, is_plain ? CHAFA_SYMBOL_TAG_BRAILLE
                        : CHAFA_SYMBOL_TAG_SPACE | CHAFA_SYMBOL_TAG_SOLID | CHAFA_SYMBOL_TAG_BLOCK);
  chafa_canvas_config_set_symbol_map(config, symbols);
  if (is_plain) {
    chafa_canvas_config_set_dither_mode(config, CHAFA_DITHER_MODE_DIFFUSION);
    chafa_canvas_config_set_dither_grain_size(config, 1, 1);
  }
  ChafaCanvas *canvas = drawn(config, picture);
  for (int line = 0; line < picture.lines; line++) {
    for (int column = 0; column < picture.columns; column++) {
      gint foreground = -1, background = -1;
      if (!is_plain)
        chafa_canvas_get_raw_colors_at(canvas, column, line, &foreground, &background);
      *cells++ = (struct snippet_cell){chafa_canvas_get_char_at(canvas, column, line), foreground,
                                       background};
    }
  }
  chafa_canvas_unref(canvas);
  chafa_symbol_map_unref(symbols);
  chafa_canvas_config_unref(config);
  return 0;
}

char *snippet_pictures_encode(struct snippet_picture picture, int cell_width, int cell_height,
                              int form, size_t *byte_count) {
  ChafaCanvasConfig *config = config_for(picture);
  chafa_canvas_config_set_cell_geometry(config, cell_width, cell_height);
  chafa_canvas_config_set_pixel_mode(
      config, form == snippet_pixels_kitty ? CHAFA_PIXEL_MODE_KITTY : CHAFA_PIXEL_MODE_SIXELS);
  ChafaCanvas *canvas = drawn(config, picture);
  // It knows every protocol: the user may ask for one that is not detected.
  ChafaTermInfo *info = chafa_term_db_get_fallback_info(chafa_term_db_get_default());
  GString *text = chafa_canvas_print(canvas, info);
  chafa_term_info_unref(info);
  chafa_canvas_unref(canvas);
  chafa_canvas_config_unref(config);
  *byte_count = text->len;
  return g_string_free(text, FALSE);
}

void snippet_pictures_free(char *bytes) { g_free(bytes); }

#else

const char *snippet_pictures_version(void) { return NULL; }

struct snippet_terminal snippet_pictures_detect(const char *const *environment) {
  (void)environment;
  return (struct snippet_terminal){snippet_pixels_symbols, snippet_colors_none};
}

int snippet_pictures_draw(struct snippet_picture picture, int colors, struct snippet_cell *cells) {
  (void)picture;
  (void)colors;
  (void)cells;
  return -1;
}

char *snippet_pictures_encode(struct snippet_picture picture, int cell_width, int cell_height,
                              int form, size_t *byte_count) {
  (void)picture;
  (void)cell_width;
  (void)cell_height;
  (void)form;
  *byte_count = 0;
  return NULL;
}

void snippet_pictures_free(char *bytes) { (void)bytes; }

#endif
