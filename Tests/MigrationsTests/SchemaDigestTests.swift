import Foundation
import GRDB
import Migrations
import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SchemaDigestTests {
  private let file = TemporaryDirectory.file("built.sqlite")

  @Test(arguments: Migrations.all.map(\.version))
  func `a step tells the digest of the schema that it and those before it make`(
    version: Int
  ) async throws {
    try await MigrationFolder.build(file, upTo: version)
    let connection = try DatabaseQueue(path: file.path)

    let digest = try await connection.read { try StoreSchema.digest(of: $0) }
    let found = try await connection.read { try StoreSchema.version(of: $0) }

    #expect(Migrations.all[version - 1].schemaDigest == digest)
    #expect(found == version)
    try connection.close()
  }

  @Test func `a digest does not depend on how the file came about`() async throws {
    try await SampleContent.make(in: file)
    let vacuum = try await Shell.sqlite3(file, "PRAGMA page_size = 4096; VACUUM")
    #expect(vacuum == Shell.Output(standardOutput: ""))
    let connection = try DatabaseQueue(path: file.path)

    #expect(
      try await connection.read { try StoreSchema.version(of: $0) } == Migrations.latestVersion
    )
    try connection.close()
  }
}
