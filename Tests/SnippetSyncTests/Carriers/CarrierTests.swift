import Foundation
import SnippetBase
import SnippetSync
import SnippetTestSupport
import SnippetTesting
import Testing

/// The promises of a carrier, held by every one of them.
@Suite(.bucketServer, .temporaryDirectory, .timeLimit(.minutes(30)))
struct CarrierTests {
  @Test(arguments: CarrierKind.all)
  func `an object is read as it was written, by every device`(_ kind: CarrierKind) async throws {
    let place = try kind.makePlace()
    let (writer, reader) = try (place.carrier("a"), place.carrier("b"))
    let bytes = Samples.bytes(100_000, seed: 1)

    try await writer.write(bytes, as: "log/1f/00000042", isNew: true)

    #expect(try await reader.read("log/1f/00000042") == bytes)
    #expect(try await reader.read("log/1f/00000043") == nil)
    #expect(try await reader.read("log/2f/00000042") == nil)
    let marks = try await reader.list("log/1f/")
    #expect(marks.map(\.name) == ["log/1f/00000042"])
    #expect(marks.map(\.byteCount) == [100_000])
  }

  @Test(arguments: CarrierKind.all)
  func `an object that settles later is read as it was written last`(
    _ kind: CarrierKind
  ) async throws {
    let place = try kind.makePlace()
    let (writer, reader) = try (place.carrier("a"), place.carrier("b"))
    for number in 1...2 {
      let bytes = Samples.bytes(100_000, seed: UInt64(number))

      _ = try await writer.writeUnsettled(bytes, as: "blob/ab/1")

      #expect(try await reader.read("blob/ab/1") == bytes)
      try await writer.settle()
      #expect(try await reader.read("blob/ab/1") == bytes)
    }
    #expect(try await reader.list("").map(\.name) == ["blob/ab/1"])
  }

  @Test(arguments: CarrierKind.all)
  func `a prefix ends where a part of a name ends`(_ kind: CarrierKind) async throws {
    let carrier = try kind.makePlace().carrier()
    let names = ["format", "log/1/1", "log/1/2", "log/10/1", "log-1/1", "blob/ab/x.0-1"]
    for name in names { try await carrier.write(Data(name.utf8), as: name, isNew: true) }

    func list(_ prefix: String) async throws -> [String] {
      try await carrier.list(prefix).map(\.name).sorted()
    }
    #expect(try await list("log/1/") == ["log/1/1", "log/1/2"])
    #expect(try await list("log/") == ["log/1/1", "log/1/2", "log/10/1"])
    #expect(try await list("blob/") == ["blob/ab/x.0-1"])
    #expect(try await list("device/") == [])
    #expect(try await list("") == names.sorted())
    await #expect(syncErrorCode { try await carrier.list("log") } == .invalidInput)
  }

  @Test(arguments: CarrierKind.all)
  func `a head can be overwritten, and its tag tells`(_ kind: CarrierKind) async throws {
    let place = try kind.makePlace()
    let (writer, reader) = try (place.carrier("a"), place.carrier("b"))
    var tags: Set<String> = []
    for number in 1...5 {
      // Of the same size, and faster than the clock of many file systems.
      try await writer.write(Data("head \(number)".utf8), as: "device/1f", isNew: false)
      #expect(try await reader.read("device/1f") == Data("head \(number)".utf8))
      tags.formUnion(try await reader.list("device/").map(\.tag))
    }
    #expect(tags.count == 5)
    let again = try await reader.list("device/").map(\.tag)
    #expect(tags.isSuperset(of: again), "an object that did not change keeps its tag")
  }

