// See `ContentHash`.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

// See `SystemCrypto`.
#include <openssl/evp.h>
#include <openssl/hmac.h>
