#include "library_checks.h"

// To run, the headers are not needed, so a machine may be without them.
#if defined(SNIPPET_MEDIA) && __has_include(<chafa.h>)

#include <chafa.h>
#include <stddef.h>

#include "../../Sources/CMedia/chafa_library.h"

// GLib 2.76 wraps this call in a macro.
#undef g_string_free

// A declaration that disagrees does not compile: a call with a wrong argument would crash instead.
#define CHECK(type, name, arguments)                                                   \
  _Static_assert(__builtin_types_compatible_p(__typeof__(&(name)), type(*) arguments), \
                 #name " is declared as in the headers");
CHAFA_LIBRARY_CALLS(CHECK)

#define CHECK_VALUE(name, value) _Static_assert((int)(name) == (int)(value), #name);
CHECK_VALUE(chafa_library_sets_direct_colors, CHAFA_TERM_SEQ_SET_COLOR_FGBG_DIRECT)
CHECK_VALUE(chafa_library_sets_256_colors, CHAFA_TERM_SEQ_SET_COLOR_FGBG_256)
CHECK_VALUE(chafa_library_sets_16_colors, CHAFA_TERM_SEQ_SET_COLOR_FGBG_16)
CHECK_VALUE(chafa_library_begins_sixels, CHAFA_TERM_SEQ_BEGIN_SIXELS)
CHECK_VALUE(chafa_library_begins_kitty, CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1)
CHECK_VALUE(chafa_library_direct_colors, CHAFA_CANVAS_MODE_TRUECOLOR)
CHECK_VALUE(chafa_library_240_colors, CHAFA_CANVAS_MODE_INDEXED_240)
CHECK_VALUE(chafa_library_16_colors, CHAFA_CANVAS_MODE_INDEXED_16)
CHECK_VALUE(chafa_library_no_colors, CHAFA_CANVAS_MODE_FGBG)
CHECK_VALUE(chafa_library_sixels, CHAFA_PIXEL_MODE_SIXELS)
CHECK_VALUE(chafa_library_kitty, CHAFA_PIXEL_MODE_KITTY)
CHECK_VALUE(chafa_library_rgba, CHAFA_PIXEL_RGBA8_UNASSOCIATED)
CHECK_VALUE(chafa_library_diffusion, CHAFA_DITHER_MODE_DIFFUSION)
CHECK_VALUE(chafa_library_space, CHAFA_SYMBOL_TAG_SPACE)
CHECK_VALUE(chafa_library_solid, CHAFA_SYMBOL_TAG_SOLID)
CHECK_VALUE(chafa_library_blocks, CHAFA_SYMBOL_TAG_BLOCK)
CHECK_VALUE(chafa_library_braille, CHAFA_SYMBOL_TAG_BRAILLE)

#define CHECK_MEMBER(ours, theirs)                                                        \
  CHECK_VALUE(offsetof(struct chafa_library_text, ours), offsetof(struct _GString, theirs)) \
  CHECK_VALUE(sizeof(((struct chafa_library_text *)0)->ours), sizeof(((GString *)0)->theirs))
CHECK_MEMBER(bytes, str)
CHECK_MEMBER(byte_count, len)

#define COUNT(type, name, arguments) +1
int snippet_chafa_library_checked_call_count(void) { return 0 CHAFA_LIBRARY_CALLS(COUNT); }

#else

int snippet_chafa_library_checked_call_count(void) { return 0; }

#endif
