import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct RefusedFileTests {
  @Test(arguments: RefusedFile.all)
  func `what is no store is refused with what to do, and left as it is`(
    file: RefusedFile
  ) async throws {
    let url = TemporaryDirectory.file("store.sqlite")
    try await file.make(url)
    let before = try await FileSystem.hashes()

    for access in file.access {
      let error = #expect(throws: SnippetStoreError.self) {
        try SnippetStore(at: url, configuration: .init(access: access))
      }

      #expect(error?.code == file.code)
      let text = error?.description.replacingOccurrences(of: url.path, with: "PATH")
      #expect(text == "Could not open the store PATH: \(file.text)")
      #expect(error?.isRetryable == false)
    }
    let after = try await FileSystem.hashes()
    #expect(before == after)
  }

  @Test func `what is no store is refused where it lies`() throws {
    let error = #expect(throws: SnippetStoreError.self) {
      try SnippetStore(at: URL(fileURLWithPath: "/dev/null"))
    }

    #expect(
      error?.description == """
        Could not open the store /dev/null: it is not a regular file. Give the path of a file.
        """
    )
  }

  #if !os(iOS)
  @Test func `a file that may not be read is refused with what to do`() async throws {
    let url = TemporaryDirectory.file("store.sqlite")
    try await SnippetStore(at: url).close()
    try FileSystem.setMode(0o000, of: url.path)

    await #expect(processExitsWith: .success) { [path = url.path as String] in
      FileSystem.dropPrivileges()
      for access in [SnippetStore.Configuration.Access.readWriteCreate, .readWrite, .readOnly] {
        let error = #expect(throws: SnippetStoreError.self) {
          try SnippetStore(at: URL(fileURLWithPath: path), configuration: .init(access: access))
        }
        #expect(
          error?.description == """
            Could not open the store \(path): SQLite cannot open the file. Check the permissions \
            of it and its folder.
            """
        )
        #expect(error?.code == .unreadable)
      }
    }
  }

  @Test func `a folder that may not be written takes no new store`() async throws {
    let folder = TemporaryDirectory.current.url.path
    try FileSystem.setMode(0o555, of: folder)

    await #expect(processExitsWith: .success) { [folder = folder as String] in
      FileSystem.dropPrivileges()
      let error = #expect(throws: SnippetStoreError.self) {
        try SnippetStore(at: URL(fileURLWithPath: folder + "/store.sqlite"))
      }
      #expect(
        error?.description == """
          Could not open the store \(folder)/store.sqlite: \(folder)/store.sqlite: Permission \
          denied. Check that the folder exists and can be written.
          """
      )
      #expect(error?.code == .cannotCreate)
    }
    try FileSystem.setMode(0o755, of: folder)
  }
  #endif
}
