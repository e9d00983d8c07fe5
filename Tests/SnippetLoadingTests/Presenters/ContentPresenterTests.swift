import Foundation
import SnippetLoading
import SnippetStorage
import SnippetTesting
import Testing

/// Presenters that get their content as a type, or a model of the row.
@MainActor
struct ContentPresenterTests {
  /// What a presenter of texts shows, step by step.
  final class TextView {
    var shown: [String] = []
  }

  final class TextPresenter: ContentPresenter {
    let recipe = TypedRecipe<String>.text

    func update(_ field: SnippetField, of row: SnippetRow, in view: TextView) {
      if field == .title { view.shown.append("row \(row.id)") }
    }

    func show(_ text: LoadState<String>, in view: TextView) {
      switch text {
      case .idle: view.shown.append("nothing")
      case .loading: view.shown.append("loading, showing \(text.content ?? "nothing")")
      case .loaded(let text): view.shown.append(text)
      case .failed(let error): view.shown.append("failed: \(error.code)")
      }
    }
  }

  /// Attaches a number where its recipe is said to make text.
  private struct WrongText: BlobProcessor {
    let recipe = Recipe.text

    func process(_ input: LoadedBlob, into context: inout LoadContext) throws {
      try context.attach(7, byteCount: 8)
    }
  }

  /// Decodes by a text of its own, so that every snippet has another one.
  private struct NumberText: BlobProcessor {
    let recipe = Recipe.text

    func process(_ input: LoadedBlob, into context: inout LoadContext) throws {
      try context.attach("text of \(input.key)", byteCount: 16)
    }
  }

  private static func fixture(_ processor: any BlobProcessor) -> PresenterFixture {
    let rules = RecipeRules(processors: [processor], recipes: [.text: [.text]])
    let fixture = PresenterFixture(rules: rules)
    fixture.dataSource.register(TextPresenter.init, for: .text)
    return fixture
  }

