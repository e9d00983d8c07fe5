import Foundation
import Testing

/// A block of code in README, an article or a doc comment.
struct CodeBlock: Sendable, CustomTestStringConvertible {
  /// The file, from the package's folder on.
  let file: String
  /// The line of the block's first line.
  let line: Int
  /// What stands behind the fence.
  let language: String
  /// The code, without the indentation that all of it has.
  let lines: [String]

  var testDescription: String { "\(file):\(line)" }

  /// The folder of the package.
  static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Every block of README, the articles and the doc comments.
  static let all: [CodeBlock] = {
    let folder = package.appendingPathComponent("Sources").path
    let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    let files = paths.filter { path in
      path.hasSuffix(".swift") || (path.hasSuffix(".md") && path.contains(".docc/"))
    }
    return (["README.md"] + files.sorted().map { "Sources/\($0)" }).flatMap(blocks)
  }()

  /// The blocks of one language in one file, or in every file.
  static func all(in file: String? = nil, of language: String) -> [CodeBlock] {
    all.filter { $0.language == language && (file == nil || $0.file == file) }
  }

  /// The blocks of one file.
  private static func blocks(in file: String) -> [CodeBlock] {
    let text = try? String(contentsOf: package.appendingPathComponent(file), encoding: .utf8)
    var blocks: [CodeBlock] = []
    var open: (line: Int, language: String, lines: [String])?
    let lines = (text ?? "").split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      guard let line = file.hasSuffix(".swift") ? comment(in: line) : line else { continue }
      guard line.trimmingPrefix(while: \.isWhitespace).hasPrefix("```") else {
        open?.lines.append(String(line))
        continue
      }
      if let block = open {
        blocks.append(
          CodeBlock(
            file: file,
            line: block.line,
            language: block.language,
            lines: dedented(block.lines)
          )
        )
        open = nil
      } else {
        open = (index + 2, line.trimmingCharacters(in: [" ", "`"]), [])
      }
    }
    return blocks
  }

  /// What a line of a doc comment says, or `nil` for any other line.
  private static func comment(in line: Substring) -> Substring? {
    let line = line.trimmingPrefix(while: \.isWhitespace)
    guard line.hasPrefix("///") else { return nil }
    return line.dropFirst(3).trimmingPrefix(" ")
  }

  private static func dedented(_ lines: [String]) -> [String] {
    let indentation = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(indentation)) }
  }
}
