import Foundation
import Testing

/// A file of the tests that holds samples as they stand in the documentation.
struct SampleFile: Sendable, CustomTestStringConvertible {
  let name: String
  let lines: [String]

  var testDescription: String { name }

  /// Every file in the folder `Samples` of this target, and of the one that is built with GTK.
  static let all: [SampleFile] = {
    let tests = CodeBlock.package.appendingPathComponent("Tests")
    return ["DocumentationTests", "SnippetGTKTests"].flatMap { target in
      let folder = tests.appendingPathComponent("\(target)/Samples")
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      return names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
        let text = try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        return SampleFile(
          name: name,
          lines: (text ?? "").split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        )
      }
    }
  }()

  /// Whether the file imports what the sample imports, and has the rest of it in one piece.
  func holds(_ sample: CodeBlock) -> Bool {
    let (imports, code) = sample.importsAndCode
    guard imports.allSatisfy(lines.contains) else { return false }
    return lines.indices.contains { agreement(at: $0, with: code) == code.count }
  }

  /// Where the file comes nearest to the sample, and how many lines of it stand there.
  func nearest(to sample: CodeBlock) -> (line: Int, agreement: Int) {
    let code = sample.importsAndCode.code
    let places = lines.indices.map { (line: $0 + 1, agreement: agreement(at: $0, with: code)) }
    return places.max { $0.agreement < $1.agreement } ?? (1, 0)
  }

  /// How many lines of the code stand here, all indented further by the same number of spaces.
  private func agreement(at index: Int, with code: [String]) -> Int {
    let indentation = String(lines[index].prefix { $0 == " " })
    return zip(lines[index...], code).prefix { line, expected in
      line == (expected.isEmpty ? "" : indentation + expected)
    }.count
  }
}

extension CodeBlock {
  /// What the code imports, and the code after that.
  var importsAndCode: (imports: [String], code: [String]) {
    let imports = lines.prefix { $0.hasPrefix("import ") || $0.isEmpty }
    return (imports.filter { !$0.isEmpty }, Array(lines.dropFirst(imports.count)))
  }
}
