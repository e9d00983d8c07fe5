import SnippetBase
import SnippetRecognition

/// Finds the pictures and recordings that a file of XMP describes, by the names.
///
/// darktable, digiKam and immich name the file of `IMG.CR2` `IMG.CR2.xmp`. Lightroom, Capture One and
/// Apple Photos name it `IMG.xmp`, and it tells of every picture of that name: `IMG.CR2` and
/// `IMG.JPG`.
struct XMPNames {
  /// The files that one of XMP describes.
  struct Match: Equatable {
    /// The names of the files; empty if there are none.
    var pictures: [String] = []
    /// Whether the file of XMP has the whole name of the picture.
    var isWhole = false
  }

  /// The names of pictures and recordings, by themselves.
  private var whole: [String: [String]] = [:]
  /// The same names, by those in lower case.
  private var wholeLowercased: [String: [String]] = [:]
  /// The same names, by those without an extension.
  private var stems: [String: [String]] = [:]
  private var stemsLowercased: [String: [String]] = [:]

  /// The extensions of pictures and recordings, among them those that a store does not take.
  private static let extensions: Set<String> = {
    let known = ContentType.allCases.filter { $0.kind != .text }.map(\.fileExtension)
    return Set(known).union([
      "jpeg", "jpe", "jxl", "jp2", "tif", "heif", "hif", "psd", "3fr", "cr3", "crw", "dcr", "erf",
      "fff", "iiq", "kdc", "mef", "mos", "mrw", "nrw", "orf", "pef", "raw", "rw2", "rwl", "sr2",
      "srf", "srw", "x3f", "3gp", "avi", "m2ts", "m4v", "mkv", "mov", "mp4", "mpg", "mts", "aif",
      "aifc", "oga", "opus", "wave", "wma",
    ])
  }()

  /// Takes the names of all files in a folder.
  init(_ names: [String]) {
    for name in names.sorted() where Self.extensions.contains(name.fileExtension.lowercased()) {
      let stem = name.withoutFileExtension
      whole[name, default: []].append(name)
      wholeLowercased[name.lowercased(), default: []].append(name)
      stems[stem, default: []].append(name)
      stemsLowercased[stem.lowercased(), default: []].append(name)
    }
  }

  /// Finds what a file of XMP describes; capitals differ only if nothing has its own.
  func match(_ file: String) -> Match {
    let name = file.withoutFileExtension
    let lowercased = name.lowercased()
    if let found = whole[name] ?? wholeLowercased[lowercased] {
      return Match(pictures: found, isWhole: true)
    }
    return Match(pictures: stems[name] ?? stemsLowercased[lowercased] ?? [])
  }
}
