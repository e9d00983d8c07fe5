import Foundation
import SnippetBase
import SnippetRecognition
import SnippetStorage
import SystemPackage

/// Unpacks an archive into an empty folder, within limits.
///
/// Every member is a file or a folder afterwards, or left out, or has failed, with a reason.
/// Nothing is written outside of the folder, and no link is made.
struct ArchiveUnpacking: Unpacking {
  /// The bounds of what one archive may unpack to.
  struct Limits: Sendable {
    /// The most members.
    var memberCount = 1_000_000
    /// The most bytes for each byte of the archive; those of texts are a tenth of that.
    var ratio: Int64 = 100
    /// The bytes that any archive may have besides.
    var freeByteCount: Int64 = 256 << 20

    /// Returns the most bytes of an archive with a size.
    func byteCount(ofArchive byteCount: Int64) -> Int64 {
      let (product, isTooGreat) = byteCount.multipliedReportingOverflow(by: ratio)
      let (sum, isBeyond) = product.addingReportingOverflow(freeByteCount)
      return isTooGreat || isBeyond ? .max : sum
    }
  }

  /// A member that is not in the folder.
  enum Missing {
    case leftOut(LeftOut)
    case failure(path: String, any Error)
  }

  /// The archive is only compressed, and not known to hold files.
  struct NotAnArchive: Error {}

  private let file: OpenFile
  private var reader: ArchiveReader
  private let format: ArchiveFormat
  /// The encoding of names that are not in UTF-8; `nil` for that of the format.
  private var nameEncoding: TextEncoding?
  /// Whether ``nameEncoding`` has been looked for.
  private var knowsNameEncoding = false
  private let root: OpenFolder
  private let memberLimit: Int
  private let check: () throws -> Void
  private let onProgress: (StoreProgress) -> Void
  private let fileByteCount: Int64
  /// The date of a member that has none.
  private let fileDate: Int64

  /// The things that are not in the folder, in the terms of its paths.
  private(set) var missing: [Missing] = []
  /// Whether the archive was read to its end.
  private(set) var isComplete = false

  /// The stretch behind the last member, as far as it was read.
  private var gap = TarGap()
  /// Whether something is missing that the archive had once.
  private var isDamaged = false

  private let byteLimit: Int64
  /// The most bytes to read, with the heads of members.
  private let readLimit: Int64
  private var byteCount: Int64 = 0
  private var memberCount = 0
  /// The number of times that the archive was read from its start again, which takes time.
  private var restartCount = 0
  private static let maximumRestartCount = 16
  /// The number of folders that were made on the way to a member.
  private var folderCount = 0
  /// The folder of the last member, by its path.
  private var last: (path: String, folder: OpenFolder)?
  private let buffer = Buffer()

  init(
    _ file: OpenFile,
    _ format: ArchiveFormat,
    into root: OpenFolder,
    limits: Limits,
    check: @escaping () throws -> Void,
    onProgress: @escaping (StoreProgress) -> Void = { _ in }
  ) throws {
    self.file = file
    self.onProgress = onProgress
    memberLimit = limits.memberCount
    let status = try file.status()
    (fileByteCount, fileDate) = (status.size, FileStamp(status).modifiedNanoseconds)
    byteLimit = limits.byteCount(ofArchive: fileByteCount)
    // Zeros and what is left out count too, and so do the heads.
    let (sum, isBeyond) = byteLimit.addingReportingOverflow(Int64(limits.memberCount) * 2048)
    readLimit = isBeyond ? .max : sum
    do {
      reader = try ArchiveReader(file, byteLimit: readLimit)
    } catch {
      throw Self.isOther(error, format) ? NotAnArchive() : error as any Error
    }
    self.format = format
    self.root = root
    self.check = check
  }

  /// The limits of what may be unpacked besides, from an archive within this one.
  var remainder: Limits {
    Limits(
      memberCount: max(0, memberLimit - memberCount - folderCount),
      ratio: 0,
      freeByteCount: max(0, byteLimit - byteCount)
    )
  }

