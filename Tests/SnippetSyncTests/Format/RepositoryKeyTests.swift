import Foundation
import SnippetBase
import Testing

@testable import SnippetSync

struct RepositoryKeyTests {
  private let sha256 = ContentHash.of(Data("Milk\n".utf8))

  /// Once a repository is written, these may never change.
  @Test func `names and codes follow from the key`() throws {
    let key = try FormatFixture.key

    #expect(
      key.blobName(sha256: sha256, generation: 2, part: 7).rawValue
        == "blob/b9/b9f2e5c3e0b5c212ecc279afbe2ecc8b.2-7"
    )
    #expect(
      key.code(of: Data("Milk\n".utf8)).hexadecimal
        == "98437000cc07e37076bf974d70d174b340dae6a06fe1b93bff6d8410be6a31a1"
    )
  }

  @Test func `names tell nothing to those without the key`() throws {
    let name = RepositoryKey(AgeIdentity()).blobName(sha256: sha256, generation: 2, part: 7)

    #expect(try name != FormatFixture.key.blobName(sha256: sha256, generation: 2, part: 7))
  }

  @Test func `an object has at most 8 MiB before it is sealed`() throws {
    let key = try FormatFixture.key
    let name = key.blobName(sha256: sha256, generation: 1, part: 0)
    let content = Data(count: RepositoryKey.contentLimit)

    let object = try key.seal(content, as: name)

    #expect(object.count == 8_390_840)
    #expect(object.count <= RepositoryKey.objectLimit)
    #expect(try key.open(object, named: name) == content)
    #expect(syncError { try key.seal(content + [0], as: name) }?.code == .invalidInput)
    let larger = AgeFile.seal(Data(count: RepositoryKey.objectLimit), to: key.identity.recipient)
    #expect(
      syncError { try key.open(larger, named: name) }?.reason == "it is larger than any object"
    )
  }
}
