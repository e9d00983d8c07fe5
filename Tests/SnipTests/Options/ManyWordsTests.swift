import Foundation
import SnippetTestSupport
import Testing

@testable import snip

/// Command lines of many words.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ManyWordsTests {
  private let numbers = (1...ManyWords.leastCount).map { "\($0)" }

  @Test func `few words stay as they are`() {
    let line = ["add"] + numbers.dropLast()

    #expect(ManyWords.joined(line) == line)
    #expect(ManyWords.apart(line) == line)
    #expect(ManyWords.apart([""]) == [""])
  }

  @Test(
    arguments: [
      (["rm"], ["--json"], 3), (["rm", "--store", "x"], [], 4),
      (["rm", "--permanently", "7"], [], 4),
      (["rm", "x"], ["x", "8"], 5), (["add", "--"], ["-", "-x", ""], 3), (["add"], ["", "-"], 3),
      (["add", "--text=x"], [], 3), (["tag"], ["a", "b", "--remove", "c"], 4),
      (["search"], ["\0-milk"], 2), (["search", "\0-milk", "--", "-x"], [], 4),
    ] as [([String], [String], Int)]
  )
  func `long runs of words are joined, and come apart as they were`(
    before: [String],
    after: [String],
    count: Int
  ) {
    let line = before + numbers + after

    let joined = ManyWords.joined(line)

    #expect(joined.count == count, "\(joined)")
    #expect(
      ManyWords.apart(joined).filter { !$0.isEmpty }
        == line.flatMap {
          $0.hasPrefix("\0") ? [String($0.dropFirst())] : $0.isEmpty ? [] : [$0]
        }
    )
  }

  @Test func `a word that is no number is told by itself`() async throws {
    let snip = try SnipTool.inProcess()

    let output = try await snip.run(["rm"] + numbers + ["seven"] + numbers)

    #expect(output.status == 64)
    #expect(output.standardError.contains("‘seven’"), "\(output)")
    #expect(!output.standardError.contains("\0"))
  }

  @Test func `thousands of numbers, words and files do what few do`() async throws {
    let snip = try SnipTool.inProcess()
    var names: [String] = []
    for number in 1...200 {
      names.append("\(number).txt")
      try snip.write(Data("note \(number)".utf8), "\(number).txt")
    }
    let added = try await snip.run(["add"] + names + ["--tag", "many"])
    #expect(added.status == 0 && added.lines.count == 200, "\(added)")
    let ids = (1...5_000).map { "\($0)" }

    let removed = try await snip.run(["rm"] + ids + ["--json"])

    #expect(removed.status == 2, "\(removed)")
    let deleted = try removed.json().first?["deleted"]
    #expect(deleted == .array((1...200).map { .integer($0) }))
    let back = try await snip.run(["undelete"] + ids)
    #expect(back.standardError.hasPrefix("Brought back 200.\n"), "\(back)")
    let tagged = try await snip.run(["tag"] + ids.prefix(200) + ["more", "--remove", "many"])
    #expect(tagged.status == 0 && tagged.lines.count == 200, "\(tagged)")
    let imported = try await snip.run(["import"] + names)
    #expect(imported.text.contains("duplicates 200"), "\(imported)")
    let query = Array(repeating: "note", count: 3_000) + ["7", "-17"]
    let found = try await snip.run(["search"] + query + ["--limit", "0", "--json"])
    let expected = (1...200).filter { "\($0)".contains("7") && !"\($0)".contains("17") }
    #expect(try Set(found.json().compactMap { $0["id"]?.integer }) == Set(expected.map(Int64.init)))
  }
}