  /// Whether something that is compressed is no tar archive, as far as it can be read.
  private static func isOther(_ failure: ArchiveReader.Failure, _ format: ArchiveFormat) -> Bool {
    format == .compressed && failure.isOfNoArchive
  }

  /// Unpacks all members.
  ///
  /// - Throws: ``NotAnArchive``, a `FileError` of the disk, or what `check` throws.
  mutating func run() throws {
    while true {
      try check()
      let step: ArchiveReader.Step
      do {
        step = try reader.next()
      } catch {
        if memberCount == 0, Self.isOther(error, format) { throw NotAnArchive() }
        // Of several heads of a member the last may be damaged, and the first is lost with it.
        let place = reader.offset
        guard place > gap.end, reader.goOn() else { return try end(after: error) }
        gap.addStray(upTo: place)
        gap.addZeros(upTo: reader.offset)
        continue
      }
      switch step {
      case .strayBlock: gap.addStray(upTo: reader.offset)
      case .end:
        let goesOn = reader.goOn()
        gap.addZeros(upTo: reader.offset)
        guard goesOn else { return try end() }
      case .member(let member):
        if let damage = gap.damage { fail(because: damage) }
        memberCount += 1
        guard memberCount + folderCount <= memberLimit else {
          return fail(because: "it has more than \(memberLimit) members")
        }
        guard try unpack(member) else { return }
        if format != .zip { reader.skip() }
        gap = TarGap(behind: shownName(of: member), at: reader.offset)
        tellProgress()
      }
    }
  }

  /// Notes what is wrong with the end of the archive.
  private mutating func end(after failure: ArchiveReader.Failure? = nil) throws(FileError) {
    // A part of a block is no stray one.
    if failure != nil, gap.beginsWithMark {
      gap.addStray(upTo: max(gap.end, reader.offset + reader.restByteCount))
    }
    if let flaw = reader.flaw {
      fail(because: damage(flaw))
    } else if gap.strayByteCount > 0 {
      if gap.beginsWithMark {
        missing.append(.leftOut(LeftOut(root.path, .bytesBehindArchive(gap.strayByteCount))))
        isDamaged = true
      } else {
        fail(because: "it is damaged \(gap.place): \(gap.strayWords)")
      }
    } else if let failure, !gap.beginsWithMark {
      fail(because: damage(failure))
    } else if memberCount > 0, let end = try missingEnd() {
      fail(because: "it is cut short after \(memberCount) of its members: \(end)")
    }
    isComplete = !isDamaged
  }

  /// Returns what is missing behind the last member; `nil` if nothing is.
  private func missingEnd() throws(FileError) -> String? {
    switch format {
    case .zip: try ArchiveEnd.isMissingInZIP(file) ? "the list of them is missing" : nil
    case .tar, .compressed: gap.lacksMark ? "the mark of the end is missing" : nil
    }
  }

  private func tellProgress() {
    onProgress(StoreProgress(min(reader.fileOffset, fileByteCount), of: fileByteCount))
  }

  /// Unpacks a member; returns whether the next one can be read.
  private mutating func unpack(_ member: ArchiveReader.Member) throws -> Bool {
    try findNameEncoding(at: member)
    // A longer name is none on any disk, and thousands of a megabyte each would fill the memory.
    let isTooLong = member.name.count > Int(PATH_MAX)
    guard !isTooLong, let path = MemberPath(member.name, in: format, nameEncoding) else {
      let name = shownName(of: member)
      missing.append(
        .leftOut(
          LeftOut(root.path, isTooLong ? .memberNameTooLong(name) : .memberOutside(name))
        )
      )
      return true
    }
    guard !path.names.isEmpty else {
      // Many archives have their own folder as a member.
      guard member.kind != .folder else { return true }
      missing.append(.leftOut(LeftOut(root.path, .memberWithoutName)))
      return true
    }
    let shown = ([root.path] + path.names).joined(separator: "/")
    if let words = member.warning {
      missing.append(.leftOut(LeftOut(shown, .flawedMemberHead(words))))
    }
    do {
      switch member.kind {
      case .folder:
        _ = try folder(path.names[...])
      case .other:
        missing.append(.leftOut(LeftOut(shown, .memberWithoutContent)))
      case .file where member.isEncrypted:
        missing.append(.leftOut(LeftOut(shown, .encryptedMember)))
      case .file:
        return try unpackFile(member, path, shown)
      case .hardLink:
        guard let original = original(of: member) else {
          missing.append(.leftOut(LeftOut(shown, .memberWithoutContent)))
          return true
        }
        return try unpackFile(member, path, shown, from: original)
      }
    } catch let error as FileError where Self.isAboutNames(error.code) {
      missing.append(.failure(path: shown, error))
    }
    return true
  }

