#if GTK
import CGTK
import CSnippetGTK
import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetGTK

/// What GTK demands of a list model, and what a user demands of a selection.
@MainActor
@Suite(.seeded, .temporaryDirectory, .timeLimit(.minutes(30)))
struct SnippetGListModelTests {
  /// Knows the items of a model by what it was told, as a view of GTK does.
  @MainActor
  private final class Watcher {
    let model: SnippetGListModel
    /// The items, each held once it was asked for.
    var items: [OpaquePointer?]
    var changeCount = 0
    var violations: [String] = []
    /// Called before items are asked for.
    var interruption: (() -> Void)?

    init(_ model: SnippetGListModel) {
      self.model = model
      items = Array(repeating: nil, count: Int(g_list_model_get_n_items(model.pointer)))
      onSignal("items-changed", of: model.pointer) { [weak self] signal in
        self?.itemsChanged(signal.number(1), signal.number(2), signal.number(3))
      }
    }

    isolated deinit { for item in items { release(item) } }

    private func release(_ item: OpaquePointer?) {
      if let item { g_object_unref(UnsafeMutableRawPointer(item)) }
    }

    private func itemsChanged(_ position: Int, _ removed: Int, _ added: Int) {
      changeCount += 1
      guard position + removed <= items.count else {
        return violations.append("Rows beyond the end go.")
      }
      if removed + added == 0 { violations.append("Nothing changes.") }
      let gone = items[position..<position + removed]
      let known = gone.compactMap(\.self)
      if Set(known).count != known.count { violations.append("An item was at two positions.") }
      items.replaceSubrange(
        position..<position + removed,
        with: repeatElement(nil, count: added)
      )
      if Int(g_list_model_get_n_items(model.pointer)) != items.count {
        violations.append("The model has another number of rows than it told.")
      }
      interruption?()
      // A view binds what is new before it lets go of what is gone.
      for place in position..<min(items.count, position + added + 40) { _ = item(at: place) }
      for item in gone { release(item) }
    }

    func item(at place: Int) -> OpaquePointer? {
      if items[place] == nil {
        items[place] = g_list_model_get_item(model.pointer, guint(place)).map { OpaquePointer($0) }
      }
      return items[place]
    }

    func id(at place: Int) -> Int64 {
      item(at: place).map { snippet_item_identifier(UnsafeMutableRawPointer($0)) } ?? 0
    }

    var selectedIDs: Set<Int64> { Set(model.selectedPositions.map(id)) }
  }

  @Test(arguments: [10, 60, 900])
  func `whatever becomes of the rows, GTK knows each of them and the selection follows`(
    _ greatestCount: Int
  ) {
    var random = SeededGenerator()
    for _ in 0..<(greatestCount > 100 ? 3 : 20) {
      let rows = ScriptedRows(count: random.below(greatestCount))
      let fixture = ScriptedLoader(rows: rows)
      let model = SnippetGListModel(fixture.loader)
      fixture.settle()
      let watcher = Watcher(model)
      var lastID: Int64 = 1_000_000
      for _ in 0..<30 {
        for _ in 0..<random.below(3) where model.count > 0 {
          gtk_selection_model_select_item(model.pointer, guint(random.below(model.count)), 0)
        }
        let selected = watcher.selectedIDs
        for _ in 0..<1 + random.below(3) { rows.rows.edit(&lastID, &random) }
        let start = random.below(model.count + 1)
        fixture.loader.show(visible: start..<start + 10)
        // Others go on while GTK is told.
        var isInterrupted = random.chance(0.5)
        watcher.interruption = {
          if isInterrupted { rows.rows.edit(&lastID, &random) }
          isInterrupted = false
        }
        rows.announce()
        fixture.settle()
        watcher.interruption = nil
        rows.announce()
        fixture.settle()

        let ids = rows.rows.map(\.id.rawValue)
        #expect(watcher.violations == [])
        #expect(watcher.items.count == ids.count)
        guard watcher.violations.isEmpty, watcher.items.count == ids.count else { return }
        for _ in 0..<50 where !ids.isEmpty {
          let place = random.below(ids.count)
          #expect(watcher.id(at: place) == ids[place])
        }
        #expect(watcher.selectedIDs == selected.intersection(ids))
      }
    }
  }

  @Test func `a row that GTK holds is the same item when it has moved`() throws {
    let rows = ScriptedRows(count: 20)
    let fixture = ScriptedLoader(rows: rows)
    let model = SnippetGListModel(fixture.loader)
    let watcher = Watcher(model)
    let item = watcher.item(at: 3)

    rows.rows.swapAt(3, 9)
    rows.announce()
    fixture.settle()

    #expect(watcher.item(at: 9) == item)
    #expect(watcher.changeCount == 1)
  }

  @Test func `the items of a long list are those that GTK holds`() {
    let fixture = ScriptedLoader(rows: ScriptedRows(count: 20_000))
    let model = SnippetGListModel(fixture.loader)
    fixture.settle()
    let first = g_list_model_get_item(model.pointer, 5)
    g_object_unref(first)

    for place in stride(from: 0, to: 20_000, by: 500) {
      let item = g_list_model_get_item(model.pointer, guint(place))
      #expect(snippet_item_identifier(item!) == fixture.rows.rows[place].id.rawValue)
      g_object_unref(item)
    }

    #expect(snippet_list_item_count(model.pointer) == 0)
  }

  @Test func `a list is counted at once for a jump to its end`() {
    let rows = ScriptedRows(count: 5_000)
    rows.countedAhead = 100
    let fixture = ScriptedLoader(rows: rows) { $0.countsFirst = false }
    let model = SnippetGListModel(fixture.loader)
    let watcher = Watcher(model)
    #expect(watcher.items.count < 5_000)

    model.countAll()

    #expect(model.isCounted && watcher.items.count == 5_000)
    #expect(watcher.id(at: 4_999) == rows.rows[4_999].id.rawValue)
    fixture.settle()
    #expect(watcher.violations == [] && watcher.items.count == 5_000)
  }

  @Test func `another list keeps what was selected, where it has it`() async throws {
    let store = try TemporaryStore.inMemory()
    for number in 0..<10 {
      try await store.save(
        SnippetDraft(.text("Note \(number)"), tags: number % 2 == 0 ? ["even"] : [])
      )
    }
    let loader = SnippetLoader(list: store.list(), store: store)
    let model = SnippetGListModel(loader)
    let watcher = Watcher(model)
    model.select(1)
    let selected = watcher.selectedIDs

    model.show(store.list(SnippetFilter(tags: ["even"])))
    #expect(model.count == 5)
    #expect(watcher.violations == [])
    let isEven = watcher.selectedIDs == selected
    #expect(isEven || watcher.selectedIDs.isEmpty)

    model.show(store.list(SnippetFilter(), order: .oldestFirst))
    #expect(model.count == 10)
    #expect(watcher.selectedIDs == (isEven ? selected : []))
    loader.close()
  }

  @Test func `a model that is gone asks nobody, and GTK may hold it still`() {
    let fixture = ScriptedLoader(rows: ScriptedRows(count: 20))
    var model: SnippetGListModel? = SnippetGListModel(fixture.loader)
    let pointer = model!.pointer
    g_object_ref(UnsafeMutableRawPointer(pointer))
    #expect(g_list_model_get_n_items(pointer) == 20)

    model = nil

    #expect(g_list_model_get_n_items(pointer) == 0)
    #expect(g_list_model_get_item(pointer, 0) == nil)
    g_object_unref(UnsafeMutableRawPointer(pointer))
  }
}
#endif
