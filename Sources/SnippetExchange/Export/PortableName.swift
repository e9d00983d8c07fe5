import Foundation
import SnippetBase
import SystemPackage

/// The path of a file on a disk that cannot hold its name, as FAT and exFAT cannot hold `q?.md`.
///
/// In each name of the path, the characters `\ : * ? " < > |`, control characters, and a full stop
/// or a blank at the end become `%` and their number in two hexadecimal digits, as in a URL:
/// `q%3F.md`. In such a name `%` itself becomes `%25`, so that no two names become the same.
enum PortableName {
  /// Returns the changed path; `nil` if every disk can hold the one given.
  static func path(_ path: String) -> String? {
    let names = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { name(String(decoding: $0, as: UTF8.self)) }
    let changed = names.joined(separator: "/")
    return changed.utf8.elementsEqual(path.utf8) ? nil : changed
  }

  private static func name(_ name: String) -> String {
    let bytes = Array(name.utf8)
    let isChanged = bytes.indices.map { isRefused(bytes[$0], isLast: $0 == bytes.count - 1) }
    guard isChanged.contains(true) else { return name }
    var result: [UInt8] = []
    for (byte, isChanged) in zip(bytes, isChanged) {
      if isChanged || byte == UInt8(ascii: "%") {
        result += "%\(Data([byte]).hexadecimal.uppercased())".utf8
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isRefused(_ byte: UInt8, isLast: Bool) -> Bool {
    switch byte {
    case 0..<0x20, 0x7F: true
    case UInt8(ascii: "."), UInt8(ascii: " "): isLast
    default: #"\:*?"<>|"#.utf8.contains(byte)
    }
  }
}

extension FileError {
  /// Whether the disk may have refused the name of the file.
  ///
  /// Some say that there is no such file, or that it is not permitted.
  var mayConcernName: Bool {
    [.noSuchFileOrDirectory, .invalidArgument, .illegalByteSequence, .notPermitted].contains(code)
  }
}