  @Test func `a presenter of texts gets strings and nothing of the snippet before`() {
    let fixture = Self.fixture(NumberText())
    let view = TextView()

    fixture.dataSource.present(0, in: view)
    fixture.settle()
    fixture.dataSource.present(3, in: view)
    fixture.settle()

    #expect(
      view.shown == [
        "row 1", "loading, showing nothing", "text of snippet 1@1",
        "nothing", "row 4", "loading, showing nothing", "text of snippet 4@1",
      ]
    )
  }

  @Test func `an edit leaves the former text in place until the new one is here`() {
    let fixture = Self.fixture(NumberText())
    let view = TextView()
    fixture.dataSource.show(visible: 0..<3)
    fixture.dataSource.present(0, in: view)
    fixture.settle()
    view.shown = []

    fixture.replace(with: .text(1, "other", revision: 2))
    fixture.settle()

    #expect(view.shown == ["loading, showing text of snippet 1@1", "text of snippet 1@2"])
  }

  @Test func `a content of another type is a failure and no trap`() {
    let fixture = Self.fixture(WrongText())
    let view = TextView()

    fixture.dataSource.present(0, in: view)
    fixture.settle()

    #expect(view.shown.last == "failed: notPresentable")
  }

  @Test func `a view that left the screen shows nothing when it is used again`() {
    let fixture = Self.fixture(NumberText())
    let view = TextView()
    fixture.dataSource.present(0, in: view)
    fixture.settle()
    fixture.dataSource.didEndDisplaying(view)
    view.shown = []

    fixture.dataSource.present(3, in: view)

    #expect(view.shown == ["nothing", "row 4", "loading, showing nothing"])
  }

  @Test func `a presenter of what nobody loads is told of`() {
    let fixture = PresenterFixture()
    fixture.dataSource.register(TextPresenter.init, for: .text)
    var messages: [String] = []
    fixture.dataSource.misuseHandler = { messages.append($0) }

    fixture.dataSource.present(0, in: TextView())

    #expect(messages == ["a presenter shows “text”, which the rules of its loader never want"])
  }

  @Test func `the bytes of a blob are content of the original`() {
    let blob = LoadedBlob(key: LoadKey(blob: 1), bytes: Data([1, 2]))

    let state = LoadState(.loaded(blob), of: TypedRecipe<Data>.original)

    #expect(state.content == Data([1, 2]))
    #expect(LoadState(.idle, of: TypedRecipe<Data>.original).content == nil)
  }

  // MARK: - Models

  final class LineView {
    var lines: [String] = []
  }

  final class LinePresenter: ModelPresenter {
    typealias View = LineView

    var shown: String?

    func model(of row: SnippetRow) -> String { "\(row.id) \(row.title)" }

    func show(_ line: String, in view: LineView) {
      view.lines.append(line)
    }
  }

  @Test func `a model is shown when it differs and for each other snippet`() {
    let fixture = PresenterFixture()
    fixture.dataSource.register(LinePresenter.init, for: .image)
    let view = LineView()
    fixture.dataSource.show(visible: 0..<6)
    fixture.dataSource.present(1, in: view)
    fixture.settle()

    // The pin is none of what the model has.
    fixture.replace(with: .image(2).with(isPinned: true))
    fixture.settle()
    fixture.replace(with: .image(2).with(title: "new").with(isPinned: true))
    fixture.settle()
    fixture.dataSource.didEndDisplaying(view)
    fixture.dataSource.present(1, in: view)

    #expect(view.lines == ["2 ", "2 new", "2 new"])
  }

  // MARK: - Several views for a kind

  final class PinnedView {}

  final class PinnedPresenter: CellPresenter {
    func update(_ field: SnippetField, of row: SnippetRow, in view: PinnedView) {}
  }

  @Test func `rows of one kind take several views`() {
    let fixture = PresenterFixture()
    fixture.dataSource.register(PinnedPresenter.init, for: .text) { $0.isPinned }
    fixture.replace(with: .text(4, "text 4").with(isPinned: true))
    fixture.dataSource.show(visible: 0..<6)

    let pinned = SnippetDataSource.reuseIdentifier(of: PinnedView.self)
    #expect(fixture.dataSource.reuseIdentifier(at: 0) == NoteView.identifier)
    #expect(fixture.dataSource.reuseIdentifier(at: 3) == pinned)
    #expect(fixture.dataSource.present(3, in: PinnedView()) == .rowOnly)
  }

  @Test func `a row that comes to take another view is told as a reload`() {
    let fixture = PresenterFixture()
    fixture.dataSource.register(PinnedPresenter.init, for: .text) { $0.isPinned }
    var changes: [ListChange] = []
    fixture.dataSource.changeHandler = { changes.append($0) }
    fixture.dataSource.show(visible: 0..<6)
    fixture.settle()
    changes = []

    fixture.replace(with: .image(2).with(title: "the same view"))
    fixture.settle()
    #expect(changes.isEmpty)
    fixture.replace(with: .text(4, "text 4").with(isPinned: true))
    fixture.settle()

    #expect(changes.map { $0.batch == nil } == [true])
  }

  @Test func `a row that no longer fits the only presenter of its kind is told as a reload`() {
    let fixture = PresenterFixture(rows: ScriptedRows([.text(1, "text 1").with(isPinned: true)]))
    let dataSource = SnippetDataSource(loader: fixture.loader)
    dataSource.misuseHandler = { _ in }
    dataSource.register(PinnedPresenter.init, for: .text) { $0.isPinned }
    var changes: [ListChange] = []
    dataSource.changeHandler = { changes.append($0) }
    dataSource.show(visible: 0..<1)
    fixture.settle()
    changes = []

    fixture.replace(with: fixture.rows.rows[0].with(isPinned: false))
    fixture.settle()

    #expect(changes.map { $0.batch == nil } == [true])
  }

  // MARK: - Lifetimes

  final class HeldView {}

  @Test func `a presenter does not keep its view alive`() {
    let fixture = PresenterFixture()
    fixture.dataSource.register(HeldPresenter.init, for: .text)
    var view: HeldView? = HeldView()
    weak let held = view

    if let view { fixture.dataSource.present(0, in: view) }
    view = nil
    fixture.dataSource.show(visible: 0..<6)

    #expect(held == nil)
    #expect(fixture.dataSource.presenterCount == 0)
  }

  final class HeldPresenter: CellPresenter {
    func update(_ field: SnippetField, of row: SnippetRow, in view: HeldView) {}
  }
}
