#include "library_checks.h"

// To run, the headers are not needed, so a machine may be without them.
#if __has_include(<seccomp.h>)

#include <stddef.h>

#include <seccomp.h>

#include "../../Sources/CProcess/filter_library.h"

// What does not agree does not compile.
#define CHECK(type, name, arguments)                                                 \
  _Static_assert(__builtin_types_compatible_p(__typeof__(&(name)), type(*) arguments), \
                 #name " is declared as in the headers");
FILTER_LIBRARY_CALLS(CHECK, enum scmp_filter_attr)
FILTER_LIBRARY_ADD(CHECK, scmp_arg_cmp)

#define CHECK_VALUE(ours, theirs) _Static_assert((ours) == (theirs), #theirs);
CHECK_VALUE((int)filter_library_stop_on_other_processor, (int)SCMP_FLTATR_ACT_BADARCH)
CHECK_VALUE((int)filter_library_all_threads, (int)SCMP_FLTATR_CTL_TSYNC)
CHECK_VALUE((int)filter_library_errors_of_system, (int)SCMP_FLTATR_API_SYSRAWRC)
CHECK_VALUE((int)filter_library_masked, (int)SCMP_CMP_MASKED_EQ)
CHECK_VALUE(FILTER_LIBRARY_KILL, SCMP_ACT_KILL_PROCESS)
CHECK_VALUE(FILTER_LIBRARY_ALLOW, SCMP_ACT_ALLOW)
CHECK_VALUE(FILTER_LIBRARY_FAIL(7), SCMP_ACT_ERRNO(7))
// Numbers are passed where the headers have enumerations.
CHECK_VALUE(sizeof(int), sizeof(enum scmp_filter_attr))

#define CHECK_MEMBER(ours, theirs)                                     \
  CHECK_VALUE(offsetof(struct filter_library_condition, ours),          \
              offsetof(struct scmp_arg_cmp, theirs))                    \
  CHECK_VALUE(sizeof(((struct filter_library_condition *)0)->ours),     \
              sizeof(((struct scmp_arg_cmp *)0)->theirs))
CHECK_MEMBER(argument, arg)
CHECK_MEMBER(comparison, op)
CHECK_MEMBER(first, datum_a)
CHECK_MEMBER(second, datum_b)

#define COUNT(type, name, arguments) +1
int snippet_filter_library_checked_call_count(void) {
  return 0 FILTER_LIBRARY_CALLS(COUNT, int) FILTER_LIBRARY_ADD(COUNT, filter_library_condition);
}

#else

int snippet_filter_library_checked_call_count(void) { return 0; }

#endif
