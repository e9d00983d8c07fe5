import Foundation
import SnippetRecognition

/// The words that people write for types.
enum TypeWords {
  /// Other words for kinds.
  private static let kinds: [String: SnippetKind] = [
    "text/*": .text, "picture": .image, "photo": .image, "image/*": .image, "recording": .voice,
    "memo": .voice, "sound": .voice, "audio": .voice, "audio/*": .voice,
  ]
  /// The types of texts that the ending of a name tells: to a store all of them are plain text.
  private static let textTypes: [(names: Set<String>, endings: [String])] = [
    (["markdown", "text/markdown"], TextRules.markdownEndings),
    (["org"], ["org"]), (["rst"], ["rst"]), (["asciidoc"], ["adoc", "asciidoc"]),
    (["latex", "tex"], ["tex", "latex"]), (["bibtex"], ["bib"]), (["textbundle"], ["textbundle"]),
    (["html", "text/html"], ["html", "htm", "xhtml"]),
    (["css", "text/css"], ["css"]), (["svg", "image/svg+xml"], ["svg"]),
    (["xml", "text/xml", "application/xml"], ["xml"]),
    (["json", "application/json"], ["json"]), (["jsonl"], ["jsonl", "ndjson"]),
    (["yaml"], ["yaml", "yml"]), (["toml"], ["toml"]), (["ini"], ["ini", "cfg", "conf"]),
    (["csv", "text/csv"], ["csv"]), (["tsv"], ["tsv"]), (["log"], ["log"]), (["sql"], ["sql"]),
    (["diff", "patch"], ["diff", "patch"]), (["calendar", "text/calendar"], ["ics"]),
    (["vcard", "text/vcard"], ["vcf"]), (["subtitles"], ["srt", "vtt"]),
    (["shell", "bash"], ["sh", "bash", "zsh", "fish"]), (["python"], ["py"]), (["ruby"], ["rb"]),
    (["javascript"], ["js", "mjs"]), (["typescript"], ["ts"]), (["swift"], ["swift"]),
    (["c"], ["c"]), (["c++"], ["cpp", "cc", "cxx"]), (["rust"], ["rs"]),
    (["java"], ["java"]), (["kotlin"], ["kt"]), (["golang"], ["go"]), (["php"], ["php"]),
    (["perl"], ["pl"]), (["lua"], ["lua"]),
  ]

  /// Other endings of the names of files, and names of the formats.
  private static let others: [String: ContentType] = [
    "jpe": .jpeg, "tif": .tiff, "heif": .heic, "wave": .wav, "aif": .aiff, "oga": .ogg,
    "opus": .ogg, "mp4": .m4a, "m4b": .m4a, "mov": .m4a, "3gp": .m4a, "webm": .webM,
    "mkv": .matroska,
  ]

  /// Returns the kind that a word stands for; `nil` for any other.
  static func kind(_ word: String) -> SnippetKind? {
    let word = word.lowercased()
    return SnippetKind(name: word) ?? kinds[word]
  }

  /// Returns the endings of the files of a type of texts, without their dots; `nil` for a word that
  /// stands for none.
  static func endings(_ word: String) -> [String]? {
    let word = word.lowercased()
    return textTypes.first { $0.names.contains(word) || $0.endings.contains(word) }?.endings
  }

  /// Returns the media type that a word stands for: an ending, the name of a format, or the media
  /// type, whole or its second part; `nil` for any other.
  static func mediaType(_ word: String) -> String? {
    let word = word.lowercased()
    let known = ContentType.allCases.first { type in
      [type.fileExtension, type.name.lowercased(), type.mediaType].contains(word)
        || type.mediaType.hasSuffix("/" + word) || type.mediaType.hasSuffix("/x-" + word)
    }
    if let type = known ?? others[word] { return type.mediaType }
    return (try? TextRules.mediaType(word, during: "")).flatMap {
      $0.wholeMatch(of: /(text|image|audio|video|application)\/[^\/()"]+/) == nil ? nil : $0
    }
  }

  /// Writes a media type in the shortest way.
  static func text(_ mediaType: String) -> String {
    ContentType(mediaType: mediaType)?.fileExtension ?? mediaType
  }
}
