import Foundation
import SnipCore
import Testing

struct StoreLocationTests {
  private struct Case: CustomTestStringConvertible {
    let name: String
    var option: String?
    var environment: [String: String] = [:]
    var platform = StoreLocation.Platform.other
    let path: String
    let origin: StoreLocation.Origin

    var testDescription: String { name }
  }

  private static let everything = [
    "SNIP_STORE": "/env.sqlite", "XDG_DATA_HOME": "/xdg", "HOME": "/home/me",
  ]

  @Test(arguments: [
    Case(
      name: "the option comes first",
      option: "mine.sqlite",
      environment: everything,
      path: "mine.sqlite",
      origin: .option
    ),
    Case(
      name: "then SNIP_STORE",
      environment: everything,
      path: "/env.sqlite",
      origin: .environment
    ),
    Case(
      name: "an empty SNIP_STORE is none, XDG_DATA_HOME is next",
      environment: everything.merging(["SNIP_STORE": ""]) { $1 },
      path: "/xdg/snip/snippets.sqlite",
      origin: .dataDirectory
    ),
    Case(
      name: "a relative XDG_DATA_HOME is ignored",
      environment: ["XDG_DATA_HOME": "data", "HOME": "/home/me"],
      path: "/home/me/.local/share/snip/snippets.sqlite",
      origin: .dataDirectory
    ),
    Case(
      name: "the home folder",
      environment: ["HOME": "/home/me/"],
      path: "/home/me/.local/share/snip/snippets.sqlite",
      origin: .dataDirectory
    ),
    Case(
      name: "a home folder at the root",
      environment: ["HOME": "/"],
      path: "/.local/share/snip/snippets.sqlite",
      origin: .dataDirectory
    ),
    Case(
      name: "the home folder of macOS",
      environment: ["HOME": "/Users/me"],
      platform: .apple,
      path: "/Users/me/Library/Application Support/snip/snippets.sqlite",
      origin: .dataDirectory
    ),
  ])
  private func `the store is where it was asked to be`(place: Case) throws {
    let location = try StoreLocation(
      option: place.option,
      environment: place.environment,
      platform: place.platform
    )

    #expect(location.path == place.path)
    #expect(location.origin == place.origin)
    #expect(!location.reason.isEmpty)
  }

  @Test func `without a name and without a home there is no store`() {
    #expect(throws: StoreLocationError.noHome) { try StoreLocation(option: nil, environment: [:]) }
    #expect(throws: StoreLocationError.noHome) {
      try StoreLocation(option: nil, environment: ["HOME": "relative"])
    }
    #expect(throws: StoreLocationError.emptyOption) {
      try StoreLocation(option: "", environment: Self.everything)
    }
  }

  @Test func `a relative path starts at the current folder`() throws {
    let location = try StoreLocation(option: "a b%20.sqlite", environment: [:])

    let folder = FileManager.default.currentDirectoryPath
    #expect(location.url.path(percentEncoded: false) == "\(folder)/a b%20.sqlite")
  }

  @Test func `only the default folder is created, for its owner alone`() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "snip-\(UUID())")
    // A folder left behind is no reason to fail.
    defer { try? FileManager.default.removeItem(at: root) }
    let folder = root.appending(path: "data").path(percentEncoded: false)

    try StoreLocation(option: "\(folder)/no/x.sqlite", environment: [:]).createFolderIfDefault()
    #expect(!FileManager.default.fileExists(atPath: folder))

    let location = try StoreLocation(option: nil, environment: ["XDG_DATA_HOME": folder])
    try location.createFolderIfDefault()
    try location.createFolderIfDefault()

    let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/snip")
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  @Test func `a folder that cannot be created is an error of its own`() throws {
    let location = try StoreLocation(option: nil, environment: ["XDG_DATA_HOME": "/dev/null"])

    let error = try #require(throws: StoreLocationError.self) {
      try location.createFolderIfDefault()
    }

    #expect(error.status == .cannotCreate)
    #expect(error.message == "could not create the folder /dev/null/snip/: Not a directory")
  }

  @Test func `a database in memory is no store`() {
    #expect(throws: StoreLocationError.inMemory) {
      try StoreLocation(option: ":memory:", environment: [:])
    }
    #expect(throws: StoreLocationError.inMemory) {
      try StoreLocation(option: nil, environment: ["SNIP_STORE": ":memory:"])
    }
    #expect(StoreLocationError.inMemory.localizedDescription.contains("in memory"))
  }
}
