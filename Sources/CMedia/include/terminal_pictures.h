#ifndef SNIPPET_TERMINAL_PICTURES_H
#define SNIPPET_TERMINAL_PICTURES_H

#include <stddef.h>
#include <stdint.h>

// Draws pixels in a terminal, with libchafa. Pixels are four bytes each, red, green, blue and alpha,
// not multiplied, the rows from the top without a gap.

// How pictures reach the terminal.
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

// What a terminal can do.
struct snippet_terminal {
  int pixels;
  int colors;
};

// Pixels, and the cells that they are drawn over.
struct snippet_picture {
  const uint8_t *pixels;
  int width;
  int height;
  int columns;
  int lines;
};

// One character on the screen. A colour is that of the terminal when it is negative, a number of its
// palette with 16 and 256 colours, and 0xRRGGBB with all of them.
struct snippet_cell {
  uint32_t character;
  int32_t foreground;
  int32_t background;
};

// The version in the name of libchafa's file, such as 0.8.4; NULL where it is not installed, or this
// was built without it.
const char *snippet_pictures_version(void);

// Finds out what the terminal of an environment can do: strings such as TERM=xterm, and NULL at the
// end. Without libchafa that is nothing but symbols without colours.
struct snippet_terminal snippet_pictures_detect(const char *const *environment);

// Draws a picture as symbols, cell by cell from the top. Returns 0, or -1 without libchafa.
int snippet_pictures_draw(struct snippet_picture picture, int colors, struct snippet_cell *cells);

// Draws a picture as the bytes of a protocol of pixels, not of symbols. A cell has so many pixels.
// Returns what snippet_pictures_free takes, or NULL without libchafa.
char *snippet_pictures_encode(struct snippet_picture picture, int cell_width, int cell_height,
                              int form, size_t *byte_count);

void snippet_pictures_free(char *bytes);

#endif
