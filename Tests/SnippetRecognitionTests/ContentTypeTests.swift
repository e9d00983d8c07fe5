import SnippetRecognition
import Testing

struct ContentTypeTests {
  @Test(arguments: ContentType.allCases)
  func `a type is found by its media type`(type: ContentType) {
    #expect(ContentType(mediaType: type.mediaType) == type)
  }

  @Test func `types differ in media type, extension and name`() {
    let types = ContentType.allCases

    #expect(Set(types.map(\.mediaType)).count == types.count)
    #expect(Set(types.map(\.fileExtension)).count == types.count)
    #expect(Set(types.map(\.name)).count == types.count)
  }

  @Test func `every kind of snippet has a type`() {
    #expect(Set(ContentType.allCases.map(\.kind)) == Set(SnippetKind.allCases))
  }

  @Test func `an unknown media type is no type`() {
    #expect(ContentType(mediaType: "application/pdf") == nil)
    #expect(ContentType(mediaType: "") == nil)
  }
}
