// The system's C library, for every file that imports this module. The underscored attribute is the
// only way to re-export an import; otherwise each file would have to distinguish the platforms.
#if canImport(Darwin)
@_exported public import Darwin
#elseif canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#elseif canImport(Android)
@_exported public import Android
#endif
