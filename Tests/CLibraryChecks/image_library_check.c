#include "library_checks.h"

// To run, the headers are not needed, so a machine may be without them.
#if defined(SNIPPET_MEDIA) && __has_include(<vips/vips.h>)

#include <vips/vips.h>

#include "../../Sources/CMedia/image_library.h"

// What does not agree does not compile: a call with a wrong argument would be found when it
// crashes.
#define CHECK(type, name, arguments)                                                         \
  _Static_assert(__builtin_types_compatible_p(__typeof__(&(name)), type(*) arguments), \
                 #name " is declared as in the headers");
IMAGE_LIBRARY_CALLS(CHECK)

#define CHECK_VALUE(name, value) _Static_assert((int)(name) == (int)(value), #name);
CHECK_VALUE(image_library_sequential_access, VIPS_ACCESS_SEQUENTIAL)
CHECK_VALUE(image_library_size_down, VIPS_SIZE_DOWN)
CHECK_VALUE(image_library_srgb, VIPS_INTERPRETATION_sRGB)
CHECK_VALUE(image_library_uchar, VIPS_FORMAT_UCHAR)
CHECK_VALUE(image_library_quiet_levels,
            G_LOG_LEVEL_WARNING | G_LOG_LEVEL_INFO | G_LOG_LEVEL_DEBUG)
CHECK_VALUE(0, sizeof(IMAGE_LIBRARY_PROFILE) - sizeof(VIPS_META_ICC_NAME))
CHECK_VALUE(0, __builtin_strcmp(IMAGE_LIBRARY_PROFILE, VIPS_META_ICC_NAME))

#define COUNT(type, name, arguments) +1
int snippet_image_library_checked_call_count(void) { return 0 IMAGE_LIBRARY_CALLS(COUNT); }

#else

int snippet_image_library_checked_call_count(void) { return 0; }

#endif
