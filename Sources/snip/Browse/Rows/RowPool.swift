import SnippetLoading

/// The places on the screen that show nothing at the moment; none is ever let go of.
@MainActor
struct RowPool {
  /// How many were made because none could be used again.
  private(set) var createdCount = 0
  /// How often one was used again.
  private(set) var reusedCount = 0

  private var idle: [ObjectIdentifier: [RowView]] = [:]

  /// Takes a view that has been used before, or makes one.
  ///
  /// - Parameter type: The type of the view.
  /// - Returns: A view that nobody shows.
  mutating func view(of type: RowView.Type) -> RowView {
    if let view = idle[ObjectIdentifier(type)]?.popLast() {
      reusedCount += 1
      return view
    }
    createdCount += 1
    return type.init()
  }

  /// Takes a view back that has left the screen.
  mutating func recycle(_ view: RowView) {
    idle[ObjectIdentifier(type(of: view)), default: []].append(view)
  }
}
