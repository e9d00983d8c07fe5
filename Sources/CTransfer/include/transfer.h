#ifndef SNIPPET_HTTP_TRANSFER_H
#define SNIPPET_HTTP_TRANSFER_H

#include <stddef.h>

// Requests by libcurl, whose options are variadic arguments and which calls back while it works.

/// Returns the name and version of libcurl and of what it uses; NULL if it cannot be loaded.
const char *snippet_transfer_version(void);

/// A reason for which there is no answer.
enum snippet_transfer_failure {
  snippet_transfer_done = 0,
  snippet_transfer_cancelled,
  /// The connection broke before the answer was whole.
  snippet_transfer_interrupted,
  snippet_transfer_no_connection,
  snippet_transfer_no_host,
  snippet_transfer_no_library,
  snippet_transfer_no_proxy,
  /// Nothing came for the time allowed.
  snippet_transfer_silent,
  snippet_transfer_too_long,
  /// There is no safe connection.
  snippet_transfer_untrusted,
  snippet_transfer_failed
};

struct snippet_transfer_request {
  const char *method;
  const char *url;
  /// Lines of `name: value`, separated by line feeds.
  const char *headers;
  /// NULL for none.
  const void *body;
  size_t body_byte_count;
  /// The most bytes of an answer. Of one that is an error, the first 64 KiB are taken.
  size_t answer_byte_limit;
  long connect_milliseconds;
  long stall_seconds;
  /// Asked about once a second, and whenever bytes move.
  int (*is_cancelled)(void *context);
  void *context;
};

/// An answer, or a failure with its message. The caller frees `headers` and `body`.
struct snippet_transfer_response {
  enum snippet_transfer_failure failure;
  char message[256];
  long status;
  char *headers;
  size_t header_byte_count;
  char *body;
  size_t body_byte_count;
};

/// Makes what keeps connections open between requests; NULL if there is no library or no memory.
void *snippet_transfer_make(void);

/// Makes a request and waits for the answer, without following redirects.
///
/// One at a time with the same transfer.
void snippet_transfer_perform(
    void *transfer,
    const struct snippet_transfer_request *request,
    struct snippet_transfer_response *response
);

/// Closes the connections.
void snippet_transfer_end(void *transfer);

#endif
