#ifndef SNIPPET_FILTER_LIBRARY_H
#define SNIPPET_FILTER_LIBRARY_H

#include <stdint.h>

// The calls of libseccomp, which writes the filter of system calls for the present processor and
// knows its numbers.
//
// The process to be filtered loads it, so nothing is linked with it, and its headers are not needed
// to build this; a target of the tests compares the declarations below with them.

struct filter_library_condition {
  unsigned int argument;
  int comparison;
  uint64_t first;  // of a masked comparison the mask
  uint64_t second; // of a masked comparison the value
};

enum {
  filter_library_stop_on_other_processor = 2, // SCMP_FLTATR_ACT_BADARCH
  filter_library_all_threads = 4,             // SCMP_FLTATR_CTL_TSYNC
  filter_library_errors_of_system = 9,        // SCMP_FLTATR_API_SYSRAWRC
  filter_library_masked = 7                   // SCMP_CMP_MASKED_EQ
};

#define FILTER_LIBRARY_KILL 0x80000000U              // SCMP_ACT_KILL_PROCESS
#define FILTER_LIBRARY_ALLOW 0x7fff0000U             // SCMP_ACT_ALLOW
#define FILTER_LIBRARY_FAIL(error) (0x00050000U | (error)) // SCMP_ACT_ERRNO

// The type of the result, the name, the types of the arguments.
#define FILTER_LIBRARY_CALLS(call, attribute)                                                 \
  call(void *, seccomp_init, (uint32_t))                                                      \
  call(void, seccomp_release, (void *))                                                       \
  call(int, seccomp_attr_set, (void *, attribute, uint32_t))                                  \
  call(int, seccomp_syscall_resolve_name, (const char *))                                     \
  call(int, seccomp_load, (void *const))

// Declared apart: its last argument is a structure of our own name.
#define FILTER_LIBRARY_ADD(call, condition)                                                   \
  call(int, seccomp_rule_add_array,                                                           \
       (void *, uint32_t, int, unsigned int, const struct condition *))

struct filter_library {
#define FILTER_LIBRARY_MEMBER(type, name, arguments) type(*name) arguments;
  FILTER_LIBRARY_CALLS(FILTER_LIBRARY_MEMBER, int)
  FILTER_LIBRARY_ADD(FILTER_LIBRARY_MEMBER, filter_library_condition)
#undef FILTER_LIBRARY_MEMBER
};

// Loads the library and finds its calls. 0 when all are there.
int filter_library_load(struct filter_library *library);

#endif
