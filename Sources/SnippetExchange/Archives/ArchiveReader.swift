import CTransfer
import Foundation
import SnippetBase
import SystemPackage

/// The members of a ZIP or tar archive, one after the other, read by the libarchive of the system.
///
/// The library is loaded for the first of them.
final class ArchiveReader {
  /// A member before its bytes are read.
  struct Member {
    /// The kinds of members.
    enum Kind { case file, folder, hardLink, other }

    /// The path, with slashes, as bytes; empty if it has none.
    let name: [UInt8]
    /// The path of the file that a hard link is another name of; empty for others.
    let originalName: [UInt8]
    let kind: Kind
    let isEncrypted: Bool
    /// Words about a flaw of what stands before its bytes; `nil` if it has none.
    let warning: String?
    /// The date of the last change, in nanoseconds since 1970.
    let modifiedNanoseconds: Int64?
  }

  /// The next thing in an archive.
  enum Step {
    case member(Member)
    /// A block in the place of the head of a member that is none.
    case strayBlock
    case end
  }

  /// Why the bytes of a file end before all were unpacked.
  enum Flaw: Equatable {
    case cut, checksum, tooLarge
    case damaged(String)
    case unreadable(String)

    fileprivate init?(_ flaw: snippet_archive_flaw, _ words: String) {
      switch flaw {
      case snippet_archive_cut: self = .cut
      case snippet_archive_checksum: self = .checksum
      case snippet_archive_damaged: self = .damaged(words)
      case snippet_archive_unreadable: self = .unreadable(words)
      case snippet_archive_too_large: self = .tooLarge
      default: return nil
      }
    }

    var description: String {
      switch self {
      case .cut: "its compressed bytes end too early"
      case .checksum:
        "its bytes do not match their checksum, so one or more of its members may be damaged"
      case .tooLarge: "it unpacks to far more than texts, pictures and recordings do"
      case .damaged(""): "its compressed bytes are cut short or damaged"
      case .damaged(let words): "its compressed bytes are cut short or damaged: \(words)"
      case .unreadable(let words): "it cannot be read: \(words)"
      }
    }
  }

  /// A failure of the library.
  struct Failure: Error {
    /// The words of the library.
    let reason: String
    /// Whether the members behind it can be read.
    let canContinue: Bool

    init(reason: String, canContinue: Bool) {
      self.reason = reason.isEmpty ? "its bytes make no sense" : reason
      self.canContinue = canContinue
    }

    /// Whether the bytes are those of something else, as far as they can be read.
    var isOfNoArchive: Bool { reason == "Unrecognized archive format" }
  }

  private let file: OpenFile
  private let archive: UnsafeMutableRawPointer

  /// Begins to read an open file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - byteLimit: The number of unpacked bytes after which one that is not a ZIP archive ends.
  /// - Throws: The reason if it is no archive, or the library is missing.
  init(_ file: OpenFile, byteLimit: Int64 = .max) throws(Failure) {
    self.file = file
    var message = [CChar](repeating: 0, count: 256)
    var flaw = snippet_archive_flawless
    let descriptor = file.descriptor.rawValue
    guard
      let archive = snippet_archive_open(descriptor, byteLimit, &message, message.count, &flaw)
    else {
      let bytes = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      let words = String(decoding: bytes, as: UTF8.self)
      let reason = Flaw(flaw, words)?.description ?? words
      throw Failure(reason: reason, canContinue: false)
    }
    self.archive = archive
  }

  deinit {
    snippet_archive_close(archive)
  }

  /// Reads what stands next.
  func next() throws(Failure) -> Step {
    var member = snippet_archive_member()
    switch snippet_archive_next(archive, &member) {
    case 1:
      let kind: Member.Kind =
        switch member.kind {
        case snippet_archive_file: .file
        case snippet_archive_folder: .folder
        case snippet_archive_hard_link: .hardLink
        default: .other
        }
      return .member(
        Member(
          name: Self.bytes(member.name),
          originalName: Self.bytes(member.original_name),
          kind: kind,
          isEncrypted: member.is_encrypted != 0,
          warning: member.warning.map { String(cString: $0) },
          modifiedNanoseconds: member.has_date == 0 ? nil : Self.nanoseconds(member)
        )
      )
    case 0: return .end
    case 2: return .strayBlock
    default: throw failure(canContinue: false)
    }
  }

  /// Passes over what was not read of the member.
  func skip() {
    snippet_archive_skip(archive)
  }

  /// Begins anew in a tar archive behind what was read and the zeros there, after an end or damage;
  /// returns whether something stands there.
  func goOn() -> Bool { snippet_archive_go_on(archive) != 0 }

  /// The number of bytes that are left of a tar archive where no head of a member can be read, at its
  /// end; 0 elsewhere.
  var restByteCount: Int64 { snippet_archive_rest(archive) }

  /// The flaw of the bytes of the file that was met so far; `nil` if there is none.
  var flaw: Flaw? {
    var words: UnsafePointer<CChar>?
    let flaw = snippet_archive_flaw_of(archive, &words)
    return Flaw(flaw, words.map { String(cString: $0) } ?? "")
  }

  private static func bytes(_ text: UnsafePointer<CChar>?) -> [UInt8] {
    text.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } ?? []
  }

  /// The number of bytes of the file that were read.
  var fileOffset: Int64 { snippet_archive_position(archive, 0) }

  /// The number of bytes that were read, counted after unpacking.
  ///
  /// Behind the bytes of a member of a tar archive it is that of the next.
  var offset: Int64 { snippet_archive_position(archive, 1) }

  /// Returns the date of a member; `nil` for one that nanoseconds do not reach.
  private static func nanoseconds(_ member: snippet_archive_member) -> Int64? {
    let (product, isTooFar) = member.seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !isTooFar, (0..<1_000_000_000).contains(member.nanoseconds) else { return nil }
    let (sum, isBeyond) = product.addingReportingOverflow(member.nanoseconds)
    return isBeyond ? nil : sum
  }

  /// Reads bytes of the member, and returns their number; 0 at its end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    let count = snippet_archive_read(archive, buffer.baseAddress, buffer.count)
    guard count >= 0 else { throw failure(canContinue: count == -1) }
    return Int(count)
  }

  private func failure(canContinue: Bool) -> Failure {
    Failure(reason: String(cString: snippet_archive_message(archive)), canContinue: canContinue)
  }
}