  @Test(arguments: CarrierKind.all)
  func `a new object does not replace other bytes`(_ kind: CarrierKind) async throws {
    let carrier = try kind.makePlace().carrier()
    try await carrier.write(Data("one".utf8), as: "log/1/1", isNew: true)

    try await carrier.write(Data("one".utf8), as: "log/1/1", isNew: true)
    await #expect(
      syncErrorCode { try await carrier.write(Data("two".utf8), as: "log/1/1", isNew: true) }
        == .alreadyExists
    )
    #expect(try await carrier.read("log/1/1") == Data("one".utf8))
    #expect(try await carrier.list("log/").count == 1, "nothing is left of the attempt")
  }

  @Test(arguments: CarrierKind.all)
  func `a write whose answer is lost can be tried again`(_ kind: CarrierKind) async throws {
    let carrier = try kind.makePlace().carrier()
    let losing = LosingCarrier(carrier)
    let bytes = Samples.bytes(5_000, seed: 2)

    await #expect(
      syncErrorCode { try await losing.write(bytes, as: "log/1/1", isNew: true) } == .unreachable
    )
    try await losing.write(bytes, as: "log/1/1", isNew: true)

    #expect(try await carrier.read("log/1/1") == bytes)
    #expect(try await carrier.list("log/1/").count == 1)
  }

  @Test(arguments: CarrierKind.all)
  func `what is removed is gone, and can be removed again`(_ kind: CarrierKind) async throws {
    let carrier = try kind.makePlace().carrier()
    try await carrier.write(Data("one".utf8), as: "log/1/1", isNew: true)
    try await carrier.write(Data("two".utf8), as: "log/1/2", isNew: true)

    try await carrier.remove("log/1/1")
    try await carrier.remove("log/1/1")
    try await carrier.remove("run/1/1-2-ff")

    #expect(try await carrier.read("log/1/1") == nil)
    #expect(try await carrier.list("log/1/").map(\.name) == ["log/1/2"])
    try await carrier.write(Data("new".utf8), as: "log/1/1", isNew: true)
    #expect(try await carrier.read("log/1/1") == Data("new".utf8))
  }

  @Test(arguments: CarrierKind.all)
  func `an object may have no bytes, or 8 MiB`(_ kind: CarrierKind) async throws {
    let carrier = try kind.makePlace().carrier()
    let large = Samples.bytes(8 << 20, seed: 3)

    try await carrier.write(Data(), as: "keys/empty", isNew: true)
    try await carrier.write(large, as: "blob/ab/large", isNew: true)

    #expect(try await carrier.read("keys/empty") == Data())
    #expect(try await carrier.read("blob/ab/large") == large)
    #expect(try await carrier.list("blob/").map(\.byteCount) == [8 << 20])
    #expect(try await carrier.list("keys/").map(\.byteCount) == [0])
    let tooLarge = Data(count: ObjectRules.byteLimit + 1)
    await #expect(
      syncErrorCode { try await carrier.write(tooLarge, as: "blob/ab/more", isNew: true) }
        == .invalidInput
    )
  }

  @Test(arguments: CarrierKind.all)
  func `thousands of objects are listed, each once`(_ kind: CarrierKind) async throws {
    let carrier = try kind.makePlace().carrier()
    let names = (0..<2_500).map { "log/1f/\(String(100_000_000 + $0).dropFirst())" }
    try await withThrowingTaskGroup { group in
      for part in 0..<8 {
        group.addTask {
          for index in stride(from: part, to: names.count, by: 8) {
            try await carrier.write(Data([UInt8(index % 251)]), as: names[index], isNew: true)
          }
        }
      }
      try await group.waitForAll()
    }

    let marks = try await carrier.list("log/1f/")

    #expect(marks.map(\.name).sorted() == names)
    #expect(marks.allSatisfy { $0.byteCount == 1 })
  }

  @Test(arguments: CarrierKind.all)
  func `of many who write one new object, one wins`(_ kind: CarrierKind) async throws {
    let place = try kind.makePlace()
    let carriers = try (0..<8).map { try place.carrier("\($0)") }
    let winners = try await withThrowingTaskGroup(of: Int?.self) { group in
      for (number, carrier) in carriers.enumerated() {
        group.addTask {
          for own in 0..<10 {
            try await carrier.write(Data("\(own)".utf8), as: "log/\(number)/\(own)", isNew: true)
          }
          let code = await syncErrorCode {
            try await carrier.write(Data("\(number)".utf8), as: "format", isNew: true)
          }
          #expect(code == nil || code == .alreadyExists)
          return code == nil ? number : nil
        }
      }
      return try await group.reduce(into: [Int]()) { $0 += [$1].compactMap(\.self) }
    }

    #expect(winners.count == 1)
    #expect(try await carriers[0].read("format") == winners.first.map { Data("\($0)".utf8) })
    #expect(try await carriers[0].list("log/").count == 80)
  }

  @Test(arguments: CarrierKind.all)
  func `a head that is being overwritten is read whole`(_ kind: CarrierKind) async throws {
    let place = try kind.makePlace()
    let (writer, reader) = try (place.carrier("a"), place.carrier("b"))
    try await writer.write(Data(repeating: 0, count: 50_000), as: "device/1f", isNew: false)
    try await withThrowingTaskGroup { group in
      group.addTask {
        for number in 1...40 as ClosedRange<UInt8> {
          let head = Data(repeating: number, count: 50_000)
          try await writer.write(head, as: "device/1f", isNew: false)
        }
      }
      group.addTask {
        for _ in 0..<40 {
          let head = try #require(try await reader.read("device/1f"))
          #expect(head.count == 50_000 && head.allSatisfy { $0 == head.first })
        }
      }
      try await group.waitForAll()
    }
  }

  private static let strangeNames = [
    "", "/", ".", "..", "../x", "log/../../x", "/etc/passwd", "log//1", "log/1/", "log/.x", ".x",
    "log/X", "log/ü", "log/a b", "log/a\u{0}b", "log\\1", "log/1 (1)", "~/x", "-x",
    "log/1.sync-conflict-20260101-120000-abcdefg", "a/b/c/d/e/f/g/h/i",
    String(repeating: "x", count: 201),
  ]

  @Test(arguments: CarrierKind.all)
  func `names that no object has are refused`(_ kind: CarrierKind) async throws {
    let carrier = try kind.makePlace().carrier()
    for name in Self.strangeNames {
      await #expect(syncErrorCode { try await carrier.read(name) } == .invalidInput, "\(name)")
      await #expect(syncErrorCode { try await carrier.remove(name) } == .invalidInput, "\(name)")
      await #expect(
        syncErrorCode { try await carrier.write(Data(), as: name, isNew: false) } == .invalidInput,
        "\(name)"
      )
      guard !name.isEmpty else { continue }
      await #expect(
        syncErrorCode { try await carrier.list(name + "/") } == .invalidInput,
        "\(name)"
      )
    }
    #expect(try await carrier.list("") == [])
  }

  @Test(arguments: CarrierKind.all)
  func `a cancelled task does nothing`(_ kind: CarrierKind) async throws {
    let carrier = try kind.makePlace().carrier()
    let canceller = Canceller()
    try await canceller.run {
      canceller.cancel()
      await #expect(syncErrorCode { try await carrier.list("log/") } == .cancelled)
      await #expect(syncErrorCode { try await carrier.read("log/1/1") } == .cancelled)
      await #expect(syncErrorCode { try await carrier.remove("log/1/1") } == .cancelled)
      await #expect(
        syncErrorCode { try await carrier.write(Data(), as: "log/1/1", isNew: true) } == .cancelled
      )
    }
    #expect(try await carrier.list("") == [])
  }

  @Test(arguments: CarrierKind.all)
  func `a missing place is an error, never an empty one`(_ kind: CarrierKind) async throws {
    let (carrier, code) = try kind.makeMissingPlace()

    await #expect(syncErrorCode { try await carrier.list("log/") } == code)
    await #expect(syncErrorCode { try await carrier.read("log/1/1") } == code)
    // SeaweedFS makes a bucket for a write, if the key may do that.
    guard kind != .bucket else { return }
    await #expect(
      syncErrorCode { try await carrier.write(Data(), as: "log/1/1", isNew: true) } == code
    )
  }
}

/// A carrier that loses its first answer.
private final class LosingCarrier: SyncCarrier {
  private let carrier: any SyncCarrier
  private let hasLost = Lock(false)

  init(_ carrier: any SyncCarrier) {
    self.carrier = carrier
  }

  func list(_ prefix: String) async throws(SyncError) -> [ObjectMark] {
    try await carrier.list(prefix)
  }

  func read(_ name: String) async throws(SyncError) -> Data? { try await carrier.read(name) }

  func write(_ data: Data, as name: String, isNew: Bool) async throws(SyncError) {
    try await carrier.write(data, as: name, isNew: isNew)
    let isFirst = hasLost.withLock { hasLost in
      defer { hasLost = true }
      return !hasLost
    }
    if isFirst { throw SyncError(.unreachable, "write \(name)", because: "the answer is lost") }
  }

  func remove(_ name: String) async throws(SyncError) { try await carrier.remove(name) }
}
