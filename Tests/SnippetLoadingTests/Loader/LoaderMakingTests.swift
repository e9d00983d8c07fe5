import Foundation
import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

/// What a loader needs to be made.
@MainActor
struct LoaderMakingTests {
  private func error(_ rules: RecipeRules) -> LoadError? {
    do throws(LoadError) {
      _ = try SnippetLoader(
        list: ScriptedRows(count: 10),
        pipeline: LoadPipeline(source: ScriptedSource()),
        rules: rules
      )
      return nil
    } catch {
      return error
    }
  }

  @Test func `a recipe that nobody makes is an error when the loader is made`() {
    let error = error(RecipeRules(recipes: [.image: [.numbered(3)]]))

    #expect(
      error?.description == """
        Could not load the blob: no processor makes “test 3”, and the source does not offer it. \
        Make the loader with a source or a processor that makes it.
        """
    )
    #expect(error?.isRetryable == false)
  }

  @Test func `a recipe made from what the source does not offer is one too`() {
    let rules = RecipeRules(
      processors: [FakeProcessor(1, from: .numbered(2)), FakeProcessor(2, from: .numbered(3))],
      recipes: [.image: [.numbered(1)]]
    )

    #expect(
      error(rules)?.reason == "“test 1” is made from “test 3”, which the source does not offer"
    )
  }

  @Test func `a recipe that would be made from itself is one as well`() {
    let rules = RecipeRules(
      processors: [FakeProcessor(1, from: .numbered(2)), FakeProcessor(2, from: .numbered(1))],
      recipes: [.image: [.numbered(1)]]
    )

    #expect(error(rules)?.code == .recipeUnavailable)
  }

  @Test func `what can be had is no error`() {
    let rules = RecipeRules(
      processors: [FakeProcessor(1), FakeProcessor(2, from: .numbered(1))],
      recipes: [.image: [.numbered(2), .original]]
    )

    #expect(error(rules) == nil)
  }

  // MARK: - Rows as input

  /// Draws a chart of the numbers in a title.
  private struct TitleChart: BlobProcessor {
    let recipe = Recipe("chart of a title")
    let inputs = [Recipe.row]

    func process(_ input: LoadedBlob, into context: inout LoadContext) throws {
      guard let row = input.content(as: SnippetRow.self) else { throw LoadError(.undecodable) }
      let bars = row.title.split(separator: " ").compactMap { Int($0) }
        .map { String(repeating: "#", count: $0) }
      try context.attach(bars, byteCount: 64)
    }
  }

  @Test(.temporaryDirectory)
  func `a chart is drawn from a row and drawn anew with it`() async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(SnippetDraft(.bytes(Samples.png), title: "1 3"))
    let rules = RecipeRules(
      processors: [TitleChart()],
      recipes: [.image: [Recipe("chart of a title"), .original]]
    )
    let loader = try SnippetLoader(
      list: store.list(),
      pipeline: LoadPipeline(store: store),
      rules: rules
    )
    let chart = TypedRecipe<[String]>(Recipe("chart of a title"))
    let cell = RecordingCell()
    func shown() -> [String]? {
      cell.states(of: chart.recipe).last.flatMap { LoadState($0, of: chart).content }
    }

    loader.show(visible: 0..<1)
    loader.bind(cell, to: 0)
    await loader.settled()
    #expect(shown() == ["#", "###"])
    let originals = cell.states(of: .original).count
    try await store.apply(SnippetEdit(title: "2"), to: row.id)
    loader.reloadRows()
    await loader.settled()

    #expect(shown() == ["##"])
    // The picture is the same, and is not loaded again.
    #expect(cell.states(of: .original).count == originals)
  }
}
