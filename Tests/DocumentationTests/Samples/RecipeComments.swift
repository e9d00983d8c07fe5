import Foundation
import SnippetLoading
import SnippetStorage

extension Recipe {
  static let palette = Recipe("palette 5", version: 2)
}

extension Recipe {
  fileprivate static let negative = Recipe("negative")
}

/// The samples on recipes.
enum RecipeComments {
  struct Negative: BlobProcessor {
    let recipe = Recipe("negative")

    func process(_ input: LoadedBlob, into context: inout LoadContext) throws {
      try context.append(Data(input.bytes.map { 255 - $0 }))
    }
  }

  static func excerpts() -> RecipeRules {
    let rules = RecipeRules(processors: [TextProcessor.excerpt], recipes: [.text: [.excerpt]])
    return rules
  }

  static func negatives() -> [RecipeRules] {
    let texts = RecipeRules(processors: [TextProcessor.excerpt], recipes: [.text: [.excerpt]])
    let images = RecipeRules(
      processors: [Negative()],
      recipes: [.negative, .original]
    ) { row, range in
      row.kind == .image && range == .visible ? [.negative, .original] : [.original]
    }
    return [texts, images]
  }
}
