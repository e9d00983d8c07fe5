#if GTK
import CGTK
import Foundation
import SnippetGTK
import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import Testing

/// The list of the article on GTK, as it stands there, in this process.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct TitleListTests {
  private func titles(in list: SnippetListView) -> [String] {
    sequence(first: gtk_widget_get_first_child(list.widget)) { gtk_widget_get_next_sibling($0) }
      .prefix { $0 != nil }
      .filter { gtk_widget_get_child_visible($0) != 0 }
      .compactMap { row in gtk_widget_get_first_child(gtk_widget_get_first_child(row)) }
      .map { String(cString: gtk_label_get_text(OpaquePointer($0))) }
  }

  @Test func `a main loop within a task ends the program with the reason`() async throws {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        GTKMainLoop.attachMainActor()
        while g_main_context_iteration(nil, 0) != 0 {}
      }
    }
    let words = String(decoding: end?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("The main loop runs within a task"), "\(words)")
  }

  @Test func `heights are those of the presenters that are registered`() throws {
    let store = try TemporaryStore.open()
    let dataSource = SnippetDataSource(list: store.list(), store: store)
    dataSource.register(TitlePresenter.init, for: .voice)

    #expect(dataSource.registeredKinds == [.voice])
    #expect(dataSource.designedHeight(for: .voice) == 32)
  }

  @Test func `it shows titles, and what others change`() async throws {
    let display = try VirtualDisplay((400, 500))
    setenv("DISPLAY", display.name, 1)
    setenv("GDK_BACKEND", "x11", 1)
    setenv("GSK_RENDERER", "cairo", 1)
    try #require(gtk_init_check() != 0)
    let store = try TemporaryStore.open()
    try await store.save(contentsOf: (1...50).map { SnippetDraft(.text("Note \($0)")) })

    let list = showTitles(of: store)
    func untilTitles(_ what: String, are expected: [String]) async throws {
      try await until(what, within: .seconds(120)) {
        while g_main_context_iteration(nil, 0) != 0 {}
        return titles(in: list).starts(with: expected)
      }
    }
    try await untilTitles("the titles are there", are: ["Note 50", "Note 49", "Note 48"])
    #expect(list.visible.lowerBound == 0)
    #expect(list.createdCount <= 3 * list.visible.count + 2)

    try await store.save(SnippetDraft(.text("Note 51")))
    let second = try #require(try store.list().row(at: 1))
    try await store.delete([second.id])
    try await untilTitles("the change is there", are: ["Note 51", "Note 49", "Note 48"])
    withExtendedLifetime(display) {}
  }
}
#endif
