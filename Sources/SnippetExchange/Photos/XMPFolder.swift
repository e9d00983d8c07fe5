import Foundation
import SnippetBase
import SnippetRecognition
import SnippetStorage
import SystemPackage

/// The files of XMP in a folder, which photo programs write beside pictures.
///
/// They are recognized by their content. Another file of their name is one like any other.
struct XMPFolder {
  /// The properties of pictures and recordings, by their names.
  private(set) var descriptions: [String: FileDescription] = [:]
  /// The names of the files of XMP.
  private(set) var silentNames: Set<String> = []
  private(set) var leftOut: [LeftOut] = []

  /// Reads a folder with some names in it.
  init(in folder: String, _ names: [String]) {
    let files = names.filter { $0.fileExtension.lowercased() == "xmp" }.sorted()
    guard !files.isEmpty else { return }
    let pictures = XMPNames(names)
    var found: [(match: XMPNames.Match, description: FileDescription)] = []
    for name in files {
      let path = folder.withSlash + name
      do {
        guard let file = try Self.file(at: path) else { continue }
        let match = pictures.match(name)
        found.append((match, FileDescription(of: file)))
        if match.pictures.isEmpty { leftOut.append(LeftOut(path, .xmpWithoutPicture)) }
      } catch let flaw as XMPFile.Flaw {
        leftOut.append(LeftOut(path, .flawedXMP(Self.words(for: flaw))))
      } catch {
        // It is reported like any other file.
        continue
      }
      silentNames.insert(name)
    }
    for isWhole in [true, false] {
      for (match, description) in found where match.isWhole == isWhole {
        for name in match.pictures {
          guard let first = descriptions[name] else {
            descriptions[name] = description
            continue
          }
          var whole = first.completed(by: description)
          // The keywords are one field.
          if !first.tags.isEmpty { whole.tags = first.tags }
          descriptions[name] = whole
        }
      }
    }
  }

  /// Reads a file; `nil` if there is no XMP in it, or it is not to be looked into.
  private static func file(at path: String) throws -> XMPFile? {
    guard let (file, status) = try OpenFile.ahead(path) else { return nil }
    // One byte more tells that a file is too long.
    let count = min(Int64(status.size), Int64(XMPFile.maximumByteCount + 1))
    return try XMPFile(file.bytes(at: 0, count: Int(count)))
  }

  private static func words(for flaw: XMPFile.Flaw) -> String {
    switch flaw {
    case .tooLong: "it has more than \(XMPFile.maximumByteCount >> 20) MiB"
    case .cutShort: "the end of its XMP is missing"
    case .notUTF8: "its bytes are not valid UTF-8"
    case .notUTF16: "its bytes are not valid UTF-16"
    }
  }
}

extension FileDescription {
  /// Makes a description of what a file of XMP tells.
  fileprivate init(of file: XMPFile) {
    self.init()
    set(title: file.title)
    if file.isTitleCut {
      let reason = "the title was cut to \(XMPFile.maximumTitleLength) characters"
      unread.append(FrontMatterFlaw(reason: reason))
    }
    note = file.note
    if file.isNoteCut {
      let limit = XMPFile.maximumNoteByteCount / 1024
      unread.append(FrontMatterFlaw(reason: "the description was cut to \(limit) KiB"))
    }
    unread += FrontMatterFlaw.flaws(ofTexts: file.furtherTexts)
    // A comma becomes a blank, as in the keywords within a picture.
    for keyword in file.keywords {
      add(tag: keyword.replacing(",", with: " ").foldingWhiteSpace())
    }
    (takenAt, digitizedAt) = (file.takenAt, file.digitizedAt)
    unread += file.unreadDates.map { name in
      FrontMatterFlaw(reason: "the date “\(name)” in its XMP cannot be read, or is no day")
    }
    unreadNames = file.unreadNames
  }
}
