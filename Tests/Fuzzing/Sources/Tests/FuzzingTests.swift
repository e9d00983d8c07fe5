import Foundation
import SnippetTestSupport
import Testing

/// What fuzzers have found, and some more that is like it; `Tests/Fuzzing/run` looks for new
/// things.
@Suite(.seeded, .timeLimit(.minutes(30)))
struct FuzzingTests {
  private static let mutationCount = LongTests.isOn ? 2_500 : 100

  @Test(arguments: FuzzTarget.all)
  func `every rule of a parser holds for each file of its corpus`(target: FuzzTarget) throws {
    let files = try Corpus.files(of: target)

    #expect(!files.isEmpty)
    for (name, bytes) in files {
      do {
        try bytes.withUnsafeBytes(target.check)
      } catch {
        Issue.record("\(name): \(error)")
      }
    }
  }

  @Test(arguments: FuzzTarget.all)
  func `every rule of a parser holds for what is like its corpus`(target: FuzzTarget) throws {
    let files = try Corpus.files(of: target).map(\.bytes)
    var mutation = Mutation(of: files, by: SeededGenerator())

    for _ in 0..<Self.mutationCount {
      let bytes = mutation.next()
      do {
        try bytes.withUnsafeBytes(target.check)
      } catch {
        Issue.record("\(error), of \(Data(bytes).base64EncodedString())")
      }
    }
  }

  @Test func `every corpus has a parser`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Corpus.folder.path)

    #expect(Set(names) == Set(FuzzTarget.all.map(\.name)))
  }
}

extension FuzzTarget: CustomTestStringConvertible {
  var testDescription: String { name }
}

/// The files that fuzzers keep.
enum Corpus {
  /// Where the corpora are, each in a folder of its own.
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Corpora")

  /// Reads the corpus of a target.
  ///
  /// - Parameter target: The target.
  /// - Returns: The files in the order of their names.
  /// - Throws: What reading throws.
  static func files(of target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
    let folder = folder.appendingPathComponent(target.name)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      ($0, [UInt8](try Data(contentsOf: folder.appendingPathComponent($0))))
    }
  }
}
