import Foundation
import SnippetBase
import SnippetRecognition
import SnippetStorage
import SystemPackage

#if canImport(CryptoKit)
import CryptoKit
#else
import CCrypto
#endif

/// Unpacks an export of Evernote into an empty folder: each note becomes a TextBundle.
struct EvernoteUnpacking: Unpacking {
  private let file: OpenFile
  private let root: OpenFolder
  private let check: () throws -> Void
  private let onProgress: (StoreProgress) -> Void
  private var names = UniqueNames()
  /// The date of the files of a note that tells none: that of the export.
  private var dateWithoutOther = Date(timeIntervalSince1970: 0)

  /// The notes that are not in the folder, in the terms of its paths.
  private(set) var missing: [ArchiveUnpacking.Missing] = []
  /// Whether the export was read to its end.
  private(set) var isComplete = false
  /// Whether the bytes of a file in a note are damaged, so that it is not known to be gone.
  private var hasDamagedFile = false

  /// Begins with an open file.
  init(
    _ file: OpenFile,
    into root: OpenFolder,
    check: @escaping () throws -> Void,
    onProgress: @escaping (StoreProgress) -> Void = { _ in }
  ) {
    self.file = file
    self.root = root
    self.check = check
    self.onProgress = onProgress
  }

  /// Unpacks all notes.
  ///
  /// - Throws: A `FileError` of the disk, or what `check` throws.
  mutating func run() throws {
    guard var notes = EvernoteNotes(file) else { return }
    let status = try file.status()
    let byteCount = status.size
    dateWithoutOther = status.modifiedAt
    var hasDamagedNote = false
    while let note = try notes.next() {
      try check()
      if let date = notes.exported.flatMap({ WrittenDate.date($0) }) { dateWithoutOther = date }
      try unpack(note)
      if note.isDamaged { hasDamagedNote = true }
      // The reader of XML reads on from where it is.
      let offset = (try? file.descriptor.seek(offset: 0, from: .current)) ?? 0
      onProgress(StoreProgress(offset, of: byteCount))
    }
    isComplete = notes.damage == nil && !hasDamagedFile
    // A damaged note is named by itself.
    guard let damage = notes.damage, notes.hasLost || !hasDamagedNote else { return }
    let error = SnippetStoreError(
      .unreadable,
      "unpack all of \(root.path)",
      because: "it is cut short or damaged in line \(damage.line)",
      keeping: "What can be read of it was imported.",
      do: "Export the notes from Evernote again."
    )
    missing.append(.failure(path: root.path, error))
  }

