import Foundation
import SnipCore
import TerminalKit

/// The meaning of an argument of `snip add`.
enum AddedContent: Equatable {
  case text(String)
  case file(String)
  /// Standard input.
  case input

  /// Decides whether words are files or a text.
  ///
  /// Words that name no files are one text, as for `echo`: quotes may be left out. A word that
  /// looks like the name of a missing file is a mistake rather than a text, if it stands alone or
  /// beside a quoted text.
  ///
  /// - Parameters:
  ///   - words: The arguments.
  ///   - kind: Returns the kind of thing at a path.
  /// - Returns: One text, or the file of each word.
  /// - Throws: ``AddedContentError`` if the words are ambiguous.
  static func told(
    from words: [String],
    by kind: (String) -> PathKind
  ) throws(AddedContentError) -> [AddedContent] {
    let found = words.map { word in (word: word, kind: kind(word)) }
    let named = found.filter { $0.word == "-" || $0.kind != .nothing }
    guard let first = named.first else {
      if let word = words.first, words.allSatisfy(looksLikePath) { throw .noSuchFile(word) }
      // Who quotes one text means every word as a thing of its own.
      if words.contains(where: isQuoted), let word = words.first(where: looksLikePath) {
        throw .noSuchFile(word)
      }
      let text = words.joined(separator: " ")
      // Probably from a variable that is not set.
      if text.allSatisfy(\.isWhitespace) { throw .emptyText }
      return [.text(text)]
    }
    var contents: [AddedContent] = []
    for (word, kind) in found {
      switch kind {
      case _ where word == "-": contents.append(.input)
      case .file: contents.append(.file(word))
      case .folder: throw found.count == 1 ? .folder(word) : .mixed(word, words)
      case .nothing: throw looksLikePath(word) ? .noSuchFile(word) : .mixed(first.word, words)
      }
    }
    return contents
  }

  /// The kind of thing at a path.
  enum PathKind {
    case file, folder, nothing

    /// Looks at the path.
    init(at path: String, in context: CommandContext) {
      var status = stat()
      guard !path.isEmpty, stat(context.url(path).path, &status) == 0 else {
        self = .nothing
        return
      }
      self = status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
    }
  }

  /// Whether a word has come through the shell in quotes, since it has blanks among its letters.
  private static func isQuoted(_ word: String) -> Bool {
    word.split(whereSeparator: \.isWhitespace).count > 1
  }

  /// Whether a word is more likely the name of a file than a text: it has a slash and a letter and
  /// is not an address, or it ends like a file name.
  static func looksLikePath(_ word: String) -> Bool {
    guard !word.isEmpty, !word.contains(where: \.isWhitespace), !word.contains("://"),
      word.contains(where: \.isLetter)
    else { return false }
    if word.contains("/") { return true }
    guard let dot = word.lastIndex(of: "."), dot != word.startIndex else { return false }
    return endings.contains(word[word.index(after: dot)...].lowercased())
  }

  /// The endings of files that snippets are made of, and of files that people would try.
  private static let endings: Set<String> = [
    "txt", "text", "md", "markdown", "rst", "org", "csv", "tsv", "json", "xml", "yaml", "yml",
    "html", "log", "pdf", "rtf", "doc", "docx", "odt", "jpg", "jpeg", "png", "gif", "webp", "heic",
    "heif", "avif", "tif", "tiff", "bmp", "svg", "wav", "mp3", "m4a", "aac", "flac", "ogg", "oga",
    "opus", "amr", "aif", "aiff", "caf", "au", "mka", "weba", "webm", "mp4", "mov", "mkv", "avi",
  ]
}

/// The reason why words cannot be added.
enum AddedContentError: Error, Equatable {
  /// The word looks like the name of a file, and there is no such file.
  case noSuchFile(String)
  /// The word names a folder.
  case folder(String)
  /// The first word names a file, and these do not.
  case mixed(String, [String])
  /// The words are blank.
  case emptyText
}

extension AddedContentError: StatusError {
  var status: ExitStatus {
    switch self {
    case .noSuchFile, .folder: .badInput
    case .mixed, .emptyText: .usage
    }
  }

  var message: String {
    switch self {
    case .noSuchFile(let word): "could not add ‘\(word)’: there is no such file"
    case .folder(let word): "could not add ‘\(word)’: it is a folder"
    case .emptyText: "could not add a text: it is empty"
    case .mixed(let word, _):
      "could not tell a text from files: ‘\(word)’ is there, and not all the others are"
    }
  }

  var hint: String? {
    switch self {
    case .emptyText: "To add one all the same: snip add --text ''"
    case .noSuchFile(let word):
      // The replacement for bytes that are not UTF-8.
      (word.contains("\u{FFFD}")
        ? "If its name is not UTF-8, rename it, as with: convmv -f latin1 -t utf8 --notest FILE\n"
        : "")
        + "If it is a text: snip add --text \(ShellWord(word))"
    case .folder(let word):
      "With all in it: snip import \(ShellWord(word))\nIf it is a text: "
        + "snip add --text \(ShellWord(word))"
    case .mixed(_, let words):
      "Check the names. If it is a text: snip add --text "
        + ShellWord(words.joined(separator: " ")).description
    }
  }
}
