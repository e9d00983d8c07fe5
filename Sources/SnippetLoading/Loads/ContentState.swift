/// The state of a content's load, with the content itself once it is here.
public enum ContentState<Content: Sendable>: Sendable {
  /// There is nothing to show.
  case idle
  /// The content is on its way.
  ///
  /// Show the stand-in until it arrives, if there is one.
  case loading(standIn: Content?, LoadProgress)
  /// The content is here.
  case loaded(Content)
  /// The load failed.
  case failed(LoadFailure)

  /// Makes the state of a load, with its content as the type of a recipe.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - recipe: The recipe of the load. If its content has another type, the state is a failure
  ///     with ``LoadError/Code/notPresentable``.
  public init(_ state: LoadState, of recipe: TypedRecipe<Content>) {
    switch state {
    case .idle: self = .idle
    case .loading(let progress):
      self = .loading(standIn: progress.standIn?.content(of: recipe), progress)
    case .loaded(let blob):
      if let content = blob.content(of: recipe) {
        self = .loaded(content)
      } else {
        let reason = "the result of “\(recipe)” is not a \(String(reflecting: Content.self))"
        self = .failed(LoadFailure(LoadError(.notPresentable, reason: reason)))
      }
    case .failed(let failure): self = .failed(failure)
    }
  }

  /// The content to show now: the content itself or its stand-in; `nil` when there is neither.
  public var content: Content? {
    switch self {
    case .idle, .failed: nil
    case .loading(let standIn, _): standIn
    case .loaded(let content): content
    }
  }
}
