#if !canImport(SwiftUI)
import SnippetLoading

/// The calls of SwiftUI that the samples make, declared as its documentation does, for systems
/// without it, and carried out as far as a test can look.

@MainActor protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension Never: View {
  var body: Never { fatalError("There is nothing to show.") }
}

@resultBuilder enum ViewBuilder {
  static func buildBlock<Content: View>(_ content: Content) -> Content { content }
}

struct Text: View {
  let text: String

  init(_ text: String) { self.text = text }
  var body: Never { fatalError("There is nothing to show.") }
}

struct List<Data: RandomAccessCollection, Content: View>: View where Data.Element: Identifiable {
  let data: Data
  let rowContent: (Data.Element) -> Content

  init(_ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Content) {
    (self.data, self.rowContent) = (data, rowContent)
  }

  var body: Never { fatalError("There is nothing to show.") }
}

/// A view that does something when it comes on screen, and when it leaves it.
struct Appearing<Content: View>: View {
  let content: Content
  var onAppear: () -> Void = {}
  var onDisappear: () -> Void = {}

  var body: Never { fatalError("There is nothing to show.") }
}

extension View {
  func onAppear(perform action: (() -> Void)? = nil) -> Appearing<Self> {
    Appearing(content: self, onAppear: action ?? {})
  }

  func onDisappear(perform action: (() -> Void)? = nil) -> Appearing<Self> {
    Appearing(content: self, onDisappear: action ?? {})
  }
}

/// Shows some rows of the samples' list, each for as long as its identity stays on screen.
@MainActor final class Screen {
  private let view: SnippetsView
  private var shown: [SnippetRowModel.ID: RowView] = [:]
  private var order: [SnippetRowModel.ID] = []

  init(_ view: SnippetsView) {
    self.view = view
  }

  /// What the rows show, from top to bottom.
  var texts: [String] {
    order.compactMap { id in shown[id].map { Self.parts(of: $0).text } }
  }

  /// Brings rows on screen, and takes all others off it.
  func show(_ positions: Range<Int>) {
    guard let list = view.body as? List<SnippetListModel.Rows, RowView> else { return }
    let rows = positions.map { list.data[$0] }
    order = rows.map(\.id)
    for (id, row) in shown where !order.contains(id) {
      shown[id] = nil
      Self.parts(of: row).disappear()
    }
    for row in rows {
      let isNew = shown.updateValue(list.rowContent(row), forKey: row.id) == nil
      if isNew { Self.parts(of: list.rowContent(row)).appear() }
    }
  }

  private static func parts(
    of row: RowView
  ) -> (text: String, appear: () -> Void, disappear: () -> Void) {
    guard let outer = row.body as? Appearing<Appearing<Text>> else { return ("", {}, {}) }
    return (outer.content.content.text, outer.content.onAppear, outer.onDisappear)
  }
}
#endif
