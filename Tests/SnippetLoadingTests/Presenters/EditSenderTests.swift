import Foundation
import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct EditSenderTests {
  private let fixture = PresenterFixture()
  private var dataSource: SnippetDataSource { fixture.dataSource }

  private func view(at position: Int) throws -> RecordingView {
    fixture.list.scroll(to: 0..<9)
    fixture.settle()
    return try #require(fixture.list[position])
  }

  @Test func `an edit is in its view at once, and is sent`() async throws {
    let view = try view(at: 1)
    view.forget()

    let sent = view.tapPin()
    #expect(view.isPinned)
    await sent?.value
    fixture.settle()

    #expect(view.isPinned)
    #expect(view.fields == [.isPinned])
    #expect(view.states == [])
    #expect(fixture.edits.performed.map(\.id.rawValue) == [2])
  }

  @Test func `an edit in one view is shown by every other that shows the snippet`() async throws {
    let view = try view(at: 0)
    let twin = NoteView()
    dataSource.present(0, in: twin)

    await view.tapPin()?.value
    fixture.settle()

    #expect(twin.isPinned)
    #expect(fixture.list[3]?.isPinned == false)
  }

  @Test func `an edit goes to what the view shows now`() async throws {
    let view = try view(at: 1)
    dataSource.present(4, in: view)

    await view.tapDelete()?.value

    #expect(fixture.edits.performed == [.init(edit: nil, id: SnippetID(rawValue: 5))])
  }

  @Test func `nothing is sent while a view shows nothing`() throws {
    let view = try view(at: 1)
    dataSource.didEndDisplaying(view)

    #expect(view.tapPin() == nil)

    #expect(fixture.edits.performed == [])
  }

  @Test(arguments: [false, true])
  func `a field that is left after its snippet follows that snippet again`(
    isReused: Bool
  ) throws {
    let view = try view(at: 0)
    view.focusTitle()
    if isReused {
      dataSource.present(3, in: view)
    } else {
      dataSource.didEndDisplaying(view)
    }
    view.leaveTitle()
    let twin = NoteView()
    dataSource.present(0, in: twin)

    fixture.replace(with: fixture.rows.rows[0].with(title: "new"))
    fixture.settle()

    #expect(twin.title == "new")
  }

  @Test func `a view that edits another snippet lets the former follow again`() throws {
    let view = try view(at: 0)
    view.focusTitle()
    dataSource.present(3, in: view)
    view.focusTitle()
    let twin = NoteView()
    dataSource.present(0, in: twin)

    fixture.replace(with: fixture.rows.rows[0].with(title: "new"))
    fixture.replace(with: fixture.rows.rows[3].with(title: "other"))
    fixture.settle()

    #expect(twin.title == "new")
    #expect(view.title != "other")
    view.leaveTitle()
    #expect(view.title == "other")
  }

  @Test func `nothing is sent without an editor`() {
    let source = SnippetDataSource(loader: ScriptedLoader(rows: .mixed(count: 9)).loader)
    source.register(NotePresenter.init, for: .text)
    var messages: [String] = []
    source.misuseHandler = { messages.append($0) }
    let view = NoteView()
    source.present(0, in: view)

    #expect(view.tapPin() == nil)
    view.focusTitle()
    #expect(messages.count == 2)
    #expect(messages.allSatisfy { $0.contains("no editor") })
  }

  @Test func `an edit that fails is reported to the owner and taken back`() async throws {
    let view = try view(at: 1)
    fixture.edits.error = LoadError(.unreadable)
    var failures: [SnippetID] = []
    dataSource.editor?.failureHandler = { edit, id, error in
      #expect(edit == nil)
      #expect(error as? LoadError == LoadError(.unreadable))
      failures.append(id)
    }
    view.forget()

    await view.tapDelete()?.value
    fixture.settle()

    #expect(failures == [SnippetID(rawValue: 2)])
    #expect(view.fields == [.deletedAt, .deletedAt])
    #expect(dataSource.row(in: view)?.deletedAt == nil)
  }

  @Test func `a view tries again what it failed to get`() throws {
    fixture.loading.source.fail(fixture.loading.key(at: 1), with: LoadError(.unreadable))
    let view = try view(at: 1)
    #expect(view.state == .failed(LoadError(.unreadable)))
    fixture.loading.source.fail(fixture.loading.key(at: 1), with: nil)

    view.tapRetry()
    fixture.settle()

    #expect(view.state == fixture.loading.bytes(at: 1))
  }

  // MARK: - With a store

  /// A data source over a store; what threads tell the main actor waits for the test.
  private func screen(of store: SnippetStore) -> (SnippetDataSource, ManualScheduler) {
    let scheduler = ManualScheduler()
    let loader = SnippetLoader(
      list: store.list(order: .oldestFirst),
      source: StoreBlobs(store),
      environment: .init(scheduler: scheduler)
    )
    let dataSource = SnippetDataSource(loader: loader, editor: SnippetEditor(store))
    dataSource.register(NotePresenter.init, for: .text)
    return (dataSource, scheduler)
  }

  @Test func `an edit goes through the store and comes back`() async throws {
    let store = try TemporaryStore.inMemory()
    try await store.save(SnippetDraft(.text("first"), createdAt: Samples.date))
    let (dataSource, scheduler) = screen(of: store)
    let view = NoteView()
    dataSource.show(visible: 0..<1)
    dataSource.present(0, in: view)
    view.forget()

    await view.tapPin()?.value
    while !view.isPinned {
      await scheduler.untilPending()
      scheduler.runAll()
    }

    #expect(Set(view.fields) == [.isPinned, .modifiedAt])
    #expect(try store.list().row(at: 0)?.isPinned == true)
    dataSource.loader.close()
  }

  @Test func `a delete through the store is a change of the list`() async throws {
    let store = try TemporaryStore.inMemory()
    for text in ["first", "second"] { try await store.save(SnippetDraft(.text(text))) }
    let (dataSource, scheduler) = screen(of: store)
    let view = NoteView()
    var changes = 0
    dataSource.changeHandler = { _ in changes += 1 }
    dataSource.show(visible: 0..<2)
    dataSource.present(0, in: view)

    await view.tapDelete()?.value
    while changes == 0 {
      await scheduler.untilPending()
      scheduler.runAll()
    }

    #expect(dataSource.count == 1)
    #expect(changes == 1)
    dataSource.loader.close()
  }

  @Test func `an edit of what is gone fails with the error of the store`() async throws {
    let store = try TemporaryStore.inMemory()
    let row = try await store.save(SnippetDraft(.text("first")))
    let (dataSource, _) = screen(of: store)
    let view = NoteView()
    dataSource.present(0, in: view)
    try await store.delete([row.id])
    var codes: [SnippetStoreError.Code] = []
    dataSource.editor?.failureHandler = { _, id, error in
      #expect(id == row.id)
      if let error = error as? SnippetStoreError { codes.append(error.code) }
    }

    await view.tapPin()?.value

    #expect(codes == [.notFound])
    dataSource.loader.close()
  }
}
