#ifndef SNIPPET_IMAGE_LIBRARY_CHECK_H
#define SNIPPET_IMAGE_LIBRARY_CHECK_H

/// How many calls of the image library were held to its headers when this was compiled; 0 where the
/// package is built without it, or its headers are not installed.
int snippet_image_library_checked_call_count(void);

#endif