  /// Finds the encoding of the names at the first one that is not in UTF-8: by another walk from the
  /// start.
  private mutating func findNameEncoding(at member: ArchiveReader.Member) throws {
    guard !knowsNameEncoding, String(validating: member.name, as: UTF8.self) == nil else { return }
    knowsNameEncoding = true
    // Both readers move the place in the file.
    guard let place = try? file.descriptor.seek(offset: 0, from: .current) else { return }
    defer { _ = try? file.descriptor.seek(offset: place, from: .start) }
    nameEncoding = try MemberPath.encoding(
      ofNamesIn: file,
      format,
      byteLimit: readLimit,
      check: check
    )
  }

  /// Returns the beginning of a member's name as a text.
  private func shownName(of member: ArchiveReader.Member) -> String {
    MemberPath.text(Array(member.name.prefix(256)), in: format, nameEncoding)
  }

  /// Whether an error concerns one member only: its name is taken, or longer than the disk allows.
  private static func isAboutNames(_ code: Errno) -> Bool {
    [.fileExists, .fileNameTooLong, .notDirectory, .isDirectory, .tooManySymbolicLinkLevels]
      .contains(code)
  }

  /// Opens the file of the member that a hard link names; `nil` if there is none before it.
  private func original(of member: ArchiveReader.Member) -> OpenFile? {
    guard let path = MemberPath(member.originalName, in: format, nameEncoding),
      let name = path.names.last,
      let folder = try? path.names.dropLast().reduce(root, { try $0.openFolder($1) }),
      (try? folder.status(of: name))?.type == .regular
    else { return nil }
    return try? folder.openFile(name)
  }

