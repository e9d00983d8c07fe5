import Foundation

/// The bytes of an archive that a test makes.
struct SampleArchive {
  /// A member.
  struct Member {
    var name: [UInt8]
    var bytes: Data
    /// The type in a tar archive: `0` a file, `1` a second name, `2` a link, `5` a folder, `x` further
    /// properties of the next member.
    var type: Character = "0"
    var isEncrypted = false

    init(_ name: String, _ bytes: Data, type: Character = "0", isEncrypted: Bool = false) {
      (self.name, self.bytes) = (Array(name.utf8), bytes)
      (self.type, self.isEncrypted) = (type, isEncrypted)
    }

    init(_ name: String, _ text: String, type: Character = "0") {
      self.init(name, Data(text.utf8), type: type)
    }
  }

  /// The formats.
  enum Format: CaseIterable { case zip, tar, gzip }

  var members: [Member]
  /// The date of all members, in seconds since 1970.
  var date = Self.seconds

  init(_ members: [Member]) {
    self.members = members
  }

  func bytes(_ format: Format) -> Data {
    switch format {
    case .zip: zip
    case .tar: tar
    case .gzip: Self.gzip(tar)
    }
  }

  /// The date of members by default: 1 March 2024, 10:20:30 UTC.
  static let seconds: UInt32 = 1_709_288_430

  // MARK: - tar

  private var tar: Data {
    var data = Data()
    for member in members {
      let isFile = member.type == "0" || member.type == "x"
      var head = [UInt8](repeating: 0, count: 512)
      func put(_ bytes: some Sequence<UInt8>, _ place: Int) {
        for (index, byte) in bytes.enumerated() { head[place + index] = byte }
      }
      put(member.name.prefix(100), 0)
      put("0000644\u{0}0000000\u{0}0000000\u{0}".utf8, 100)
      put(octal(UInt64(isFile ? member.bytes.count : 0), 11), 124)
      put(octal(UInt64(date), 11), 136)
      put("        ".utf8, 148)
      put(String(member.type).utf8, 156)
      if !isFile { put(member.bytes.prefix(100), 157) }
      put("ustar\u{0}00".utf8, 257)
      let sum = head.reduce(0) { $0 + UInt64($1) }
      put(octal(sum, 6), 148)
      head[154] = 0
      data += head
      guard isFile else { continue }
      data += member.bytes
      data += Data(count: (512 - member.bytes.count % 512) % 512)
    }
    return data + Data(count: 1024)
  }

  private func octal(_ number: UInt64, _ digits: Int) -> [UInt8] {
    let text = String(number, radix: 8)
    return Array((String(repeating: "0", count: digits - text.count) + text).utf8)
  }

  // MARK: - gzip

  /// Wraps bytes without making them shorter.
  static func gzip(_ bytes: Data) -> Data {
    var data = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])
    var rest = bytes[...]
    repeat {
      let piece = rest.prefix(0xFFFF)
      rest = rest.dropFirst(piece.count)
      data.append(rest.isEmpty ? 1 : 0)
      data.add(UInt16(piece.count))
      data.add(~UInt16(piece.count))
      data.append(piece)
    } while !rest.isEmpty
    data.add(checksum(bytes))
    data.add(UInt32(bytes.count))
    return data
  }

  // MARK: - ZIP

  private var zip: Data {
    var (data, directory) = (Data(), Data())
    for member in members {
      // The date of all members, in seconds.
      var extra = Data([0x55, 0x54, 5, 0, 1])
      extra.add(date)
      var common = Data()
      let isText = String(validating: member.name, as: UTF8.self) != nil
      common.add(UInt16((member.isEncrypted ? 1 : 0) | (isText ? 0x800 : 0)))
      common.add(UInt16(0))
      common.append(contentsOf: [0x8F, 0x52, 0x61, 0x58])
      common.add(Self.checksum(member.bytes))
      common.add(UInt32(member.bytes.count))
      common.add(UInt32(member.bytes.count))
      common.add(UInt16(member.name.count))
      common.add(UInt16(extra.count))
      let offset = UInt32(data.count)
      data.append(contentsOf: [0x50, 0x4B, 3, 4, 20, 0])
      data.append(common)
      data.append(contentsOf: member.name)
      data.append(extra)
      data.append(member.bytes)
      directory.append(contentsOf: [0x50, 0x4B, 1, 2, 20, 3, 20, 0])
      directory.append(common)
      directory.append(contentsOf: [0, 0, 0, 0, 0, 0])
      directory.add(UInt32(0o100_644) << 16)
      directory.add(offset)
      directory.append(contentsOf: member.name)
      directory.append(extra)
    }
    var end = Data([0x50, 0x4B, 5, 6, 0, 0, 0, 0])
    end.add(UInt16(members.count))
    end.add(UInt16(members.count))
    end.add(UInt32(directory.count))
    end.add(UInt32(data.count))
    end.add(UInt16(0))
    data.append(directory)
    data.append(end)
    return data
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    var rest = UInt32(byte)
    for _ in 0..<8 { rest = rest & 1 == 1 ? (rest >> 1) ^ 0xEDB8_8320 : rest >> 1 }
    return rest
  }

  /// The CRC-32 of bytes.
  private static func checksum(_ bytes: Data) -> UInt32 {
    var rest: UInt32 = ~0
    for byte in bytes {
      let index = Int(UInt8(truncatingIfNeeded: rest) ^ byte)
      rest = (rest >> 8) ^ table[index]
    }
    return ~rest
  }
}

extension Data {
  /// Appends a number with its low byte first.
  fileprivate mutating func add(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
