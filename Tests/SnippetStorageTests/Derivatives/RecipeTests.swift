import Foundation
import SnippetStorage
import Testing

struct RecipeTests {
  @Test func `a recipe is its name and version, wherever it is made`() {
    let recipe = Recipe("palette", version: 2)

    #expect(recipe == Recipe("palette", version: 2))
    #expect(recipe != Recipe("palette") && recipe != Recipe("palettes", version: 2))
    #expect(recipe.name == "palette" && recipe.version == 2)
    #expect("\(recipe)" == "palette (version 2)" && "\(Recipe("palette"))" == "palette")
    #expect(Set([recipe, Recipe("palette", version: 2), Recipe("palette")]).count == 2)
  }

  @Test func `the original is a recipe like any other`() {
    #expect(Recipe.original == Recipe("original"))
    #expect(Recipe.original.name == "original" && Recipe.original.version == 1)
    #expect(Recipe.original.number == 0)
  }

  @Test func `a name is one line of at most 100 characters`() {
    #expect(Recipe("two\nlines\0").name == "two lines ")
    #expect(Recipe("").name == "unnamed")
    #expect(Recipe(String(repeating: "a", count: 200)).name.count == 100)
  }

  @Test func `recipes named at the same time never share a number`() async {
    let numbers = await withTaskGroup(of: [UInt32].self) { group in
      for _ in 0..<4 {
        group.addTask { (0..<200).map { Recipe("at the same time \($0)").number } }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }

    #expect(Set(numbers).count == 1)
    #expect(Set(numbers[0]).count == 200)
  }

  @Test func `a recipe is coded by its name and version`() throws {
    let recipe = Recipe("palette", version: 3)

    let data = try JSONEncoder().encode(recipe)

    #expect(try JSONDecoder().decode(Recipe.self, from: data) == recipe)
    let unversioned = Data(#"{"name":"palette"}"#.utf8)
    #expect(try JSONDecoder().decode(Recipe.self, from: unversioned) == Recipe("palette"))
  }
}
