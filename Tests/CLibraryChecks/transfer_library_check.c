#include "library_checks.h"

// To run, the header is not needed, so a machine may be without it.
#if __has_include(<curl/curl.h>)

// Its macros would take the place of the calls, and one of the options has a successor.
#define CURL_DISABLE_TYPECHECK
#define CURL_DISABLE_DEPRECATION
#include <curl/curl.h>

#include "../../Sources/CTransfer/transfer_library.h"

#undef curl_easy_setopt
#undef curl_easy_getinfo

// What does not agree does not compile: a call with a wrong argument would be found when it
// crashes.
#define CHECK(type, name, arguments)                                                   \
  _Static_assert(__builtin_types_compatible_p(__typeof__(&(name)), type(*) arguments), \
                 #name " is declared as in the header");
TRANSFER_LIBRARY_CALLS(CHECK)

#define CHECK_VALUE(name, value) _Static_assert((int)(name) == (int)(value), #name);
CHECK_VALUE(transfer_library_all, CURL_GLOBAL_ALL)
CHECK_VALUE(transfer_library_http_and_https, CURLPROTO_HTTP | CURLPROTO_HTTPS)
CHECK_VALUE(transfer_library_message_size, CURL_ERROR_SIZE)
CHECK_VALUE(transfer_library_url, CURLOPT_URL)
CHECK_VALUE(transfer_library_header_lines, CURLOPT_HTTPHEADER)
CHECK_VALUE(transfer_library_method, CURLOPT_CUSTOMREQUEST)
CHECK_VALUE(transfer_library_body, CURLOPT_POSTFIELDS)
CHECK_VALUE(transfer_library_body_byte_count, CURLOPT_POSTFIELDSIZE_LARGE)
CHECK_VALUE(transfer_library_user_agent, CURLOPT_USERAGENT)
CHECK_VALUE(transfer_library_message, CURLOPT_ERRORBUFFER)
CHECK_VALUE(transfer_library_on_body, CURLOPT_WRITEFUNCTION)
CHECK_VALUE(transfer_library_body_context, CURLOPT_WRITEDATA)
CHECK_VALUE(transfer_library_on_header, CURLOPT_HEADERFUNCTION)
CHECK_VALUE(transfer_library_header_context, CURLOPT_HEADERDATA)
CHECK_VALUE(transfer_library_on_progress, CURLOPT_XFERINFOFUNCTION)
CHECK_VALUE(transfer_library_progress_context, CURLOPT_XFERINFODATA)
CHECK_VALUE(transfer_library_has_no_progress, CURLOPT_NOPROGRESS)
CHECK_VALUE(transfer_library_raises_no_signals, CURLOPT_NOSIGNAL)
CHECK_VALUE(transfer_library_keeps_path, CURLOPT_PATH_AS_IS)
CHECK_VALUE(transfer_library_protocols, CURLOPT_PROTOCOLS)
CHECK_VALUE(transfer_library_connect_milliseconds, CURLOPT_CONNECTTIMEOUT_MS)
CHECK_VALUE(transfer_library_least_bytes_a_second, CURLOPT_LOW_SPEED_LIMIT)
CHECK_VALUE(transfer_library_stall_seconds, CURLOPT_LOW_SPEED_TIME)
CHECK_VALUE(transfer_library_hides_connect_headers, CURLOPT_SUPPRESS_CONNECT_HEADERS)
CHECK_VALUE(transfer_library_status, CURLINFO_RESPONSE_CODE)
CHECK_VALUE(transfer_library_proxy_status, CURLINFO_HTTP_CONNECTCODE)
CHECK_VALUE(transfer_library_microseconds_to_connect, CURLINFO_CONNECT_TIME_T)
CHECK_VALUE(transfer_library_no_proxy, CURLE_COULDNT_RESOLVE_PROXY)
CHECK_VALUE(transfer_library_no_host, CURLE_COULDNT_RESOLVE_HOST)
CHECK_VALUE(transfer_library_no_connection, CURLE_COULDNT_CONNECT)
CHECK_VALUE(transfer_library_cut_short, CURLE_PARTIAL_FILE)
CHECK_VALUE(transfer_library_broken_connection, CURLE_HTTP2)
CHECK_VALUE(transfer_library_broken_stream, CURLE_HTTP2_STREAM)
CHECK_VALUE(transfer_library_timed_out, CURLE_OPERATION_TIMEDOUT)
CHECK_VALUE(transfer_library_no_handshake, CURLE_SSL_CONNECT_ERROR)
CHECK_VALUE(transfer_library_aborted, CURLE_ABORTED_BY_CALLBACK)
CHECK_VALUE(transfer_library_nothing_came, CURLE_GOT_NOTHING)
CHECK_VALUE(transfer_library_not_sent, CURLE_SEND_ERROR)
CHECK_VALUE(transfer_library_not_received, CURLE_RECV_ERROR)
CHECK_VALUE(transfer_library_untrusted, CURLE_PEER_FAILED_VERIFICATION)
CHECK_VALUE(transfer_library_wrong_proxy, CURLE_PROXY)
CHECK_VALUE(sizeof(long long), sizeof(curl_off_t))

#define COUNT(type, name, arguments) +1
int snippet_transfer_library_checked_call_count(void) { return 0 TRANSFER_LIBRARY_CALLS(COUNT); }

#else

int snippet_transfer_library_checked_call_count(void) { return 0; }

#endif
