import SnippetMedia
import SnippetStorage
import TerminalKit

/// What to do where an image or a recording cannot be decoded.
enum DecoderAdvice {
  /// What a build without the libraries lacks.
  static let forBuild =
    "install libvips-dev, libsndfile1-dev and libchafa-dev (Debian) or vips, libsndfile and chafa "
    + "(Homebrew), then build with the trait Media, which is on by default"

  /// What is missing for a type, and what to install if that helps.
  static func remedy(for type: ContentType) -> String {
    switch type {
    case .heic: "install libheif1 and libde265-0 (Debian), with which libvips decodes it"
    case .avif: "install libheif1 and libaom3 (Debian), with which libvips decodes it"
    case .bmp: "its coding for print or fax is not read; kept and exported as it is"
    case .m4a: "libsndfile has no AAC; kept and exported as it is"
    default: "this build of the library is without it"
    }
  }

  /// Why the processes that decode are not under a filter, and what to do; `nil` if they are.
  static func remedy(for filter: SystemCallFilter) -> String? {
    switch filter {
    case .on: nil
    case .libraryMissing:
      "without a filter of system calls: install libseccomp2 (Debian), which writes it"
    case .refused(let reason):
      "without a filter of system calls, which this system refuses (\(reason)): a container may "
        + "have to allow seccomp"
    case .unsupported: "without a filter of system calls, which there is on Linux only"
    }
  }

  /// Why a snippet is not drawn, and what to do, on one line.
  ///
  /// - Parameters:
  ///   - row: The snippet.
  ///   - error: What the decoder said.
  /// - Returns: The line, safe to print.
  static func line(_ row: SnippetRow, _ error: MediaError) -> String {
    guard error.code == .noDecoder else {
      let text = "Not drawn: \(error.reason). \(error.recoverySuggestion ?? "")"
      return TerminalText(text, lines: .folded).description
    }
    guard TerminalAbilities.libraryVersion != nil else {
      return "Not drawn: snip was built without decoders; \(forBuild)."
    }
    let type = ContentType(mediaType: row.mediaType)
    let remedy = type.map(Self.remedy(for:)) ?? "`snip doctor` tells which there are"
    let name = type?.name ?? row.mediaType
    let text = "Not drawn: there is no decoder for \(name) here; \(remedy)."
    return TerminalText(text, lines: .folded).description
  }
}
