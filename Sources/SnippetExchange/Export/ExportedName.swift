import Foundation
import SnippetBase
import SnippetStorage

/// The name of the file of an exported snippet: its number, then its title.
///
/// A title can be any text. In a name it must not form a path, hide the file, name a Windows device
/// or reverse letters on a screen. So characters that a file system or a terminal could misread
/// become blanks, and the number comes first. The number also keeps names distinct, even on file
/// systems that ignore differences.
struct ExportedName {
  /// The folder and the name, relative to that of the export.
  let path: String
  let folder: String
  let name: String

  /// Leaves room for the number and the extension within the 255 bytes that file systems allow.
  private static let maximumTitleByteCount = 160
  private static let maximumTitleCount = 60

  init(of row: SnippetRow) {
    folder =
      switch row.kind {
      case .text: "texts"
      case .image: "images"
      case .voice: "recordings"
      }
    let shown = row.title.isEmpty ? row.preview : row.title
    let suffix =
      (row.kind == .text ? TextRules.textExtension(of: row.title) : nil)
      ?? ContentType(mediaType: row.mediaType)?.fileExtension
      ?? (row.kind == .text ? "txt" : "bin")
    let title = Self.fitting(Self.withoutExtension(shown, of: row, suffix))
    name = title.isEmpty ? "\(row.id).\(suffix)" : "\(row.id) \(title).\(suffix)"
    path = "\(folder)/\(name)"
  }

  /// Returns a title without the extension that the name gets, as a title made of a file name has
  /// it.
  static func withoutExtension(_ title: String, of row: SnippetRow, _ suffix: String) -> String {
    let own = title.fileExtension.lowercased()
    let suffix = suffix.lowercased()
    let same: Set<String> =
      switch row.kind {
      case .text: ["txt", "text", "md", "markdown"]
      case .image where suffix == "jpg" || suffix == "jpeg": ["jpg", "jpeg", "jpe"]
      case .image where suffix == "tiff" || suffix == "tif": ["tif", "tiff"]
      case .image where suffix == "heic": ["heic", "heif"]
      case .image, .voice: []
      }
    guard own == suffix || same.contains(own) else {
      return title
    }
    let base = title.withoutFileExtension
    return base.isEmpty ? title : base
  }

  /// Shortens a title to the limit, and keeps only harmless characters.
  static func fitting(_ title: String) -> String {
    let harmless = String(
      String.UnicodeScalarView(
        title.precomposedStringWithCanonicalMapping.unicodeScalars.map {
          $0.isHarmlessInName ? $0 : " "
        }
      )
    )
    var fitting = ""
    for word in harmless.split(whereSeparator: \.isWhitespace) {
      fitting += fitting.isEmpty ? "" : " "
      for character in word {
        let byteCount = fitting.utf8.count + character.utf8.count
        guard byteCount <= maximumTitleByteCount, fitting.count < maximumTitleCount else {
          return trimmed(fitting)
        }
        fitting.append(character)
      }
    }
    return trimmed(fitting)
  }

  /// Removes blanks and full stops at the end, as Windows would.
  private static func trimmed(_ name: String) -> String {
    var name = name[...]
    while let last = name.last, last == "." || last.isWhitespace { name.removeLast() }
    return String(name)
  }
}

extension Unicode.Scalar {
  fileprivate var isHarmlessInName: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
      return false
    case .format:
      // The joiner of emoji families, and those that shape letters in some scripts.
      return self == "\u{200D}" || self == "\u{200C}"
    default:
      return !"/\\:*?\"<>|".unicodeScalars.contains(self)
    }
  }
}
