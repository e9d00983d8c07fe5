#ifndef SNIPPET_TERMINAL_PICTURES_H
#define SNIPPET_TERMINAL_PICTURES_H

#include <stddef.h>
#include <stdint.h>

// Draws pixels in a terminal, with libchafa. Pixels have four bytes each, red, green, blue and
// alpha, not premultiplied, in rows from the top without gaps.

// The ways in which pictures reach the terminal.
enum {
  snippet_pixels_symbols,
  snippet_pixels_sixels,
  snippet_pixels_kitty,
};

// The colours that a symbol may have.
enum {
  snippet_colors_none,
  snippet_colors_16,
  snippet_colors_256,
  snippet_colors_direct,
};

// The abilities of a terminal.
struct snippet_terminal {
  int pixels;
  int colors;
};

// Pixels, with the cells that they are drawn over.
struct snippet_picture {
  const uint8_t *pixels;
  int width;
  int height;
  int columns;
  int lines;
};

// One character on the screen. A negative colour is that of the terminal; otherwise it is a number
// of the palette with 16 or 256 colours, and 0xRRGGBB with all of them.
struct snippet_cell {
  uint32_t character;
  int32_t foreground;
  int32_t background;
};

// The version in the name of libchafa's file, such as 0.8.4; NULL if it is not installed, or this
// was built without it.
const char *snippet_pictures_version(void);

// Detects the abilities of a terminal from an environment: strings such as TERM=xterm, with NULL at
// the end. Without libchafa it can only show symbols without colours.
struct snippet_terminal snippet_pictures_detect(const char *const *environment);

// Draws a picture as symbols, cell by cell from the top. Returns 0, or -1 without libchafa.
int snippet_pictures_draw(struct snippet_picture picture, int colors, struct snippet_cell *cells);

// Draws a picture as the bytes of a pixel protocol, not of symbols, for cells of a size in pixels.
// Free the result with snippet_pictures_free; it is NULL without libchafa.
char *snippet_pictures_encode(struct snippet_picture picture, int cell_width, int cell_height,
                              int form, size_t *byte_count);

void snippet_pictures_free(char *bytes);

#endif
