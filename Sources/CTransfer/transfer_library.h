#ifndef SNIPPET_TRANSFER_LIBRARY_H
#define SNIPPET_TRANSFER_LIBRARY_H

#include <stddef.h>

// The calls of libcurl.
//
// It is loaded when the first request is made, since it brings thirty libraries along, and a store
// that is not synchronized needs none of them. Including its header would link it, so the calls are
// declared here, and a target of the tests compares the declarations with the header.

struct curl_slist;

enum {
  transfer_library_all = 3, // CURL_GLOBAL_ALL
  transfer_library_http_and_https = 3,
  transfer_library_message_size = 256, // CURL_ERROR_SIZE

  // Of enum CURLoption, 10000 and above for pointers, 20000 for functions, 30000 for large numbers.
  transfer_library_url = 10002,
  transfer_library_header_lines = 10023,
  transfer_library_method = 10036,
  transfer_library_body = 10015,
  transfer_library_body_byte_count = 30120,
  transfer_library_user_agent = 10018,
  transfer_library_message = 10010,
  transfer_library_on_body = 20011,
  transfer_library_body_context = 10001,
  transfer_library_on_header = 20079,
  transfer_library_header_context = 10029,
  transfer_library_on_progress = 20219,
  transfer_library_progress_context = 10057,
  transfer_library_has_no_progress = 43,
  transfer_library_raises_no_signals = 99,
  transfer_library_keeps_path = 234,
  transfer_library_protocols = 181,
  transfer_library_connect_milliseconds = 156,
  transfer_library_least_bytes_a_second = 19,
  transfer_library_stall_seconds = 20,
  transfer_library_hides_connect_headers = 265,

  // Of enum CURLINFO.
  transfer_library_status = 0x200002,
  transfer_library_proxy_status = 0x200016,
  transfer_library_microseconds_to_connect = 0x600034,

  // Of enum CURLcode.
  transfer_library_no_proxy = 5,
  transfer_library_no_host = 6,
  transfer_library_no_connection = 7,
  transfer_library_broken_connection = 16,
  transfer_library_cut_short = 18,
  transfer_library_timed_out = 28,
  transfer_library_no_handshake = 35,
  transfer_library_aborted = 42,
  transfer_library_nothing_came = 52,
  transfer_library_not_sent = 55,
  transfer_library_not_received = 56,
  transfer_library_untrusted = 60,
  transfer_library_broken_stream = 92,
  transfer_library_wrong_proxy = 97
};

// The type of the result, the name, the types of the arguments.
#define TRANSFER_LIBRARY_CALLS(call)                                               \
  call(unsigned, curl_global_init, (long))                                         \
  call(char *, curl_version, (void))                                               \
  call(void *, curl_easy_init, (void))                                             \
  call(unsigned, curl_easy_setopt, (void *, unsigned, ...))                        \
  call(unsigned, curl_easy_getinfo, (void *, unsigned, ...))                       \
  call(unsigned, curl_easy_perform, (void *))                                      \
  call(void, curl_easy_reset, (void *))                                            \
  call(void, curl_easy_cleanup, (void *))                                          \
  call(const char *, curl_easy_strerror, (unsigned))                               \
  call(struct curl_slist *, curl_slist_append, (struct curl_slist *, const char *)) \
  call(void, curl_slist_free_all, (struct curl_slist *))

struct transfer_library {
#define TRANSFER_LIBRARY_MEMBER(type, name, arguments) type(*name) arguments;
  TRANSFER_LIBRARY_CALLS(TRANSFER_LIBRARY_MEMBER)
#undef TRANSFER_LIBRARY_MEMBER
};

// Loads the library, without starting it, and finds its calls. 0 when all are there.
int transfer_library_load(struct transfer_library *library);

#endif
