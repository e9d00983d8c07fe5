/// The blob is not there, or not any more.
struct BlobDeletion: Error {}

/// The blob has more bytes than fit: more than 256 GiB.
struct BlobTooLarge: Error {}
