/// One thing that happens in a small world.
enum SmallWorldEvent: Hashable {
  case bind(cell: Int, row: Int)
  case unbind(cell: Int)
  /// A load comes to its end, in time or after it was given up.
  case end(load: Int)
  case fail(load: Int)
  /// The main actor delivers what has come.
  case deliver
  /// So much time passes that delays and failures are over.
  case wait
  case retry(cell: Int)
  /// A row gets another blob.
  case change(row: Int)
  /// All blobs leave the cache.
  case evict
}
