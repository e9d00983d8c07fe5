import Foundation
import SnippetExchange
import SnippetStorage

/// The samples in the doc comments of the store.
enum StorageComments {
  static func opening(_ url: URL) async throws -> (SnippetRow, [SnippetRow]) {
    let store = try await SnippetStore.open(at: url)
    let milk = try await store.save(SnippetDraft(.text("Milk, eggs")))
    let newest = try store.list().rows(in: 0..<40)
    return (milk, newest)
  }

  static func followingChanges(of store: SnippetStore) async throws -> ChangeNumber {
    var known = try await store.lastChange
    // Read everything here.
    for try await batch in store.changeBatches(after: known) {
      for change in batch.changes { print(change.snippetID, change.event) }
      known = batch.next
    }
    return known
  }

  static func followingAList(_ list: SnippetList) async throws -> SnippetPage {
    let updates = list.updates()
    var page = try list.page(0..<40)
    for try await batch in updates where batch.version > page.version {
      let start = batch.position(of: page.start) ?? 0
      page = try list.page(start..<start + 40)
    }
    return page
  }

  static func keepingAList(_ list: SnippetList) async throws -> [SnippetID] {
    let updates = list.updates()
    var page = try list.page(0..<Int.max)
    var (ids, version) = (page.rows.map(\.id), page.version)
    for try await batch in updates where batch.version > version {
      if batch.apply(to: &ids, at: &version, reading: \.id) { continue }
      page = try list.page(0..<Int.max)
      (ids, version) = (page.rows.map(\.id), page.version)
    }
    return ids
  }

  static func capturing(_ microphone: Microphone, in store: SnippetStore) async throws -> SnippetRow
  {
    let capture = try await store.startCapture(title: "A thought", kind: .voice)
    while let piece = try microphone.next() { try await capture.append(piece) }
    let row = try await capture.finish()
    return row
  }

  static func searching(_ store: SnippetStore, _ field: Field) async throws -> [SearchResults] {
    let results = try await store.search("potato kind:image")
    let typed = try await store.search(SearchQuery(field.text))
    return [results, typed]
  }

  static func typing(
    _ store: SnippetStore,
    in field: Field,
    _ search: inout Task<Void, Never>?,
    show: @escaping @Sendable (any RowList) -> Void,
    report: @escaping @Sendable (SnippetStoreError) -> Void
  ) {
    search?.cancel()
    let query = SearchQuery(field.text)
    if let filter = SnippetFilter.all.narrowed(by: query) {
      show(store.list(filter))
    } else {
      search = Task {
        do throws(SnippetStoreError) {
          let results = try await store.search(query)
          if !Task.isCancelled { show(results) }
        } catch {
          if error.code != .cancelled { report(error) }  // cancelled by the next key
        }
      }
    }
  }

  static func building() -> SearchQuery {
    let query: SearchQuery =
      .words("soup") && !.tag("draft") && (.kind(.image) || .size(atLeast: 1_000_000))
    return query
  }

  static func narrowing(_ store: SnippetStore) async throws -> any RowList {
    let query = try SearchQuery(parsing: "kind:image size:>1MB -tag:draft")
    let rows: any RowList =
      if let filter = SnippetFilter.all.narrowed(by: query) {
        store.list(filter, order: .largestFirst)
      } else {
        try await store.search(query)
      }
    return rows
  }

  /// A search field.
  struct Field {
    var text: String
  }

  /// Gives what it has recorded, piece by piece.
  final class Microphone {
    private var pieces: [Data]

    init(_ pieces: [Data]) { self.pieces = pieces.reversed() }

    func next() throws -> Data? { pieces.popLast() }
  }
}

/// The samples in the articles on the store.
enum StorageArticles {
  static func pieces(of id: SnippetID, in store: SnippetStore) async throws -> Int {
    var count = 0
    for try await piece in store.pieces(of: id) { count += piece.count }
    return count
  }

  static func exchanging(
    _ vault: URL,
    with store: SnippetStore
  ) async throws -> ImportReport {
    let report = try await store.importFiles(
      at: [vault],
      options: .init(makesTagsOfFolders: true)
    )
    try await store.exportMarkdown(to: vault)
    return report
  }

  static func telling(_ vault: URL, to store: SnippetStore) async throws -> ImportReport {
    let report = try await store.importFiles(at: [vault]) { event in
      print(event.file.lastPathComponent, event.outcome, event.error?.reason ?? "")
    }
    print(report[.imported], "new,", report[.updated], "changed,", report[.failed], "failed")
    return report
  }

  static func saving(_ url: URL, in store: SnippetStore) async throws -> SnippetRow {
    let photo = try await store.save(SnippetDraft(.file(at: url), tags: ["holiday"]))
    return photo
  }

  static func searching(_ store: SnippetStore) async throws -> [SnippetRow] {
    let results = try await store.search("milk \"for the cake\"")
    let page = try results.rows(in: 0..<20)
    return page
  }

  static func explaining(_ text: String) -> String {
    do {
      let query = try SearchQuery(parsing: text)
      return "looks for \(query.text)"
    } catch {
      let wrong = error.query[error.place]
      return "\(wrong): \(error.reason). \(error.advice)"
    }
  }

  static func building() -> String {
    let query: SearchQuery = .words("soup") && !.tag("draft") && .size(atLeast: 1_000_000)
    print(query.text)  // soup -tag:draft size:>=1MB
    return query.text
  }

  static func following(_ store: SnippetStore, from file: URL) async throws {
    func follow(_ store: SnippetStore, keepingNumberIn file: URL) async throws {
      let kept = try? JSONDecoder().decode(ChangeNumber.self, from: Data(contentsOf: file))
      for try await batch in store.changeBatches(after: kept ?? ChangeNumber(rawValue: 0)) {
        if batch.hasFallenBehind { print("read everything again") }
        for change in batch.changes { print(change.snippetID, change.event) }
        try JSONEncoder().encode(batch.next).write(to: file, options: .atomic)
      }
    }
    try await follow(store, keepingNumberIn: file)
  }

  static func observing(_ store: SnippetStore) -> ChangeObservation {
    let observation = store.observeChanges { print("changed") }
    return observation
  }
}
