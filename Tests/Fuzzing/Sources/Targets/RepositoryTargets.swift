import Foundation
import SnippetBase

@testable import SnippetSync

extension FuzzTarget {
  /// Opens an object of a repository; nothing but a file that was sealed for the key is one.
  static let sealedObject = FuzzTarget("sealed-object") { bytes in
    let object = Data(bytes)
    let content: Data
    do throws(SyncError) {
      content = try RepositoryFixture.key.open(object, named: RepositoryFixture.name)
    } catch let error {
      let isRefused = [SyncError.Code.damaged, .wrongKey].contains(error.code)
      return try require(isRefused, "an object is whole or refused: \(error)")
    }
    let least = AgeFile.leastLength(ofContent: content.count)
    try require(Int64(object.count) >= least, "a file is longer than its content")
  }

  /// Reads a log file whose code is right: its lines are those of a newer version, or of a holder of
  /// the key who means harm.
  static let logFile = FuzzTarget("log-file") { bytes in
    let text = Data(bytes) + Data("\n".utf8)
    let code = RepositoryFixture.key.code(of: text).hexadecimal
    let packed = Compression.deflate(text + Data("{\"mac\":\"\(code)\"}\n".utf8))
    let object = try RepositoryFixture.key.seal(packed, as: RepositoryFixture.name)
    let file: LogFile
    do throws(SyncError) {
      file = try LogFile(object, named: RepositoryFixture.name, key: RepositoryFixture.key)
    } catch let error {
      return try require(error.code == .damaged, "a file is understood or refused: \(error)")
    }
    try require(file.header.object == RepositoryFixture.name, "a file is where it belongs")
    var coding = EntryCoding(devices: DeviceTable(file.header.devices))
    for line in file.entries {
      guard let entry = try? coding.decode(line) else { continue }
      let again = try coding.decode(coding.encode(entry))
      try require(again == entry, "an entry survives its coding: \(entry)")
      try require(Entry.merged([entry, entry]).0 == entry, "to merge again changes nothing")
      try require(ObjectName(rawValue: file.header.object.rawValue) != nil, "a name can be read")
    }
  }

  /// Reads what a server of S3 answers to a listing.
  static let listing = FuzzTarget("listing") { bytes in
    guard let listing = try? BucketListing(Data(bytes)) else { return }
    for object in listing.objects {
      try require(object.byteCount >= 0, "a length is not negative: \(object.byteCount)")
      guard let name = ObjectName(rawValue: object.name) else { continue }
      try require(name.rawValue == object.name, "a name has one spelling: \(object.name)")
    }
  }
}

/// The repository of the targets.
private enum RepositoryFixture {
  static let key: RepositoryKey = {
    let text = "AGE-SECRET-KEY-1FYFJUETL86RP3JG34A0PMZYA62LYAQEF2PLLP6UN00WQHQJ8N0CSVY9T97"
    guard let identity = try? AgeIdentity(text) else { preconditionFailure("The key is sound.") }
    return RepositoryKey(identity)
  }()

  static let name: ObjectName = {
    let text = "log/\(String(repeating: "1f", count: 16))/00000001"
    guard let name = ObjectName(rawValue: text) else { preconditionFailure("The name is sound.") }
    return name
  }()
}
