import Foundation
import SnippetBase
import SnippetRecognition

/// The rules for titles that are made of the names of files.
extension TextRules {
  /// The endings of the names of files in Markdown, in lower case and without their dots.
  package static let markdownEndings = ["md", "markdown", "mdown", "mkd", "mdx", "qmd", "rmd"]

  /// Returns the title of a file: its name without the extension, unless that tells what a text is.
  ///
  /// Of texts, `run.sh` and `run.py` are two things, and both would be called `run`.
  package static func title(ofFile name: String, isText: Bool) -> String {
    if isText, textExtension(of: name) != nil { return name }
    return name.withoutFileExtension
  }

  /// Returns the title of a file: that of its name, or the one for which Logseq has chosen that.
  package static func title(ofFileAt path: String, isText: Bool) -> String {
    let title = self.title(ofFile: path.fileName, isText: isText)
    return (isText && isPage(path) ? self.title(ofPage: title) : title).foldingWhiteSpace()
  }

  /// Whether a program makes a title of the path of a file: of the name, or of that of the bundle
  /// whose text it is.
  package static func isTitle(_ title: String, ofFileAt path: String, isText: Bool) -> Bool {
    if title == self.title(ofFileAt: path, isText: isText) { return true }
    guard isText, let folder = path.pathNames.dropLast().last,
      let name = self.title(ofBundle: String(folder))
    else { return false }
    return title == name.foldingWhiteSpace()
  }

  /// Returns the name of a bundle, or of its archive, without the extension; `nil` if it has none of
  /// theirs.
  package static func title(ofBundle name: String) -> String? {
    let isKnown = ["textbundle", "textpack", "zip"].contains(name.fileExtension.lowercased())
    return isKnown ? name.withoutFileExtension : nil
  }

  /// Whether a file is a page of Logseq, by its folder.
  package static func isPage(_ path: String) -> Bool {
    let ending = path.fileExtension.lowercased()
    return path.pathNames.dropLast().last == "pages"
      && (ending == "org" || markdownEndings.contains(ending))
  }

  /// Returns the title for which Logseq has chosen a name: `a/b?` for `a___b%3F`.
  private static func title(ofPage name: String) -> String {
    let slash = "___"
    // The name of a device of Windows ends so.
    let stem = name.hasSuffix(slash) ? String(name.dropLast(slash.count)) : name
    guard let title = stem.replacing(slash, with: "/").removingPercentEncoding, !title.isEmpty,
      !title.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return name }
    return title
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
