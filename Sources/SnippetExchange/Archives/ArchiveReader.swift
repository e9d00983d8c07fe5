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
    /// The date of the last change, in nanoseconds since 1970.
    let modifiedNanoseconds: Int64?
  }

  /// A failure of the library.
  struct Failure: Error {
    /// The words of the library.
    let reason: String
    /// Whether the members behind it can be read.
    let canContinue: Bool
  }

  private let file: OpenFile
  private let archive: UnsafeMutableRawPointer

  /// Begins to read an open file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - isJoined: Whether a tar archive goes on behind its end with the members of the next one.
  /// - Throws: The reason if it is no archive, or the library is missing.
  init(_ file: OpenFile, isJoined: Bool = false) throws(Failure) {
    self.file = file
    var message = [CChar](repeating: 0, count: 256)
    let descriptor = file.descriptor.rawValue
    guard
      let archive = snippet_archive_open(descriptor, isJoined ? 1 : 0, &message, message.count)
    else {
      let bytes = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      let reason = String(decoding: bytes, as: UTF8.self)
      throw Failure(reason: reason, canContinue: false)
    }
    self.archive = archive
  }

  deinit {
    snippet_archive_close(archive)
  }

  /// Returns the next member; `nil` after the last.
  func next() throws(Failure) -> Member? {
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
      return Member(
        name: Self.bytes(member.name),
        originalName: Self.bytes(member.original_name),
        kind: kind,
        isEncrypted: member.is_encrypted != 0,
        modifiedNanoseconds: member.has_date == 0 ? nil : Self.nanoseconds(member)
      )
    case 0: return nil
    default: throw failure(canContinue: false)
    }
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
