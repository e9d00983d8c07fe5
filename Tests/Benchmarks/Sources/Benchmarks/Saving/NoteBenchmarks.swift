import CoreBenchmarks
import Foundation
import SnippetStorage

/// Importing many small notes from files, against reading the files and inserting their texts.
struct NoteBenchmarks {
  let folder: URL
  let count: Int

  private static let rounds = 3
  private static let countInFolder = 1_000

  private var source: URL { folder.appendingPathComponent("notes") }

  func run(into table: Table) async throws {
    try makeFiles()
    sync()
    var times: (ours: [Duration], others: [Duration]) = ([], [])
    let clock = ContinuousClock()
    for round in 0..<Self.rounds {
      table.begin("notes: round \(round + 1) of \(Self.rounds)")
      let ours = folder.appendingPathComponent("notes-\(round).sqlite")
      times.ours.append(
        try clock.measure {
          try ChildProcess.run(
            try ChildProcess.snip.path,
            ["import", "--store", ours.path, source.path]
          )
        }
      )
      let imported = try await SnippetStore.open(at: ours).information().snippetCounts[.text]
      guard imported == count else { throw RawError(message: "not all") }
      try FileManager.default.removeItem(at: ours)
      sync()
      let others = folder.appendingPathComponent("notes-\(round)-in-c.sqlite")
      times.others.append(
        try await clock.measure {
          // Into a pipe: tar does not read what it writes to nowhere.
          try ChildProcess.run("sh", ["-ec", #"tar -cf - "$0" | cat >/dev/null"#, source.path])
          try await InsertsInC(count: count, title: title, preview: body, text: text)
            .run(into: others)
        }
      )
      try FileManager.default.removeItem(at: others)
      sync()
    }
    try table.add(
      TableRow(
        "import \(count) small notes",
        Quantity(times.ours.sorted()[Self.rounds / 2]),
        against: "tar, and the inserts in C",
        Quantity(times.others.sorted()[Self.rounds / 2]),
        goal: .ratio(atMost: 2)
      )
    )
  }

  private func makeFiles() throws {
    for number in 0..<count {
      let part = source.appendingPathComponent("\(number / Self.countInFolder)")
      if number % Self.countInFolder == 0 {
        try FileManager.default.createDirectory(at: part, withIntermediateDirectories: true)
      }
      try Data(text(number).utf8).write(to: part.appendingPathComponent("\(title(number)).md"))
    }
  }

  private func title(_ number: Int) -> String { "Note \(number)" }

  private func text(_ number: Int) -> String { "# \(title(number))\n\n\(body(number))\n" }

  private func body(_ number: Int) -> String {
    "The text of note \(number), as short as most notes are: what to buy, and where the key is."
  }
}
