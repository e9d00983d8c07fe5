import Foundation
import SnippetBase

/// The rules for titles that are made of the names of files.
extension TextRules {
  /// Returns the title of a file: its name without the extension, unless that tells what a text is.
  ///
  /// Of texts, `run.sh` and `run.py` are two things, and both would be called `run`.
  package static func title(ofFile name: String, isText: Bool) -> String {
    if isText, textExtension(of: name) != nil { return name }
    return URL(fileURLWithPath: "/" + name, isDirectory: false).deletingPathExtension()
      .lastPathComponent
  }

  /// Returns the extension of a name, if it is one of a text that is not prose.
  package static func textExtension(of name: String) -> String? {
    let suffix = name.fileExtension
    return textExtensions.contains(suffix.lowercased()) ? suffix : nil
  }

  private static let textExtensions = Set(
    """
    adoc bash bat bib c cc cfg clj cmake conf cpp cs css csv dart diff el env erl ex exs fish go \
    gradle graphql h hpp hs htm html ics ini java jl js json jsonl jsx kt log lua m mjs mk ml mm org \
    patch php pl proto ps1 py r rb rs rst scss sh sql srt svg swift tex tf toml ts tsv tsx vcf vim \
    vtt vue xml yaml yml zsh
    """.split(separator: " ").map(String.init)
  )
}
