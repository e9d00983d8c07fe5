// URLSession takes its place there.
#ifndef __APPLE__

#include "include/transfer.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "transfer_library.h"

_Static_assert(
    sizeof((struct snippet_transfer_response *)0)->message == transfer_library_message_size,
    "libcurl writes a message of this size"
);

static struct transfer_library library;
static int start_status = -1;

static void start(void) {
  if (transfer_library_load(&library) != 0) return;
  start_status = library.curl_global_init(transfer_library_all) == 0 ? 0 : -1;
}

static int is_started(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
  return start_status == 0;
}

const char *snippet_transfer_version(void) {
  return is_started() ? library.curl_version() : NULL;
}

void *snippet_transfer_make(void) { return is_started() ? library.curl_easy_init() : NULL; }

void snippet_transfer_end(void *transfer) { library.curl_easy_cleanup(transfer); }

static const size_t header_limit = 64 << 10, error_limit = 64 << 10;

struct exchange {
  void *transfer;
  const struct snippet_transfer_request *request;
  struct snippet_transfer_response *response;
  size_t header_capacity, body_capacity;
  int is_too_long, is_error_cut;
  int has_headers;  // all of them, up to the empty line
};

// Appends bytes, doubling the room; 0 without memory.
static int append(
    char **bytes, size_t *count, size_t *capacity, const char *more, size_t more_count
) {
  if (more_count > *capacity - *count) {
    size_t room = *capacity ? *capacity : 4096;
    while (room - *count < more_count) room *= 2;
    char *larger = realloc(*bytes, room);
    if (!larger) return 0;
    *bytes = larger;
    *capacity = room;
  }
  memcpy(*bytes + *count, more, more_count);
  *count += more_count;
  return 1;
}

// Each is called with pieces of at most 16 KiB; another result than their size ends the transfer.
static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
  struct exchange *exchange = context;
  struct snippet_transfer_response *response = exchange->response;
  long status = 0;
  library.curl_easy_getinfo(exchange->transfer, transfer_library_status, &status);
  int is_error = status >= 300;
  size_t limit = is_error ? error_limit : exchange->request->answer_byte_limit;
  size_t taken = size * count;
  if (taken > limit - response->body_byte_count) {
    exchange->is_error_cut = is_error;
    exchange->is_too_long = !is_error;
    return 0;
  }
  int is_kept = append(
      &response->body, &response->body_byte_count, &exchange->body_capacity, bytes, taken
  );
  return is_kept ? taken : 0;
}

static size_t take_header(char *bytes, size_t size, size_t count, void *context) {
  struct exchange *exchange = context;
  struct snippet_transfer_response *response = exchange->response;
  size_t taken = size * count;
  // An answer with a status of 1xx, or of a proxy, comes before the real one.
  if (taken >= 5 && memcmp(bytes, "HTTP/", 5) == 0) {
    response->header_byte_count = 0;
    exchange->has_headers = 0;
  }
  // An empty line, with its end.
  if (taken > 0 && taken <= 2 && bytes[taken - 1] == '\n') exchange->has_headers = 1;
  if (taken > header_limit - response->header_byte_count) {
    exchange->is_too_long = 1;
    return 0;
  }
  int is_kept = append(
      &response->headers, &response->header_byte_count, &exchange->header_capacity, bytes, taken
  );
  return is_kept ? taken : 0;
}

static int check_progress(
    void *context, int64_t toReceive, int64_t received, int64_t toSend, int64_t sent
) {
  struct exchange *exchange = context;
  (void)toReceive, (void)received, (void)toSend, (void)sent;
  return exchange->request->is_cancelled(exchange->request->context);
}

// Makes the list of header lines; NULL without memory.
static struct curl_slist *header_list(const char *lines) {
  // The first line keeps libcurl from waiting for a word of the server before it sends a body.
  struct curl_slist *list = library.curl_slist_append(NULL, "Expect:");
  char *copy = strdup(lines), *rest = NULL;
  for (char *line = copy ? strtok_r(copy, "\n", &rest) : NULL; list && line;
       line = strtok_r(NULL, "\n", &rest)) {
    struct curl_slist *longer = library.curl_slist_append(list, line);
    if (!longer) library.curl_slist_free_all(list);
    list = longer;
  }
  if (!copy && list) {
    library.curl_slist_free_all(list);
    list = NULL;
  }
  free(copy);
  return list;
}

