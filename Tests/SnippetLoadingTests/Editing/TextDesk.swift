import Foundation
import SnippetBase
import SnippetStorage
import SnippetTesting
import Testing

@testable import SnippetLoading

/// Tests of texts that are edited while another program may change them.
@MainActor
protocol TextDeskSuite {
  var desk: TextDesk { get }
  /// Another store on the same file, as another program has it.
  var others: SnippetStore { get }
}

extension TextDeskSuite {
  var store: SnippetStore { desk.store }
  var editor: SnippetTextEditor { desk.editor }

  func save(_ text: String) async throws -> SnippetID {
    try await store.save(SnippetDraft(.text(text), title: "Title", tags: ["tag"])).id
  }
}

/// An editor of texts whose pauses and looks at the store happen when a test says so.
@MainActor
final class TextDesk {
  let store: SnippetStore
  let texts: HeldTexts
  let commands: SnippetEditor
  let clock = ManualClock()
  private(set) var shown: [String] = []
  private(set) var failures: [SnippetStoreError.Code] = []
  private let scheduler = ManualScheduler()
  private let isFollowing = Lock(false)
  private let timer: ManualTimer
  private var made: SnippetTextEditor?
  private var waiting: [(isSo: () -> Bool, waiter: CheckedContinuation<Void, Never>)] = []

  init(
    _ store: SnippetStore,
    completing complete: (@Sendable (SnippetEdit, SnippetID) async throws -> SnippetEdit)? = nil
  ) throws {
    self.store = store
    texts = HeldTexts(StoreTexts(store: store, complete: complete))
    commands = SnippetEditor(store)
    timer = ManualTimer(clock: clock)
    var environment = LoaderEnvironment()
    environment.wake = { [timer] delay, work in timer.schedule(after: delay, work) }
    let soon = environment.schedule
    environment.schedule = { [scheduler, isFollowing] work in
      if isFollowing.withLock({ $0 }) { soon(work) } else { scheduler.schedule(work) }
    }
    let editor = SnippetTextEditor(
      texts,
      keeping: UnsavedTexts(of: store),
      editor: commands,
      pause: .milliseconds(500),
      environment: environment
    )
    editor.textHandler = { [weak self] text in
      self?.shown.append(text)
      self?.wakeWaiters()
    }
    editor.stateHandler = { [weak self] _ in self?.wakeWaiters() }
    editor.failureHandler = { [weak self] _, error in
      self?.failures.append((error as? SnippetStoreError)?.code ?? .failed)
    }
    made = editor
  }

  var editor: SnippetTextEditor {
    guard let made else { preconditionFailure("The desk has ended.") }
    return made
  }

  /// The files of kept texts.
  var files: [String] {
    guard let path = store.url?.path else { return [] }
    let folder = (path as NSString).deletingLastPathComponent
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.map { (folder as NSString).appendingPathComponent($0) }
      .filter { $0.hasPrefix("\(path)-unsaved") }.sorted()
  }

  /// Lets a person pause.
  func pause() {
    clock.advance(by: .milliseconds(500))
    runDue()
  }

  func runDue() {
    timer.runDue()
    scheduler.runAll()
  }

  /// Whether the editor looks at the store after each change, and not only when a test says so.
  var looksByItself: Bool {
    get { isFollowing.withLock { $0 } }
    set { isFollowing.withLock { $0 = newValue } }
  }

  func reach(_ state: SnippetTextEditor.State) async {
    await until { [weak self] in self?.made?.state == state }
  }

  func untilShown(_ text: String) async {
    await until { [weak self] in self?.shown.last == text }
  }

  private func until(_ isSo: @escaping () -> Bool) async {
    guard !isSo() else { return }
    await withCheckedContinuation { waiting.append((isSo, $0)) }
  }

  private func wakeWaiters() {
    let ready = waiting.filter { $0.isSo() }
    waiting.removeAll { $0.isSo() }
    for (_, waiter) in ready { waiter.resume() }
  }

  /// Ends the editor, as the end of its process does.
  func end() async {
    weak let ending = made
    made = nil
    while ending != nil { await Task.yield() }
  }
}

/// The texts of a store, whose saves are held or fail when a test says so.
final class HeldTexts: EditedTexts {
  private struct State {
    var gate: Gate?
    var held = Gate()
    var failure: SnippetStoreError?
    var savedTexts: [String] = []
  }

  private let texts: StoreTexts
  private let state = Lock(State())

  init(_ texts: StoreTexts) { self.texts = texts }

  /// The texts that were saved, in their order.
  var savedTexts: [String] { state.withLock(\.savedTexts) }

  /// The reason why saves fail.
  var failure: SnippetStoreError? {
    get { state.withLock(\.failure) }
    set { state.withLock { $0.failure = newValue } }
  }

  /// Holds saves from now on.
  func hold() {
    state.withLock { ($0.gate, $0.held) = (Gate(), Gate()) }
  }

  func untilHeld() async { await state.withLock(\.held).untilOpen() }

  func release() {
    state.withLock { state in
      defer { state.gate = nil }
      return state.gate
    }?.open()
  }

  func find(_ id: SnippetID) async throws -> (row: SnippetRow, text: String)? {
    try await texts.find(id)
  }

  func row(_ id: SnippetID) throws -> SnippetRow? { try texts.row(id) }

  func save(
    _ text: String,
    of id: SnippetID,
    at revision: Int64,
    bringsBack: Bool,
    keepingTags keys: Set<[UInt8]>
  ) async throws -> (edit: SnippetEdit, outcome: EditOutcome) {
    let (gate, held) = state.withLock { ($0.gate, $0.held) }
    held.open()
    await gate?.untilOpen()
    if let failure { throw failure }
    let saved = try await texts.save(
      text,
      of: id,
      at: revision,
      bringsBack: bringsBack,
      keepingTags: keys
    )
    state.withLock { $0.savedTexts.append(text) }
    return saved
  }

  func saveAsNew(_ text: String, title: String?, tags: [String]) async throws -> SnippetRow {
    try await texts.saveAsNew(text, title: title, tags: tags)
  }

  func observe(_ handler: @escaping @Sendable () -> Void) -> AnyObject? {
    texts.observe(handler)
  }
}
