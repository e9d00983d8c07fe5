import SnippetTesting
import Testing

@testable import SnippetLoading

@MainActor
struct ReuseWatchTests {
  private func watch(visibleCount: Int = 12, told: @escaping @MainActor (String) -> Void)
    -> ReuseWatch
  {
    var watch = ReuseWatch()
    watch.expectedCount = visibleCount
    watch.handler = told
    return watch
  }

  @Test func `healthy reuse says nothing`() {
    var messages: [String] = []
    var watch = watch { messages.append($0) }

    for _ in 0..<12 { watch.use(isNew: true) }
    for _ in 0..<10_000 { watch.use(isNew: false) }

    #expect(messages == [])
  }

  @Test func `broken reuse says so once`() {
    var messages: [String] = []
    var watch = watch { messages.append($0) }

    for _ in 0..<60 { watch.use(isNew: true) }
    #expect(messages == [])
    for _ in 0..<1_000 { watch.use(isNew: true) }

    #expect(messages.count == 1)
    #expect(
      messages.first?.contains("61 of SnippetTesting.RecordingCell were made, 0 reused") == true
    )
  }

  @Test func `one kind of cell that is not reused is found among others that are`() {
    final class PhotoCell {}
    var messages: [String] = []
    var watch = watch { messages.append($0) }

    for _ in 0..<1_000 {
      watch.use(isNew: false)
      watch.use(isNew: true, of: PhotoCell.self)
    }

    #expect(messages.count == 1)
    #expect(messages.first?.contains("PhotoCell") == true)
  }

  @Test func `a large screen may fill five times before anything is said`() {
    var messages: [String] = []
    var watch = watch(visibleCount: 100) { messages.append($0) }

    for _ in 0..<500 { watch.use(isNew: true) }
    #expect(messages == [])
    watch.use(isNew: true)

    #expect(messages.count == 1)
  }

  @Test func `a large screen that is filled before its size is known is no fault`() {
    let fixture = PresenterFixture()
    var messages: [String] = []
    fixture.dataSource.brokenReuseHandler = { messages.append($0) }

    // A table asks for its first views before it says what is visible, and shows none for a while.
    let views = (0..<100).map { _ in NoteView() }
    for view in views { fixture.dataSource.present(0, in: view) }
    fixture.dataSource.show(visible: 0..<100)
    fixture.dataSource.show(visible: 0..<0)
    let another = NoteView()
    fixture.dataSource.present(0, in: another)

    #expect(messages == [])
    withExtendedLifetime(views) { #expect(fixture.dataSource.presenterCount == 101) }
  }

  @Test func `a host that keeps many more views than are on screen makes them all first`() {
    let fixture = PresenterFixture()
    var messages: [String] = []
    fixture.dataSource.brokenReuseHandler = { messages.append($0) }
    fixture.dataSource.show(visible: 0..<9)
    fixture.dataSource.expect(viewCount: 200)

    for _ in 0..<1_000 { fixture.dataSource.present(0, in: NoteView()) }
    #expect(messages == [])
    fixture.dataSource.present(0, in: NoteView())

    #expect(messages.count == 1)
  }

  @Test func `the data source tells of views that are made over and over`() {
    let fixture = PresenterFixture()
    var messages: [String] = []
    fixture.dataSource.brokenReuseHandler = { messages.append($0) }
    fixture.dataSource.show(visible: 0..<9)

    for _ in 0..<100 { fixture.dataSource.present(0, in: NoteView()) }

    #expect(messages.count == 1)
  }

  /// Whether this build is stopped by an assertion, which an optimized one is not.
  private nonisolated static var stopsAtAssertions: Bool {
    var stops = false
    assert(
      {
        stops = true
        return true
      }()
    )
    return stops
  }

  @Test(.enabled(if: stopsAtAssertions))
  func `by default broken reuse stops a debug build`() async {
    await #expect(processExitsWith: .failure) {
      await MainActor.run {
        var watch = ReuseWatch()
        watch.expectedCount = 10
        for _ in 0..<100 { watch.use(isNew: true) }
      }
    }
  }
}

extension ReuseWatch {
  /// Notes a use, and calls the handler as the owner of the watch does.
  fileprivate mutating func use(
    isNew: Bool,
    of viewType: AnyObject.Type = RecordingCell.self
  ) {
    if let message = note(viewType, isNew: isNew) { handler(message) }
  }
}
