#include "library_checks.h"

// To run, the headers are not needed, so a machine may be without them.
#if __has_include(<archive_entry.h>)

#include <archive.h>
#include <archive_entry.h>

#include "../../Sources/CTransfer/archive_library.h"

// What does not agree does not compile: a call with a wrong argument would be found when it
// crashes.
#define CHECK(type, name, arguments)                                                   \
  _Static_assert(__builtin_types_compatible_p(__typeof__(&(name)), type(*) arguments), \
                 #name " is declared as in the headers");
ARCHIVE_LIBRARY_CALLS(CHECK)

#define CHECK_VALUE(name, value) _Static_assert((int)(name) == (int)(value), #name);
CHECK_VALUE(archive_library_end, ARCHIVE_EOF)
CHECK_VALUE(archive_library_ok, ARCHIVE_OK)
CHECK_VALUE(archive_library_retry, ARCHIVE_RETRY)
CHECK_VALUE(archive_library_warn, ARCHIVE_WARN)
CHECK_VALUE(archive_library_failed, ARCHIVE_FAILED)
CHECK_VALUE(archive_library_type_mask, AE_IFMT)
CHECK_VALUE(archive_library_regular, AE_IFREG)
CHECK_VALUE(archive_library_folder, AE_IFDIR)
CHECK_VALUE(archive_library_tar, ARCHIVE_FORMAT_TAR)
CHECK_VALUE(archive_library_raw, ARCHIVE_FORMAT_RAW)

#define COUNT(type, name, arguments) +1
int snippet_archive_library_checked_call_count(void) { return 0 ARCHIVE_LIBRARY_CALLS(COUNT); }

#else

int snippet_archive_library_checked_call_count(void) { return 0; }

#endif