static enum snippet_transfer_failure failure_of(unsigned code, const struct exchange *exchange) {
  int64_t microseconds = 0;
  long proxy_status = 0;
  void *transfer = exchange->transfer;
  library.curl_easy_getinfo(transfer, transfer_library_microseconds_to_connect, &microseconds);
  library.curl_easy_getinfo(transfer, transfer_library_proxy_status, &proxy_status);
  switch (code) {
  case transfer_library_no_host: return snippet_transfer_no_host;
  case transfer_library_no_connection: return snippet_transfer_no_connection;
  case transfer_library_timed_out:
    return microseconds > 0 ? snippet_transfer_silent : snippet_transfer_no_connection;
  case transfer_library_no_proxy:
  case transfer_library_wrong_proxy: return snippet_transfer_no_proxy;
  case transfer_library_no_handshake:
  case transfer_library_untrusted: return snippet_transfer_untrusted;
  case transfer_library_aborted: return snippet_transfer_cancelled;
  case transfer_library_not_received:
    // This is also what a proxy is reported as that refuses to connect.
    if (proxy_status >= 300) return snippet_transfer_no_proxy;
    return snippet_transfer_interrupted;
  case transfer_library_broken_connection:
  case transfer_library_broken_stream:
  case transfer_library_cut_short:
  case transfer_library_nothing_came:
  case transfer_library_not_sent: return snippet_transfer_interrupted;
  default: return snippet_transfer_failed;
  }
}

// Holds back the signal of a broken pipe in this thread, and tells whether one waited already.
//
// TLS writes to sockets in a way that raises it, which ends a process. libcurl could change what the
// whole process does with the signal, and must not.
static int hold_pipe_signal(sigset_t *former) {
  sigset_t waiting, held;
  sigpending(&waiting);
  sigemptyset(&held);
  sigaddset(&held, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &held, former);
  return sigismember(&waiting, SIGPIPE);
}

static void release_pipe_signal(const sigset_t *former, int had_one) {
  sigset_t held;
  sigemptyset(&held);
  sigaddset(&held, SIGPIPE);
  const struct timespec none = {0};
  if (!had_one) sigtimedwait(&held, NULL, &none);
  pthread_sigmask(SIG_SETMASK, former, NULL);
}

void snippet_transfer_perform(
    void *transfer,
    const struct snippet_transfer_request *request,
    struct snippet_transfer_response *response
) {
  struct exchange exchange = {.transfer = transfer, .request = request, .response = response};
  *response = (struct snippet_transfer_response){.failure = snippet_transfer_failed};
  struct curl_slist *headers = header_list(request->headers);
  if (!headers) {
    snprintf(response->message, sizeof response->message, "there is no memory left");
    return;
  }
  // This forgets all options, and keeps the connections.
  library.curl_easy_reset(transfer);
#define SET(option, value) library.curl_easy_setopt(transfer, transfer_library_##option, value)
  SET(url, request->url);
  SET(header_lines, headers);
  if (request->body) {
    SET(body, request->body);
    SET(body_byte_count, (int64_t)request->body_byte_count);
  }
  SET(method, request->method);
  SET(user_agent, "snippets");
  SET(message, response->message);
  SET(on_body, take_body);
  SET(body_context, &exchange);
  SET(on_header, take_header);
  SET(header_context, &exchange);
  SET(on_progress, check_progress);
  SET(progress_context, &exchange);
  SET(has_no_progress, 0L);
  SET(raises_no_signals, 1L);
  // The path is signed as it is.
  SET(keeps_path, 1L);
  SET(protocols, (long)transfer_library_http_and_https);
  SET(connect_milliseconds, request->connect_milliseconds);
  SET(least_bytes_a_second, 1L);
  SET(stall_seconds, request->stall_seconds);
  SET(hides_connect_headers, 1L);
#undef SET
  sigset_t former;
  int had_signal = hold_pipe_signal(&former);
  unsigned code = library.curl_easy_perform(transfer);
  release_pipe_signal(&former, had_signal);
  library.curl_easy_getinfo(transfer, transfer_library_status, &response->status);
  library.curl_slist_free_all(headers);
  // libcurl takes an answer that ends within its headers for one without a body.
  if (code == 0 && !exchange.has_headers) code = transfer_library_cut_short;
  if (code == 0 || exchange.is_error_cut)
    response->failure = snippet_transfer_done;
  else if (exchange.is_too_long)
    response->failure = snippet_transfer_too_long;
  else
    response->failure = failure_of(code, &exchange);
  if (!response->message[0])
    snprintf(response->message, sizeof response->message, "%s", library.curl_easy_strerror(code));
}

#endif
