import Dispatch
package import Foundation
package import GRDB
import SnippetBase

extension BlobReaders {
  /// Reads the bytes of a range as far as they lie within the blob, or all bytes.
  ///
  /// They are in memory of exactly their size. Throws ``BlobDeletion`` if the blob does not exist.
  func data(of blob: BlobID, in range: Range<Int64>? = nil) throws -> Data {
    try call {
      var memory = BlobMemory()
      // The size is read in the same snapshot as the first bytes.
      let (start, first) = try withConnection(forPartOf: range) { connection -> (Int64, Int) in
        guard let range else {
          return try connection.withBlob(blob) { layout, bytes in
            if let bytes { return (0, try memory.copy(bytes)) }
            return (0, try memory.begin(0..<layout.byteCount, of: blob, layout, on: connection))
          }
        }
        return try connection.withLayout(of: blob) { layout in
          let wanted = range.clamped(to: 0..<layout.byteCount)
          return (wanted.lowerBound, try memory.begin(wanted, of: blob, layout, on: connection))
        }
      }
      try fill(memory.bytes, from: first, blob, at: start)
      return memory.takeData()
    }
  }

  /// Reads the bytes of a blob, in memory of exactly their size, for a caller that may cancel.
  ///
  /// `check` is called on this thread with the size, at least once and then about once for each MiB
  /// that this thread reads. An error that it throws ends the reading. Throws ``BlobDeletion`` if
  /// the blob does not exist.
  func data(of blob: BlobID, check: (Int64) throws -> Void) throws -> Data {
    let span = 1 << 20
    return try call {
      var memory = BlobMemory()
      let (byteCount, isRead) = try withConnection { connection in
        try connection.withBlob(blob) { layout, bytes in
          if let bytes {
            try memory.copy(bytes)
          } else if layout.byteCount <= span {
            try memory.begin(0..<layout.byteCount, of: blob, layout, on: connection)
          } else {
            return (layout.byteCount, false)
          }
          return (layout.byteCount, true)
        }
      }
      try check(byteCount)
      if !isRead {
        // Allocate only once the blob is known to be wanted: it may be large.
        try makeRoom(for: blob, in: &memory)
        try fill(memory.bytes, from: 0, blob, at: 0, spans: span) { try check(byteCount) }
      }
      return memory.takeData()
    }
  }