  private mutating func unpack(_ note: EvernoteNote) throws {
    let title = note.title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let name = names.add(Self.fileName(title) ?? "Untitled", ".textbundle")
    let path = root.path + "/" + name
    guard !note.isEncrypted else {
      missing.append(.leftOut(LeftOut(path, .encryptedNote)))
      return
    }
    let folder = try root.makeFolder(name)
    var links: [String: String] = [:]
    var fileNames = UniqueNames()
    var assets: OpenFolder?
    var damagedCount = 0
    for resource in note.resources {
      try check()
      let hash = Self.md5(resource.data)
      guard links[hash] == nil else { continue }
      // Bytes that the note knows are whole, whatever stands among their characters.
      if resource.isDamaged, !note.content.lowercased().contains(hash) {
        damagedCount += 1
        hasDamagedFile = true
        let shown = resource.fileName ?? (resource.mediaType.isEmpty ? hash : resource.mediaType)
        missing.append(.leftOut(LeftOut(path + "/text.md", .resourceDamaged(shown))))
        guard Self.isMedia(resource.data) else { continue }
      }
      let file = Self.fileName(of: resource, hash, in: &fileNames)
      let place = try assets ?? folder.makeFolder(TextBundle.assetsName)
      assets = place
      try write(resource.data, file, in: place, note)
      let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "()"))
      let address = file.addingPercentEncoding(withAllowedCharacters: allowed) ?? file
      let isPicture = resource.mediaType.hasPrefix("image/")
      let words = MarkdownEscaping.escaped(file, isInLink: true)
      links[hash] = "\(isPicture ? "!" : "")[\(words)](\(TextBundle.assetsName)/\(address))"
    }
    var text = EvernoteText(note.content, links: links)
    text.add(tasks: note.tasks)
    try write(Data(text.text.utf8), "text.md", in: folder, note)
    let info = try JSONSerialization.data(
      withJSONObject: Self.info(note, title),
      options: .sortedKeys
    )
    try write(info, TextBundle.infoName, in: folder, note)
    // The note knows a damaged file by the hash of its bytes before the damage.
    if text.missingFiles.count > damagedCount {
      for file in text.missingFiles {
        missing.append(.leftOut(LeftOut(path + "/text.md", .resourceMissing(file))))
      }
    }
    if note.isDamaged || text.isDamaged {
      missing.append(.leftOut(LeftOut(path + "/text.md", .damagedNote)))
    }
    if text.hasEncryptedPart {
      missing.append(.leftOut(LeftOut(path + "/text.md", .encryptedPart)))
    }
  }

  /// Whether bytes begin as a picture or a recording, so that what is left of it can be shown.
  private static func isMedia(_ data: Data) -> Bool {
    guard let content = try? ContentRecognizer.recognize(MemoryBytes(data: data)) else {
      return false
    }
    return content.type.kind != .text
  }

  private static func info(_ note: EvernoteNote, _ title: String) -> [String: Any] {
    // What says how Evernote shows the note, or repeats what it says elsewhere.
    var info: [String: Any] = note.others.filter { !["source", "content-class"].contains($0.key) }
    info["sourceURL"] = info.removeValue(forKey: "source-url")
    info["version"] = 2
    info["type"] = "net.daringfireball.markdown"
    if !title.isEmpty { info["title"] = title }
    if !note.tags.isEmpty { info["tags"] = note.tags }
    var dates: [String: Any] = [:]
    dates["creationDate"] = note.created
    dates["modificationDate"] = note.updated
    // An export has no other identity of a note, and the names of the bundles are made here.
    dates["uniqueIdentifier"] = note.created
    info["net.shinyfrog.bear"] = dates
    return info
  }

  // MARK: - Files

  private func write(
    _ data: Data,
    _ name: String,
    in folder: OpenFolder,
    _ note: EvernoteNote
  ) throws(FileError) {
    let file = try folder.makeFile(name)
    var failure: FileError?
    data.withUnsafeBytes { bytes in
      do throws(FileError) { try file.write(bytes, at: 0) } catch { failure = error }
    }
    if let failure { throw failure }
    // So that an import of the same export finds the files unchanged.
    let date = (note.updated ?? note.created).flatMap { WrittenDate.date($0) } ?? dateWithoutOther
    file.setModificationDate(date)
    try file.close()
  }

  private static func fileName(
    of resource: EvernoteNote.Resource,
    _ hash: String,
    in names: inout UniqueNames
  ) -> String {
    let type = ContentType(mediaType: resource.mediaType)
    let own = resource.fileName.flatMap(fileName) ?? hash
    let (stem, suffix) = (own.withoutFileExtension, own.fileExtension)
    let ending = suffix.isEmpty ? type?.fileExtension ?? "" : suffix
    return names.add(stem.isEmpty ? own : stem, ending.isEmpty ? "" : "." + ending)
  }

  /// Returns a name for a file, which has no slashes and is not hidden; `nil` if nothing is left.
  private static func fileName(_ text: String) -> String? {
    let name = text.replacing("/", with: "-").replacing("\0", with: "").drop { $0 == "." }
    var short = ""
    for character in name where short.utf8.count + character.utf8.count <= 150 {
      short.append(character)
    }
    return short.isEmpty ? nil : short
  }

  /// Returns the MD5 by which a note names a file in it.
  static func md5(_ data: Data) -> String {
    #if canImport(CryptoKit)
    return Data(Insecure.MD5.hash(data: data)).hexadecimal
    #else
    var digest = [UInt8](repeating: 0, count: 16)
    data.withUnsafeBytes { bytes in
      _ = MD5(bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, &digest)
    }
    return Data(digest).hexadecimal
    #endif
  }
}

/// Names of files that differ, also on a disk to which upper and lower case are the same.
struct UniqueNames {
  /// The number that each name was given last, so that none is tried twice.
  private var numbers: [String: Int] = [:]

  /// Adds a name, with a number before its ending if there is one like it.
  mutating func add(_ stem: String, _ ending: String) -> String {
    let wanted = stem + ending
    let key = wanted.lowercased()
    guard var number = numbers[key] else {
      numbers[key] = 1
      return wanted
    }
    var name: String
    repeat {
      number += 1
      name = "\(stem) \(number)\(ending)"
    } while numbers[name.lowercased()] != nil
    numbers[key] = number
    numbers[name.lowercased()] = 1
    return name
  }
}
