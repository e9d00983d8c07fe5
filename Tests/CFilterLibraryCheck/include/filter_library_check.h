#ifndef SNIPPET_FILTER_LIBRARY_CHECK_H
#define SNIPPET_FILTER_LIBRARY_CHECK_H

/// How many calls of the library that writes filters were held to its headers when this was
/// compiled; 0 where they are not installed.
int snippet_filter_library_checked_call_count(void);

#endif
