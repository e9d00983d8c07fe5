#if os(Linux)
import Foundation
import GRDB
import GRDBSQLite
import Glibc
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ReadAheadTests {
  @Test func `a blob that is on the disk only brings no more along than its neighbours`()
    async throws
  {
    let url = try await makeStore()
    let file = FilePages(of: url)
    try file.forget()
    // A file system that is in memory has nowhere to forget a file to.
    guard file.residentByteCount < 1 << 20 else { return }

    let store = try SnippetStore(at: url, configuration: .init(access: .readOnly))
    let row = try #require(try store.list().rows(in: 150..<151).first)
    let before = file.residentByteCount
    let bytes = try await store.content(of: try #require(row.blobID))
    let after = file.residentByteCount
    try await store.close()

    #expect(bytes.count == 100_000)
    // Some disks are set to read megabytes ahead.
    #expect((100_000..<1_500_000).contains(after - before))
  }

  @Test func `blobs that are on the disk only are read whole, in any order`() async throws {
    let url = try await makeStore()
    let file = FilePages(of: url)
    let store = try SnippetStore(at: url, configuration: .init(access: .readOnly))
    let rows = try store.list().rows(in: 0..<300)
    let kept = try await rows.asyncMap { try await store.content(of: try #require($0.blobID)) }
    try await store.close()
    try file.forget()

    let again = try SnippetStore(at: url, configuration: .init(access: .readOnly))
    for (row, bytes) in zip(rows, kept).reversed() {
      #expect(try await again.content(of: try #require(row.blobID)) == bytes)
    }
    try await again.close()
  }

  @Test(arguments: [1, 2])
  func `the pages of a large blob that is read again and again stay mapped`(
    idleReaderCount: Int
  ) async {
    // The faults of the whole process are counted.
    await #expect(processExitsWith: .success) {
      [
        file = TemporaryDirectory.file("mapped.sqlite") as URL,
        idleReaderCount = idleReaderCount as Int
      ] in
      let store = try SnippetStore(at: file)
      let bytes = Samples.bytes(10_000_000, seed: 1)
      let id = try #require(try await store.save(Samples.image(bytes)).blobID)
      // So that the blob lies in the file, and not in its log.
      try await store.close()
      let again = try SnippetStore(at: file)
      for _ in idleReaderCount..<3 { _ = try #require(again.blobReaders.reserveIdle()) }
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
      defer { memory.deallocate() }

      for _ in 0..<4 { try again.readBlob(id, into: memory) }
      let before = faultCount()
      for _ in 0..<20 { try again.readBlob(id, into: memory) }
      let count = faultCount() - before

      #expect(Data(memory) == bytes)
      // Mapped anew each time, each 64 KiB of it would be a fault.
      #expect(count < 20 * 30)
      try await again.close()
    }
  }

  @Test func `a large blob that is read once is copied without mapping it`() async {
    // The faults of the whole process are counted.
    await #expect(processExitsWith: .success) {
      [file = TemporaryDirectory.file("copied.sqlite") as URL] in
      let store = try SnippetStore(at: file)
      let images = (1...3).map { Samples.bytes(4_000_000, seed: $0) }
      let ids = try await images.asyncMap {
        try #require(try await store.save(Samples.image($0)).blobID)
      }
      try await store.close()
      let again = try SnippetStore(at: file)
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_000_000, alignment: 16)
      defer { memory.deallocate() }

      var counts: [Int] = []
      for (id, bytes) in zip(ids, images) {
        let before = faultCount()
        try again.readBlob(id, into: memory)
        counts.append(faultCount() - before)
        #expect(Data(memory) == bytes)
      }

      // Mapped, each 64 KiB would be a fault. The first blob has its memory to be mapped.
      #expect(counts.dropFirst().allSatisfy { $0 < 30 }, "\(counts)")
      try await again.close()
    }
  }

  @Test func `bytes that others write where some were copied ahead are read`() async throws {
    let store = try TemporaryStore.open()
    let file = try #require(store.url)
    let other = try SnippetStore(at: file)
    var rows = try await (0..<8).asyncMap { number in
      try await store.save(Samples.image(Samples.bytes(300_000, seed: UInt64(number))))
    }
    for round in 1...6 {
      try #require(try CheckpointedLog(of: store) == .empty)
      for (number, row) in rows.enumerated() {
        let bytes = Samples.bytes(300_000, seed: UInt64((round - 1) * 100 + number))
        #expect(try await store.content(of: #require(row.blobID)) == bytes)
      }
      // In the pages of the former blobs.
      try await other.delete(rows.map(\.id))
      rows = try await (0..<8).asyncMap { number in
        let bytes = Samples.bytes(300_000, seed: UInt64(round * 100 + number))
        return try await other.save(Samples.image(bytes))
      }
    }
    try await other.close()
    try await store.close()
  }

  // The system's advice fails where a file ends, unless memory follows that is mapped too. A damaged
  // blob was then told as a lack of memory.
  @Test func `reading ahead leaves no error of the system behind`() async {
    // Nothing else maps and unmaps memory there.
    await #expect(processExitsWith: .success) {
      [file = TemporaryDirectory.file("mapped.sqlite") as URL] in
      let store = try SnippetStore(at: file)
      try await store.save(Samples.image(Samples.bytes(310_000, seed: 1)))
      try await store.close()
      // Advice is asked for 64 KiB at a time.
      try #require(FileStatus.byteCount(of: file.path) % 65_536 > 0)
      var readers = try (0..<20).map { _ in
        try BlobReader(path: file.path, busyTimeout: .zero, maps: true) as BlobReader?
      }
      // The places of their mappings lie empty behind those of others.
      for number in stride(from: 0, to: 20, by: 2) { readers[number] = nil }

      for reader in readers.compactMap(\.self) {
        errno = 0
        // It reads every page.
        let result = sqlite3_exec(reader.handle, "PRAGMA quick_check", nil, nil, nil)
        let code = errno
        #expect(result == SQLITE_OK)
        #expect(code != ENOMEM)
      }
    }
  }

  @Test func `short parts anywhere in a large blob are read without mapping it`() async {
    await #expect(processExitsWith: .success) {
      [file = TemporaryDirectory.file("parts.sqlite") as URL] in
      let store = try SnippetStore(at: file)
      let bytes = Samples.bytes(40_000_000, seed: 1)
      let id = try #require(try await store.save(Samples.image(bytes)).blobID)
      try await store.close()
      let again = try SnippetStore(at: file)
      let part = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
      defer { part.deallocate() }
      var random = SplitMix64(seed: 1)
      func readParts() throws {
        for _ in 0..<300 {
          let offset = Int.random(in: 0..<bytes.count - 4096, using: &random)
          try again.readBlob(id, at: Int64(offset), into: part)
          #expect(Data(part) == bytes[offset..<offset + 4096])
        }
      }

      try readParts()
      let before = faultCount()
      try readParts()
      let count = faultCount() - before

      // Mapped, each part would be a fault or two.
      #expect(count < 100)
      try await again.close()
    }
  }

  @Test func `of blobs that are read once little stays mapped`() async throws {
    let store = try await SnippetStore(at: makeStore())
    let rows = try store.list().rows(in: 0..<300)
    let path = try #require(store.url).path

    var most = 0
    for (number, row) in rows.enumerated() {
      #expect(try await store.content(of: #require(row.blobID)).count == 100_000)
      // Pages that stay add up. The system takes long to list all mappings of the tests.
      if number % 10 == 9 { most = max(most, try Self.mappedByteCount(of: path)) }
    }
    try await store.close()

    #expect((1..<7 << 20).contains(most))
  }

  /// How much of a file this process has mapped and in memory.
  private static func mappedByteCount(of path: String) throws -> Int {
    let file = try #require(fopen("/proc/self/smaps", "r"))
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 8192)
    var isOfFile = false
    var byteCount = 0
    // Line by line: the system gives a page at a time, which other ways of reading take for the
    // end.
    while fgets(&buffer, Int32(buffer.count), file) != nil {
      let line = String(
        decoding: buffer.prefix { $0 != 10 }.map(UInt8.init(bitPattern:)),
        as: UTF8.self
      )
      let words = line.split(separator: " ")
      // A mapping begins with its addresses, and ends with the path of its file.
      if words.first?.last != ":" { isOfFile = line.hasSuffix(" " + path) }
      if isOfFile, words.first == "Rss:" { byteCount += (Int(words[1]) ?? 0) * 1024 }
    }
    return byteCount
  }

  /// 30 MB in 300 blobs.
  private func makeStore() async throws -> URL {
    let store = try TemporaryStore.open()
    for seed in 0..<300 {
      try await store.save(Samples.image(Samples.bytes(100_000, seed: UInt64(seed))))
    }
    try await store.close()
    return try #require(store.url)
  }
}

/// How often this process had to have a page mapped.
private func faultCount() -> Int {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return usage.ru_minflt
}

/// The pages of a file that the system has in memory.
private struct FilePages {
  private let url: URL

  init(of url: URL) {
    self.url = url
  }

  var residentByteCount: Int {
    let unit = sysconf(Int32(_SC_PAGESIZE))
    let descriptor = open(url.path, O_RDONLY)
    defer { close(descriptor) }
    let byteCount = Int(lseek(descriptor, 0, SEEK_END))
    guard byteCount > 0,
      let start = mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, 0), start != MAP_FAILED
    else { return 0 }
    defer { munmap(start, byteCount) }
    var pages = [UInt8](repeating: 0, count: (byteCount + unit - 1) / unit)
    guard mincore(start, byteCount, &pages) == 0 else { return 0 }
    return pages.count { $0 & 1 == 1 } * unit
  }

  /// Has the system drop them from memory; no store may have them open.
  func forget() throws {
    let descriptor = open(url.path, O_RDONLY)
    defer { close(descriptor) }
    try #require(fdatasync(descriptor) == 0)
    try #require(posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) == 0)
  }
}
#endif
