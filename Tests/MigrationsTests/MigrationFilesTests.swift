import Foundation
import Migrations
import SnippetTestSupport
import Testing

struct MigrationFilesTests {
  @Test func `the folder and the list hold the same steps, byte for byte`() throws {
    let fileNames = try MigrationFolder.fileNames()

    #expect(Migrations.all.map(\.fileName) == fileNames)
    for migration in Migrations.all {
      let text = try MigrationFolder.text(of: migration.fileName)
      #expect(Array(migration.sql.utf8) == Array(text.utf8), "\(migration.fileName)")
    }
  }

  @Test func `the folder holds nothing else`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: MigrationFolder.url.path)

    #expect(names.filter { !$0.hasSuffix(".sql") } == ["Migrations.swift"])
  }

  @Test func `the steps are numbered from 1 without a gap`() {
    #expect(Migrations.all.map(\.version) == Array(1...Migrations.all.count))
    #expect(Migrations.latestVersion == Migrations.all.last?.version)
    for migration in Migrations.all {
      let number = "000\(migration.version)".suffix(4)
      #expect(migration.fileName.wholeMatch(of: /[0-9]{4}_[a-z0-9_]+\.sql/) != nil)
      #expect(migration.fileName.hasPrefix("\(number)_"))
    }
  }

  @Test func `each step ends by setting its version, and sets it nowhere else`() {
    for migration in Migrations.all {
      let statement = "PRAGMA user_version = \(migration.version);\n"
      #expect(migration.sql.hasSuffix("\n\n\(statement)"), "\(migration.fileName)")
      #expect(migration.sql.components(separatedBy: "user_version").count == 2)
    }
  }

  @Test func `no step ends its own transaction`() {
    for migration in Migrations.all {
      let words = migration.sql.matches(of: /(?m)^ *(COMMIT|ROLLBACK|VACUUM|BEGIN[ ;]).*$/)
        .map { String($0.0) }
      #expect(words == [], "\(migration.fileName)")
    }
  }
}
