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
  /// The unchanged bytes.
  public static var original: Self { Self(.original) }
}

extension TypedRecipe<String> {
  /// A whole text; ``WholeText`` computes it.
  public static var text: Self { Self(.text) }

  /// The beginning of a text; ``TextExcerpt`` computes it.
  public static var excerpt: Self { Self(.excerpt) }
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
