#include <stddef.h>
#include <stdint.h>

/// The loop of libFuzzer, for a program with a main function of its own; no header declares it
/// (https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library).
int LLVMFuzzerRunDriver(int *count, char ***arguments,
                        int (*body)(const uint8_t *bytes, size_t count));
