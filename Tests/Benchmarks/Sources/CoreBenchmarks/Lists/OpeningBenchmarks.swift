import CAllocationCount
import Foundation
import SnippetLoading
import SnippetStorage
import SnippetTesting

/// From a closed file to the first screen, and what a list then keeps in memory.
@MainActor
package struct OpeningBenchmarks {
  let file: ListFile
  /// A thousand rows.
  let small: ListFile

  package init(file: ListFile, small: ListFile) {
    self.file = file
    self.small = small
  }

  package func run(into table: Table) async throws {
    let total = file.rowCount.formatted(.number.locale(Locale(identifier: "en")))
    let work = "open \(total) rows, first window on screen"
    let opened = try await opening()
    try table.add(TableRow(work, Quantity(opened.ours), goal: .atMost(Quantity(.milliseconds(6)))))
    try table.add(opened.row(work, against: "the same with 1,000 rows", .ratio(atMost: 2)))
    try await table.add(
      firstWindow().row(
        "first 50 rows of a new list of \(total)",
        against: "the same with 1,000 rows",
        .ratio(atMost: 2)
      )
    )
    try await table.add(
      againstIdentities().row(
        "first 50 rows of a new list of \(total)",
        against: "reading all ids, in C"
      )
    )
    if let memory = try await memory(total) { try table.add(memory) }
  }

  private func opening() async throws -> Comparison {
    var opened: (SnippetLoader, SnippetStore)?
    func show(_ file: ListFile) async throws {
      let store = try await file.open()
      var configuration = SnippetLoader.Configuration()
      configuration.countsFirst = false
      let loader = SnippetLoader(list: store.list(), store: store, configuration: configuration)
      opened = (loader, store)
      loader.listChangeHandler = { _ in }
      loader.show(visible: 0..<min(12, loader.count))
      let cells = (0..<12).map { _ in SimulatedCell() }
      for (position, cell) in cells.enumerated() { loader.bind(cell, to: position) }
      guard cells.allSatisfy({ $0.row != nil }) else { throw RawError(message: "an empty cell") }
    }
    return try await Comparison(rounds: 15) { _ in
      try await show(file)
    } others: { _ in
      try await show(small)
    } after: {
      opened?.0.close()
      try await opened?.1.close()
      opened = nil
    }
  }

  private func firstWindow() async throws -> Comparison {
    let (store, other) = (try await file.open(), try await small.open())
    let found = try Comparison { _ in
      try readFirst(of: store)
    } others: { _ in
      try readFirst(of: other)
    }
    try await store.close()
    try await other.close()
    return found
  }

  private func againstIdentities() async throws -> Comparison {
    let store = try await file.open()
    let raw = try RawDatabase(file.url.path)
    let all = try raw.prepareIndexed(ListFile.Query.identities)
    let one = try raw.prepareIndexed(ListFile.Query.row)
    let found = try Comparison(rounds: 10) { _ in
      try readFirst(of: store)
    } others: { _ in
      for identity in all.readNumbers().prefix(50) {
        one.bind(identity, at: 1)
        guard one.readRows() == 1 else { throw RawError(message: "no row") }
      }
    }
    try await store.close()
    return found
  }

  private func readFirst(of store: SnippetStore) throws {
    guard try store.list().firstPage(0..<50).rows.count == 50 else {
      throw RawError(message: "a short page")
    }
  }

  /// What the heap has grown by once a list is counted; `nil` where that cannot be told.
  private func memory(_ total: String) async throws -> TableRow? {
    let store = try await file.open()
    // SQLite's pages and statements are there from the first list on.
    guard try store.list().count == file.rowCount else { throw RawError(message: "rows") }
    let list = store.list()
    let before = allocated_byte_count()
    _ = try list.count
    let after = allocated_byte_count()
    try await store.close()
    guard before >= 0 else { return nil }
    return TableRow(
      "state of a list of \(total), for each row",
      Quantity(Double(after - before) / Double(file.rowCount), .bytes),
      against: "array of all ids",
      Quantity(8, .bytes),
      goal: .atMost(Quantity(0.5, .bytes))
    )
  }
}
