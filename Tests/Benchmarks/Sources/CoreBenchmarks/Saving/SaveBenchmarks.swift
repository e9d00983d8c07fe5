import Foundation
import SnippetStorage

/// Saving many texts against the same inserts in C, in the same schema.
package struct SaveBenchmarks {
  let folder: URL
  let count: Int

  package init(folder: URL, count: Int) {
    self.folder = folder
    self.count = count
  }

  package func run(into table: Table) async throws {
    var files: [URL] = []
    func file() -> URL {
      let url = folder.appendingPathComponent("saving-\(files.count).sqlite")
      files.append(url)
      return url
    }
    try await table.add(
      Comparison(rounds: 5) { _ in
        let store = try await SnippetStore.open(at: file())
        try await store.save(
          contentsOf: (0..<count).lazy.map { SnippetDraft(.text(text($0)), title: "Row \($0)") }
        )
        try await store.close()
      } others: { _ in
        try await InsertsInC(count: count, title: { "Row \($0)" }, preview: text, text: text)
          .run(into: file())
      } after: {
        // So that neither side pays for what the other has left to be written.
        sync()
      }.row(
        "save \(count.formatted(.number.locale(Locale(identifier: "en")))) texts",
        against: "the same inserts in C",
        .ratio(atMost: 0.7)
      )
    )
  }

  private func text(_ number: Int) -> String {
    "The text of row \(number), as short as most notes are."
  }
}
