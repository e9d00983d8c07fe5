import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetSync

struct LogFileTests {
  private let key = RepositoryKey(AgeIdentity())
  private let name = ObjectName.log(FormatFixture.device("a"), number: 42)
  private let headName = ObjectName.head(FormatFixture.device("a"))

  @Test func `a log file comes back`() throws {
    let log = LogFile.sample(name)

    let opened = try LogFile(log.sealed(with: key), named: name, key: key)

    #expect(opened == log)
    #expect(opened.entries.map(\.startIndex) == [0, 0])
  }

  @Test func `a head comes back`() throws {
    var head = LogFile.sample(headName)
    head.header.head = LogHeader.Head(number: 42, first: 3, runs: ["1-2-ab"], condemned: ["cd.1"])
    head.entries = []

    #expect(try LogFile(head.sealed(with: key), named: headName, key: key) == head)
    #expect(
      try String(decoding: head.header.line, as: UTF8.self)
        == #"{"condemned":["cd.1"],"devices":["\#(FormatFixture.device("a").rawValue)"],"first":3,"#
        + #""knows":[41],"name":"laptop","number":42,"object":"\#(headName.rawValue)","#
        + #""runs":["1-2-ab"],"wrote":1732000000000}"#
    )
  }

  @Test func `keys of later versions are let be`() throws {
    let device = FormatFixture.device("a").rawValue
    let line = """
      {"later":{"a":[1]},"object":"\(name.rawValue)","devices":["\(device)"],"knows":[41],\
      "wrote":1732000000000,"name":"laptop","number":"unused"}
      """

    let log = try LogFile(object([line] + LogFile.sample(name).lines), named: name, key: key)

    #expect(log == LogFile.sample(name))
  }

  @Test func `entries have any bytes but line ends, and 4 MiB together`() throws {
    var log = LogFile.sample(name)
    log.entries = [
      FormatFixture.bytes(LogFile.entryLimit - 3).filtered { $0 != 0x0a }, Data([0, 0x0d, 0xff]),
    ]
    #expect(try LogFile(log.sealed(with: key), named: name, key: key) == log)

    log.entries = [Data(repeating: 0x20, count: LogFile.entryLimit), Data([0x20])]
    #expect(
      syncError { try log.sealed(with: key) }?.description
        == "Could not write \(name.rawValue): its entries have more than 4194304 bytes."
    )
    for entry in ["", "{\n}", "{}\n"] {
      log.entries = [Data(entry.utf8)]
      #expect(syncError { try log.sealed(with: key) }?.reason == "an entry is not one line")
    }
  }

  @Test func `a header that contradicts itself is not written`() {
    var logs =
      [LogFile](repeating: .sample(name), count: 3) + [.sample(headName), .sample(.format)]
    logs[0].header.knows = []
    logs[1].header.devices = []
    logs[2].header.head = LogHeader.Head(number: 1, first: 1)

    for log in logs {
      #expect(
        syncError { try log.sealed(with: key) }?.reason == "its header contradicts itself"
      )
    }
  }

  @Test func `a file under another name is refused by name`() throws {
    let others = [ObjectName.log(FormatFixture.device("a"), number: 43), headName]
    let object = try LogFile.sample(name).sealed(with: key)

    for other in others {
      let error = syncError { try LogFile(object, named: other, key: key) }
      #expect(error?.code == .damaged)
      #expect(error?.operation == "read \(other.rawValue)")
      #expect(error?.reason == "it is \(name.rawValue)")
    }
  }

  @Test func `a file of another repository is refused`() throws {
    let object = try LogFile.sample(name).sealed(with: RepositoryKey(AgeIdentity()))

    #expect(syncError { try LogFile(object, named: name, key: key) }?.code == .wrongKey)
  }

  @Test(.seeded) func `every changed bit, every missing end and every added byte is noticed`()
    throws
  {
    let object = try LogFile.sample(name).sealed(with: key)
    let codes: [SyncError.Code?] = [.damaged, .wrongKey]
    for place in object.indices {
      for bit in 0..<8 {
        var other = object
        other[place] ^= 1 << UInt8(bit)
        #expect(codes.contains(syncError { try LogFile(other, named: name, key: key) }?.code))
      }
      let error = syncError { try LogFile(object.prefix(place), named: name, key: key) }
      #expect(error?.code == .damaged)
    }
    for byte in UInt8.min...UInt8.max {
      let error = syncError { try LogFile(object + [byte], named: name, key: key) }
      #expect(error?.code == .damaged)
    }
    #expect(try LogFile(object, named: name, key: key) == .sample(name))
  }

  /// The recipient alone is enough to seal such files, and no more.
  @Test func `a file that the key did not vouch for is refused`() throws {
    let lines = try [LogFile.sample(name).header.line] + LogFile.sample(name).entries
    let text = Data(lines.map { $0 + [0x0a] }.joined())
    let code = RepositoryKey(AgeIdentity()).code(of: text).map { String(format: "%02x", $0) }
    let last = Data("{\"mac\":\"\(code.joined())\"}\n".utf8)

    for text in [Data(), Data("\n".utf8), text, text + last, last, Data(count: 50 << 20)] {
      let object = AgeFile.seal(Compression.deflate(text), to: key.identity.recipient)
      #expect(syncError { try LogFile(object, named: name, key: key) }?.code == .damaged)
    }
    let bare = AgeFile.seal(text, to: key.identity.recipient)
    #expect(syncError { try LogFile(bare, named: name, key: key) }?.code == .damaged)
  }

  @Test(
    arguments: [
      "", "{}", "[]", "nothing", #"{"object":"log/1"}"#,
      #"{"object":"format","devices":[],"knows":[],"wrote":1,"name":""}"#,
      #"{"object":"NAME","devices":["x"],"knows":[1],"wrote":1,"name":""}"#,
      #"{"object":"NAME","devices":[],"knows":[1],"wrote":1,"name":""}"#,
      #"{"object":"NAME","devices":[],"knows":[],"wrote":"1","name":""}"#,
      #"{"object":"NAME","devices":[],"knows":[],"wrote":-9223372036854775808,"name":""}"#,
      #"{"object":"NAME","devices":[],"knows":[],"wrote":253402300800000,"name":""}"#,
    ]
  )
  func `a header that is none is refused, though the key vouches for it`(line: String) throws {
    let line = line.replacingOccurrences(of: "NAME", with: name.rawValue)

    let error = syncError { try LogFile(object([line]), named: name, key: key) }

    #expect(error?.code == .damaged)
  }

  @Test func `a file of no lines is refused, though the key vouches for it`() throws {
    #expect(syncError { try LogFile(object([]), named: name, key: key) }?.code == .damaged)
  }

  /// Seals lines with the right code.
  private func object(_ lines: [String]) throws -> Data {
    var text = Data(lines.map { $0 + "\n" }.joined().utf8)
    let code = key.code(of: text).map { String(format: "%02x", $0) }.joined()
    text += Data("{\"mac\":\"\(code)\"}\n".utf8)
    return try key.seal(Compression.deflate(text), as: name)
  }
}

extension LogFile {
  /// A small file with two entries.
  static func sample(_ name: ObjectName) -> LogFile {
    LogFile(
      header: LogHeader(
        object: name,
        devices: [FormatFixture.device("a")],
        knows: [41],
        wrote: 1_732_000_000_000,
        name: "laptop"
      ),
      entries: [
        Data(#"{"u":"01900000","k":"text","title":["Milk",[1732000000000,0]]}"#.utf8),
        Data(#"{"u":"01900001","k":"text","title":["Käse",[1732000000000,0]]}"#.utf8),
      ]
    )
  }

  fileprivate var lines: [String] { entries.map { String(decoding: $0, as: UTF8.self) } }
}

extension Data {
  fileprivate func filtered(_ isIncluded: (UInt8) -> Bool) -> Data { Data(filter(isIncluded)) }
}
