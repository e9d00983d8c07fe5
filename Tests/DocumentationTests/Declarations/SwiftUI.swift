#if !canImport(SwiftUI)
/// The calls of SwiftUI that the samples make, declared as its documentation does, for systems
/// without it. They are compiled only.

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
  init(_ text: String) {}
  var body: Never { fatalError("There is nothing to show.") }
}

struct List<Data: RandomAccessCollection, Content: View>: View {
  init<ID: Hashable>(
    _ data: Data,
    id: KeyPath<Data.Element, ID>,
    @ViewBuilder rowContent: @escaping (Data.Element) -> Content
  ) {}
  var body: Never { fatalError("There is nothing to show.") }
}

@propertyWrapper struct State<Value> {
  var wrappedValue: Value
}

extension View {
  func onAppear(perform action: (() -> Void)? = nil) -> some View { self }
  func onDisappear(perform action: (() -> Void)? = nil) -> some View { self }
  func onChange<Value: Equatable>(of value: Value, _ action: @escaping () -> Void) -> some View {
    self
  }
}
#endif
