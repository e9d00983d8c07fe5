public import Foundation
public import SnippetStorage

/// A recipe together with the type of its results.
///
/// Code that shows a content names it by a typed recipe, and gets values of the type: a presenter
/// of texts gets a `String`, one of pictures a thumbnail.
///
/// ```swift
/// extension TypedRecipe<[Double]> {
///   static var chart: Self { Self(Recipe("chart")) }
/// }
/// ```
public struct TypedRecipe<Content: Sendable>: Hashable, Sendable, CustomStringConvertible {
  /// The recipe.
  public let recipe: Recipe

  /// Names the type of a recipe's results.
  ///
  /// - Parameter recipe: The recipe. Its processor attaches a value of the type; for `Data`, the
  ///   bytes that it appends are enough.
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
  /// A whole text; ``TextProcessor/whole`` computes it.
  public static var text: Self { Self(.text) }

  /// The beginning of a text; ``TextProcessor/excerpt`` computes it.
  public static var excerpt: Self { Self(.excerpt) }
}

extension LoadedBlob {
  /// The result of a recipe.
  ///
  /// - Parameter recipe: The recipe with the type.
  /// - Returns: The content; for `Data`, the bytes if nothing was attached. `nil` if it has another
  ///   type.
  public func content<Content: Sendable>(of recipe: TypedRecipe<Content>) -> Content? {
    content(as: Content.self) ?? bytes as? Content
  }
}