  /// Writes the bytes of a member, or of the file that it is another name of.
  private mutating func unpackFile(
    _ member: ArchiveReader.Member,
    _ path: MemberPath,
    _ shown: String,
    from original: OpenFile? = nil
  ) throws -> Bool {
    let folder = try folder(path.names.dropLast())
    let (file, name) = try makeFile(path.names[path.names.count - 1], in: folder, shown)
    var offset: Int64 = 0
    while true {
      try check()
      let count: Int
      if let original {
        count = try original.read(into: buffer.bytes, at: offset)
      } else {
        do {
          count = try reader.read(into: buffer.bytes)
        } catch {
          folder.remove(name)
          let reason = damage(error)
          missing.append(
            .failure(path: shown, SnippetStoreError(ofMember: shown, because: reason))
          )
          if error.canContinue { return true }
          if try restartsBehindMember() { return true }
          fail(because: reason)
          return false
        }
      }
      guard count > 0 else { break }
      tellProgress()
      byteCount += Int64(count)
      guard byteCount <= byteLimit else {
        folder.remove(name)
        fail(
          because: "it unpacks to more than \(byteLimit) bytes, which is far more than texts, "
            + "pictures and recordings do"
        )
        return false
      }
      try file.write(UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count]), at: offset)
      offset += Int64(count)
    }
    let date = member.modifiedNanoseconds.flatMap { isEvidence($0) ? $0 : nil }
    file.setModificationDate(nanoseconds: date ?? fileDate)
    try file.close()
    return true
  }

  /// Reads an archive from its start again, up to the present member, behind whose damage the library
  /// reads nothing; returns whether the next one can be read.
  ///
  /// The list at the end of a ZIP archive tells where each member is.
  private mutating func restartsBehindMember() throws -> Bool {
    guard format == .zip, restartCount < Self.maximumRestartCount,
      try !ArchiveEnd.isMissingInZIP(file), let other = try? ArchiveReader(file)
    else { return false }
    restartCount += 1
    for _ in 0..<memberCount {
      try check()
      guard case .member(_)? = try? other.next() else { return false }
    }
    reader = other
    return true
  }

  /// Whether a date is not one that programs write for none: the beginning of time in the format, which
  /// is 1970 in tar and 1980 in ZIP, or its end, and so any in the future.
  private func isEvidence(_ nanoseconds: Int64) -> Bool {
    // A day covers a clock in another zone.
    guard nanoseconds / 1_000_000_000 < Int64(Date().timeIntervalSince1970) + 86_400 else {
      return false
    }
    let first: Int64
    switch format {
    case .zip: first = 315_532_800
    case .tar, .compressed: first = 0
    }
    // ZIP tells no zone, and zeros for its date are read as 30 November 1979.
    let days = first - 86_400 * 60...first + 86_400
    return !days.contains(nanoseconds / 1_000_000_000)
  }

  /// Makes the file of a member with a name.
  ///
  /// The last of several members with one name counts, as it does when tar unpacks them.
  private mutating func makeFile(
    _ name: String,
    in folder: OpenFolder,
    _ shown: String
  ) throws(FileError) -> (file: OpenFile, name: String) {
    do {
      return (try folder.makeFile(name), name)
    } catch  where error.code == .fileExists {
      guard try folder.status(of: name)?.type == .regular else { throw error }
      // libarchive composes the letters of names in ZIP archives, so two of them become one.
      let other = name.decomposedStringWithCanonicalMapping
      if format == .zip, !other.hasBytes(of: name), try folder.status(of: other) == nil {
        return (try folder.makeFile(other), other)
      }
      try folder.delete(name)
      missing.append(.leftOut(LeftOut(shown, .replacedMember)))
      return (try folder.makeFile(name), name)
    }
  }

  /// Opens a folder, and makes what is missing of it.
  private mutating func folder(_ names: ArraySlice<String>) throws(FileError) -> OpenFolder {
    guard !names.isEmpty else { return root }
    let path = names.joined(separator: "/")
    if let last, last.path.hasBytes(of: path) { return last.folder }
    var folder = root
    for name in names {
      do {
        folder = try folder.openFolder(name)
      } catch  where error.code == .noSuchFileOrDirectory {
        // A folder that no member stands for counts as one: a path of 60 makes as many.
        folderCount += 1
        folder = try folder.makeFolder(name)
      }
    }
    last = (path, folder)
    return folder
  }

  private func damage(_ failure: ArchiveReader.Failure) -> String {
    if let flaw = reader.flaw { return damage(flaw) }
    return damage(failure.reason)
  }

  private func damage(_ flaw: ArchiveReader.Flaw) -> String {
    switch flaw {
    case .checksum, .tooLarge: flaw.description
    case .cut, .damaged, .unreadable: damage(flaw.description)
    }
  }

  private func damage(_ reason: String) -> String {
    "it is cut short or damaged after \(memberCount) of its members: \(reason)"
  }

  private mutating func fail(because reason: String) {
    isDamaged = true
    let error = SnippetStoreError(
      .unreadable,
      "unpack all of \(root.path)",
      because: reason,
      keeping: "What could be unpacked was imported.",
      do: "Download or copy the archive again, or unpack it yourself and import the folder."
    )
    missing.append(.failure(path: root.path, error))
  }

  /// The room for a piece of a member.
  private final class Buffer {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)

    deinit { bytes.deallocate() }
  }
}
