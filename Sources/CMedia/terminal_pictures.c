#include "terminal_pictures.h"

#ifdef SNIPPET_MEDIA

#include "chafa_library.h"

const char *snippet_pictures_version(void) { return chafa_library_version(); }

static const struct snippet_terminal plain_terminal = {snippet_pixels_symbols, snippet_colors_none};

struct snippet_terminal snippet_pictures_detect(const char *const *environment) {
  const struct chafa_library *chafa = chafa_library_get();
  struct snippet_terminal found = plain_terminal;
  if (!chafa) return found;
  ChafaTermInfo *info =
      chafa->chafa_term_db_detect(chafa->chafa_term_db_get_default(), (char **)(uintptr_t)environment);
  if (chafa->chafa_term_info_have_seq(info, chafa_library_sets_direct_colors))
    found.colors = snippet_colors_direct;
  else if (chafa->chafa_term_info_have_seq(info, chafa_library_sets_256_colors))
    found.colors = snippet_colors_256;
  else if (chafa->chafa_term_info_have_seq(info, chafa_library_sets_16_colors))
    found.colors = snippet_colors_16;
  if (chafa->chafa_term_info_have_seq(info, chafa_library_begins_kitty))
    found.pixels = snippet_pixels_kitty;
  else if (chafa->chafa_term_info_have_seq(info, chafa_library_begins_sixels))
    found.pixels = snippet_pixels_sixels;
  chafa->chafa_term_info_unref(info);
  return found;
}

static unsigned canvas_mode(int colors) {
  switch (colors) {
    case snippet_colors_direct: return chafa_library_direct_colors;
    // Users choose the first 16 of the 256 colours themselves.
    case snippet_colors_256: return chafa_library_240_colors;
    case snippet_colors_16: return chafa_library_16_colors;
    default: return chafa_library_no_colors;
  }
}

static ChafaCanvasConfig *config_for(const struct chafa_library *chafa,
                                     struct snippet_picture picture) {
  ChafaCanvasConfig *config = chafa->chafa_canvas_config_new();
  chafa->chafa_canvas_config_set_geometry(config, picture.columns, picture.lines);
  return config;
}

static ChafaCanvas *drawn(const struct chafa_library *chafa, ChafaCanvasConfig *config,
                          struct snippet_picture picture) {
  ChafaCanvas *canvas = chafa->chafa_canvas_new(config);
  chafa->chafa_canvas_draw_all_pixels(canvas, chafa_library_rgba, picture.pixels, picture.width,
                                      picture.height, picture.width * 4);
  return canvas;
}

int snippet_pictures_draw(struct snippet_picture picture, int colors, struct snippet_cell *cells) {
  const struct chafa_library *chafa = chafa_library_get();
  if (!chafa) return -1;
  int is_plain = colors == snippet_colors_none;
  ChafaCanvasConfig *config = config_for(chafa, picture);
  chafa->chafa_canvas_config_set_canvas_mode(config, canvas_mode(colors));
  // A box in a row has few cells: each is worth the search for its best symbol.
  chafa->chafa_canvas_config_set_work_factor(config, 1);
  // Without colours dots show the most; with colours, blocks look alike in every font.
  ChafaSymbolMap *symbols = chafa->chafa_symbol_map_new();
  chafa->chafa_symbol_map_add_by_tags(
      symbols, is_plain ? chafa_library_braille
                        : chafa_library_space | chafa_library_solid | chafa_library_blocks);
  chafa->chafa_canvas_config_set_symbol_map(config, symbols);
  if (is_plain) {
    chafa->chafa_canvas_config_set_dither_mode(config, chafa_library_diffusion);
    chafa->chafa_canvas_config_set_dither_grain_size(config, 1, 1);
  }
  ChafaCanvas *canvas = drawn(chafa, config, picture);
  for (int line = 0; line < picture.lines; line++) {
    for (int column = 0; column < picture.columns; column++) {
      int foreground = -1, background = -1;
      if (!is_plain)
        chafa->chafa_canvas_get_raw_colors_at(canvas, column, line, &foreground, &background);
      *cells++ = (struct snippet_cell){chafa->chafa_canvas_get_char_at(canvas, column, line),
                                       foreground, background};
    }
  }
  chafa->chafa_canvas_unref(canvas);
  chafa->chafa_symbol_map_unref(symbols);
  chafa->chafa_canvas_config_unref(config);
  return 0;
}

char *snippet_pictures_encode(struct snippet_picture picture, int cell_width, int cell_height,
                              int form, size_t *byte_count) {
  const struct chafa_library *chafa = chafa_library_get();
  *byte_count = 0;
  if (!chafa) return NULL;
  ChafaCanvasConfig *config = config_for(chafa, picture);
  chafa->chafa_canvas_config_set_cell_geometry(config, cell_width, cell_height);
  chafa->chafa_canvas_config_set_pixel_mode(
      config, form == snippet_pixels_kitty ? chafa_library_kitty : chafa_library_sixels);
  ChafaCanvas *canvas = drawn(chafa, config, picture);
  // It knows every protocol: the user may ask for one that is not detected.
  ChafaTermInfo *info = chafa->chafa_term_db_get_fallback_info(chafa->chafa_term_db_get_default());
  GString *text = chafa->chafa_canvas_print(canvas, info);
  chafa->chafa_term_info_unref(info);
  chafa->chafa_canvas_unref(canvas);
  chafa->chafa_canvas_config_unref(config);
  *byte_count = ((struct chafa_library_text *)text)->byte_count;
  return chafa->g_string_free(text, 0);
}

void snippet_pictures_free(char *bytes) { chafa_library_get()->g_free(bytes); }

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
