#ifndef SNIPPET_LIBRARY_CHECKS_H
#define SNIPPET_LIBRARY_CHECKS_H

// How many calls of a library were held to its headers when this was compiled; 0 where the headers
// are not installed, or the package is built without the library.

/// The calls of libvips.
int snippet_image_library_checked_call_count(void);

/// The calls of libchafa.
int snippet_chafa_library_checked_call_count(void);

/// The calls of libseccomp, which writes filters of system calls.
int snippet_filter_library_checked_call_count(void);

/// The calls of libcurl.
int snippet_transfer_library_checked_call_count(void);

/// The calls of libarchive.
int snippet_archive_library_checked_call_count(void);

/// The calls of liblzma, libbz2 and libzstd.
int snippet_unpacking_libraries_checked_call_count(void);

/// The calls of libxml2.
int snippet_xml_library_checked_call_count(void);

#endif