  /// Fills `buffer` with the bytes of a blob from `offset` on, and returns their number.
  ///
  /// It is less than the size of the buffer only at the end of the blob.
  func read(
    _ blob: BlobID,
    at offset: Int64,
    into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    try call {
      let (first, total) = try withConnection(forPartOf: 0..<Int64(buffer.count)) { connection in
        if connection.readRemembered(blob, at: offset, into: buffer) {
          return (buffer.count, buffer.count)
        }
        return try connection.withLayout(of: blob) { layout in
          guard offset < layout.byteCount else { return (0, 0) }
          let total = Int(min(Int64(buffer.count), layout.byteCount - offset))
          guard total <= Self.spanByteCount else { return (0, total) }
          var handle = try BlobHandle(on: connection)
          let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<total])
          try handle.read(blob, layout, at: offset, into: part)
          return (total, total)
        }
      }
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<total])
      try fill(part, from: first, blob, at: offset)
      return total
    }
  }

  /// Reads the bytes of several blobs; missing ones are left out.
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
          // It was deleted after its size was read.
        }
      }
      return found
    }
  }

  /// Reads blobs in one snapshot, as many as fit into a span.
  ///
  /// Returns the next blob if it is too large for a span and must be read separately.
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
        let data = try connection.withBlob(blob) { layout, bytes -> Data? in
          guard layout.byteCount <= Self.spanByteCount else { return nil }
          var memory = BlobMemory()
          if let bytes {
            try memory.copy(bytes)
          } else {
            try memory.allocate(Int(layout.byteCount))
            try handle.read(blob, layout, at: 0, into: memory.bytes)
          }
          return memory.takeData()
        }
        guard let data else { return blob }
        found[blob] = data
        byteCount += data.count
      } catch is BlobDeletion {
        // Leave out deleted blobs.
      }
    }
    return nil
  }

  /// Reads the missing bytes span by span, each in a snapshot of its own.
  ///
  /// Two idle readers share the work, so that it uses two processors. One alone is about as fast as
  /// reading from a file. `check` is called on this thread between two spans; an error that it
  /// throws ends the reading.
  private func fill(
    _ buffer: UnsafeMutableRawBufferPointer,
    from first: Int,
    _ blob: BlobID,
    at offset: Int64,
    spans spanByteCount: Int = BlobReaders.spanByteCount,
    check: () throws -> Void = {}
  ) throws {
    guard first < buffer.count else { return }
    let failure = Lock<(any Error)?>(nil)
    let caller = pthread_self()
    withoutActuallyEscaping(check) { check in
      // Unchecked: each span is written by one thread only, `check` is called on this one, and
      // nothing outlives the call.
      nonisolated(unsafe) let (buffer, check) = (buffer, check)
      @Sendable func readSpans(_ range: Range<Int>, on place: Int?) {
        for start in stride(from: range.lowerBound, to: range.upperBound, by: spanByteCount) {
          guard failure.withLock({ $0 == nil }) else { return }
          do {
            if start > range.lowerBound, pthread_equal(caller, pthread_self()) != 0 { try check() }
            let end = min(start + spanByteCount, range.upperBound)
            let span = UnsafeMutableRawBufferPointer(rebasing: buffer[start..<end])
            try readSpan(of: blob, at: offset + Int64(start), into: span, on: place)
          } catch {
            return failure.withLock { $0 = $0 ?? error }
          }
        }
      }
      let rest = first..<buffer.count
      let isWorthTwo = rest.count > Self.spanByteCount
      let places = isWorthTwo ? [reserveIdle(), reserveIdle()].compactMap(\.self) : []
      defer { for place in places { release(place) } }
      // Use the reserved idle reader: another one may be busy for long.
      guard places.count > 1 else { return readSpans(rest, on: places.first) }
      // Give each reader the same half every time: its pages are already mapped.
      let middle = first + rest.count / 2
      let halves = [first..<middle, middle..<buffer.count]
      DispatchQueue.concurrentPerform(iterations: halves.count) { number in
        readSpans(halves[number], on: places[number])
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
  }

  private func readSpan(
    of blob: BlobID,
    at offset: Int64,
    into span: UnsafeMutableRawBufferPointer,
    on place: Int?
  ) throws {
    try withConnection(place) { connection in
      try connection.withLayout(of: blob) { layout in
        var handle = try BlobHandle(on: connection)
        try handle.read(blob, layout, at: offset, into: span)
      }
    }
  }

  private func makeRoom(for blob: BlobID, in memory: inout BlobMemory) throws {
    try withConnection { connection in
      try connection.withLayout(of: blob) { layout in
        var handle = try BlobHandle(on: connection)
        try memory.allocate(0..<layout.byteCount, of: blob, layout, seenBy: &handle)
      }
    }
  }
}

extension Database {
  /// Reads the first bytes of a blob in the snapshot of this connection, at most as many as it has;
  /// none if it does not exist.
  package func beginning(of blob: BlobID, upTo maximum: Int64) throws -> Data {
    var memory = BlobMemory()
    do {
      try withLayout(of: blob) { layout in
        let range = 0..<min(layout.byteCount, maximum)
        var handle = try BlobHandle(on: self)
        try memory.allocate(range, of: blob, layout, seenBy: &handle)
        try handle.read(blob, layout, at: 0, into: memory.bytes)
      }
    } catch is BlobDeletion {}
    return memory.takeData()
  }
}

extension BlobMemory {
  /// Allocates room for a range of a blob, and reads it if it is short.
  ///
  /// Returns the number of bytes read: all or none.
  @discardableResult
  fileprivate mutating func begin(
    _ range: Range<Int64>,
    of blob: BlobID,
    _ layout: BlobLayout,
    on connection: any BlobConnection
  ) throws -> Int {
    guard !range.isEmpty else { return 0 }
    var handle = try BlobHandle(on: connection)
    guard range.count <= BlobReaders.spanByteCount else {
      try allocate(range, of: blob, layout, seenBy: &handle)
      return 0
    }
    try allocate(range.count)
    try handle.read(blob, layout, at: range.lowerBound, into: bytes)
    return range.count
  }

  /// Allocates room for a range of a blob once its last chunk was found: the size in a damaged file
  /// could exceed the memory of the system.
  fileprivate mutating func allocate(
    _ range: Range<Int64>,
    of blob: BlobID,
    _ layout: BlobLayout,
    seenBy handle: inout BlobHandle
  ) throws {
    try handle.move(to: (range.upperBound - 1) / layout.chunkSize, of: blob, layout)
    try allocate(range.count)
  }
}
