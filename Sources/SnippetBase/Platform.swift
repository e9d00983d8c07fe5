// The system's C library, for every file that imports this module. The one underscored attribute:
// nothing else passes an import on, and each file would have to tell the platforms apart.
#if canImport(Darwin)
@_exported public import Darwin
#elseif canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#elseif canImport(Android)
@_exported public import Android
#endif
