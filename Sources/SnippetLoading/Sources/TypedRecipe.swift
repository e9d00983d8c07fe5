public import Foundation
public import SnippetStorage

/// A recipe, and the type of what is made by it.
///
/// Whoever shows a content names it by one, and gets values of the type: a presenter of texts a
/// `String`, one of pictures a thumbnail.
///
/// ```swift
/// extension TypedRecipe<[Double]> {
///   static var chart: Self { Self(Recipe("chart")) }
/// }
/// ```
public struct TypedRecipe<Content: Sendable>: Hashable, Sendable, CustomStringConvertible {
  /// The recipe.
  public let recipe: Recipe

  /// Names the type of what a recipe makes.
  ///
  /// - Parameter recipe: The recipe. Its processor attaches a value of the type; of `Data`, the
  ///   bytes that it appends will do.
  public init(_ recipe: Recipe) {
    self.recipe = recipe
  }

  /// The recipe in words.
  public var description: String { recipe.description }
}

extension TypedRecipe<Data> {
  /// The bytes as they are.
  public static var original: Self { Self(.original) }
}

extension TypedRecipe<String> {
  /// A whole text; ``WholeText`` computes it.
  public static var text: Self { Self(.text) }

  /// The beginning of a text; ``TextExcerpt`` computes it.
  public static var excerpt: Self { Self(.excerpt) }
}

/// How far the load of a content is, with the content itself once it is here.
public enum ContentState<Content: Sendable>: Sendable {
  /// There is nothing to show.
  case idle
  /// The content is on its way. Show the stand-in meanwhile, if there is one.
  case loading(standIn: Content?, LoadProgress)
  /// The content is here.
  case loaded(Content)
  /// It failed.
  case failed(LoadFailure)

  /// The state of a load, with its content as the type of a recipe.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - recipe: The recipe of the load. Where its content is of another type, the state is a
  ///     failure with ``LoadError/Code/notPresentable``.
  public init(_ state: LoadState, of recipe: TypedRecipe<Content>) {
    switch state {
    case .idle: self = .idle
    case .loading(let progress):
      self = .loading(standIn: progress.standIn?.content(of: recipe), progress)
    case .loaded(let blob):
      if let content = blob.content(of: recipe) {
        self = .loaded(content)
      } else {
        let reason = "what “\(recipe)” makes is no \(String(reflecting: Content.self))"
        self = .failed(LoadFailure(LoadError(.notPresentable, reason: reason)))
      }
    case .failed(let failure): self = .failed(failure)
    }
  }

  /// What can be shown at once: the content, or what stands in for it; `nil` when there is neither.
  public var content: Content? {
    switch self {
    case .idle, .failed: nil
    case .loading(let standIn, _): standIn
    case .loaded(let content): content
    }
  }
}

extension LoadedBlob {
  /// What was made by a recipe.
  ///
  /// - Parameter recipe: The recipe, and so the type.
  /// - Returns: The content; of `Data`, the bytes where nothing was attached. `nil` when it is
  ///   something else.
  public func content<Content: Sendable>(of recipe: TypedRecipe<Content>) -> Content? {
    content(as: Content.self) ?? bytes as? Content
  }
}
