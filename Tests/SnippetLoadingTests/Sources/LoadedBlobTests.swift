import Foundation
@testable import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

struct LoadedBlobTests {
  private let key = LoadKey(blob: 1)

  @Test func `content is had as its own type and as no other`() {
    let blob = LoadedBlob(key: key, bytes: Data(), content: "text", byteCount: 4)

    #expect(blob.content(as: String.self) == "text")
    #expect(blob.content(as: Int.self) == nil)
    #expect(LoadedBlob(key: key, bytes: Data()).content(as: String.self) == nil)
  }

  @Test(arguments: [
    (Data("Grün und weiß, für alle Fälle".utf8), "Grün und"),
    (Data([0xFF, 0xFE, 0x47, 0, 0x72, 0, 0xFC, 0, 0x6E, 0]), "Grün"),
    (Data(), ""),
  ])
  func `the beginning of a text is decoded whatever its encoding`(
    bytes: Data,
    excerpt: String
  ) throws {
    let recipe = Recipe.numbered(5)
    let excerpts = TextProcessor(recipe, maximumCharacterCount: 8)
    var context = LoadContext()

    try excerpts.process(LoadedBlob(key: key, bytes: bytes), into: &context)

    #expect(excerpts.recipe == recipe)
    #expect(context.take(for: key).content(as: String.self) == excerpt)
  }

  @Test func `bytes that are no text have no beginning`() {
    var context = LoadContext()
    let picture = LoadedBlob(key: key, bytes: Samples.png)

    var code: LoadError.Code?
    do {
      try TextProcessor.excerpt.process(picture, into: &context)
    } catch let error as LoadError {
      code = error.code
    } catch {}

    #expect(code == .undecodable)
  }
}
