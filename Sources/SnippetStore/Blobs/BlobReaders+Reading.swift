import Foundation

extension BlobReaders {
  /// The size of a blob in bytes.
  func byteCount(of blob: BlobID) throws -> Int64 {
    try call {
      try withConnection { try $0.withLayout(of: blob) { $0.byteCount } }
    }
  }

  /// The bytes of a blob, or those of a range that lie within it.
  ///
  /// - Parameters:
  ///   - blob: The blob.
  ///   - range: Which bytes; `nil` for all.
  /// - Returns: The bytes, in storage of their size.
  /// - Throws: ``BlobDeletion``, or what SQLite says.
  func data(of blob: BlobID, in range: Range<Int64>? = nil) throws -> Data {
    try call {
      var memory = BlobMemory()
      // The size becomes known in the snapshot in which the first bytes are read.
      let (start, first) = try withConnection { connection in
        try connection.withLayout(of: blob) { layout in
          let wanted = range?.clamped(to: 0..<layout.byteCount) ?? 0..<layout.byteCount
          guard !wanted.isEmpty else { return (wanted.lowerBound, 0) }
          var handle = try BlobHandle(on: connection)
          let first = min(wanted.count, Self.spanByteCount)
          try memory.allocate(wanted, of: blob, layout, seenBy: &handle, span: first)
          try handle.read(blob, layout, at: wanted.lowerBound, into: memory.prefix(first))
          return (wanted.lowerBound, first)
        }
      }
      try fill(memory.bytes, from: first, blob, at: start, span: Self.spanByteCount)
      return memory.takeData()
    }
  }

  /// The bytes of a blob for somebody who may stop waiting for it.
  ///
  /// - Parameters:
  ///   - blob: The blob.
  ///   - check: Told the size before each MiB but the first, and once at least; what it throws ends
  ///     the reading.
  /// - Returns: The bytes, in storage of their size.
  /// - Throws: ``BlobDeletion``, what SQLite says, or what `check` throws.
  func data(of blob: BlobID, check: (Int64) throws -> Void) throws -> Data {
    let span = 1 << 20
    return try call {
      var memory = BlobMemory()
      let (byteCount, first) = try withConnection { connection in
        try connection.withLayout(of: blob) { layout in
          guard layout.byteCount <= span else { return (layout.byteCount, 0) }
          try memory.allocate(Int(layout.byteCount))
          var handle = try BlobHandle(on: connection)
          try handle.read(blob, layout, at: 0, into: memory.bytes)
          return (layout.byteCount, Int(layout.byteCount))
        }
      }
      try check(byteCount)
      if first == 0 {
        // Not before it is known to be wanted: it may be large.
        try withConnection { connection in
          try connection.withLayout(of: blob) { layout in
            var handle = try BlobHandle(on: connection)
            try memory.allocate(
              0..<layout.byteCount,
              of: blob,
              layout,
              seenBy: &handle,
              span: span
            )
          }
        }
      }
      try fill(memory.bytes, from: first, blob, at: 0, span: span, check: check)
      return memory.takeData()
    }
  }

  /// Fills `buffer` with the bytes of a blob from `offset` on.
  ///
  /// - Returns: How many bytes were read: fewer than asked for only at the end of the blob.
  func read(
    _ blob: BlobID,
    at offset: Int64,
    into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    try call {
      let (first, total) = try withConnection { connection in
        try connection.withLayout(of: blob) { layout in
          guard offset < layout.byteCount else { return (0, 0) }
          let total = Int(min(Int64(buffer.count), layout.byteCount - offset))
          let first = min(total, Self.spanByteCount)
          var handle = try BlobHandle(on: connection)
          let span = UnsafeMutableRawBufferPointer(rebasing: buffer[..<first])
          try handle.read(blob, layout, at: offset, into: span)
          return (first, total)
        }
      }
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[..<total])
      try fill(rest, from: first, blob, at: offset, span: Self.spanByteCount)
      return total
    }
  }

  /// The bytes of several blobs, those that are there.
  func data(of blobs: some Sequence<BlobID>) throws -> [BlobID: Data] {
    try call {
      var found: [BlobID: Data] = [:]
      var rest = Array(blobs)[...]
      while !rest.isEmpty {
        let large = try withConnection { connection in
          try read(&rest, into: &found, on: connection)
        }
        guard let large else { continue }
        do {
          found[large] = try data(of: large)
        } catch is BlobDeletion {
          // It has gone since its size was seen.
        }
      }
      return found
    }
  }

  /// Reads blobs in one snapshot, as many as fit into a span.
  ///
  /// - Returns: The next one, if it is too large for a span and so has to be read apart.
  private func read(
    _ rest: inout ArraySlice<BlobID>,
    into found: inout [BlobID: Data],
    on connection: any BlobConnection
  ) throws -> BlobID? {
    var byteCount = 0
    var handle = try BlobHandle(on: connection)
    while let blob = rest.first, byteCount < Self.spanByteCount {
      rest.removeFirst()
      guard found[blob] == nil else { continue }
      do {
        let data = try connection.withLayout(of: blob) { layout -> Data? in
          guard layout.byteCount <= Self.spanByteCount else { return nil }
          var memory = BlobMemory()
          try memory.allocate(Int(layout.byteCount))
          try handle.read(blob, layout, at: 0, into: memory.bytes)
          return memory.takeData()
        }
        guard let data else { return blob }
        found[blob] = data
        byteCount += data.count
      } catch is BlobDeletion {
        // What is gone is left out.
      }
    }
    return nil
  }

  /// Reads what a first span has left, a span at a time, each in a snapshot of its own.
  private func fill(
    _ buffer: UnsafeMutableRawBufferPointer,
    from first: Int,
    _ blob: BlobID,
    at offset: Int64,
    span spanByteCount: Int,
    check: (Int64) throws -> Void = { _ in }
  ) throws {
    var done = first
    while done < buffer.count {
      try check(Int64(buffer.count))
      let count = min(buffer.count - done, spanByteCount)
      let span = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count])
      try withConnection { connection in
        try connection.withLayout(of: blob) { layout in
          var handle = try BlobHandle(on: connection)
          try handle.read(blob, layout, at: offset + Int64(done), into: span)
        }
      }
      done += count
    }
  }
}

extension BlobMemory {
  /// The first bytes.
  func prefix(_ byteCount: Int) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: bytes[..<byteCount])
  }

  /// Makes room for a range of a blob, if that is really there: the size in a damaged file could ask
  /// for more memory than the system has.
  fileprivate mutating func allocate(
    _ range: Range<Int64>,
    of blob: BlobID,
    _ layout: BlobLayout,
    seenBy handle: inout BlobHandle,
    span: Int
  ) throws {
    if range.count > span {
      try handle.move(to: (range.upperBound - 1) / layout.chunkSize, of: blob, layout)
    }
    try allocate(range.count)
  }
}
