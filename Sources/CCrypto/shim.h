// See `ContentHash` and `EvernoteUnpacking`.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/md5.h>
#include <openssl/sha.h>

// See `SystemCrypto`.
#include <openssl/evp.h>
#include <openssl/hmac.h>
