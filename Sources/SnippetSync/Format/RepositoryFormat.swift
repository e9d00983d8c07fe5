import Foundation
import SnippetBase

/// The mark of a repository: its object `format`, which is written once and is not encrypted.
struct RepositoryFormat: Equatable, Sendable {
  /// Increases when older versions of this package can no longer take part.
  private static let version = 1

  /// The name of the repository: 16 random bytes as small hexadecimal digits.
  let repository: String

  /// Makes that of a new repository.
  init() {
    repository = Data(SystemCrypto.randomBytes(16)).hexadecimal
  }

  /// Makes that of a repository which has lost it.
  init(of repository: String) { self.repository = repository }

  /// Reads the object.
  ///
  /// - Parameter object: The bytes.
  /// - Throws: ``SyncError/Code/newerRepository``, and ``SyncError/Code/noRepository`` for any
  ///   bytes of another kind.
  init(_ object: Data) throws(SyncError) {
    let decoder = JSONDecoder()
    guard let version = try? decoder.decode(Version.self, from: object).snippets, version > 0 else {
      throw Self.noRepository
    }
    guard version <= Self.version else {
      throw SyncError(
        .newerRepository,
        "open the repository",
        because: "it has format \(version), and this version of the app knows \(Self.version)",
        do: "Update the app on this device. Nothing was changed."
      )
    }
    guard let name = try? decoder.decode(Name.self, from: object).repository,
      name.isHexadecimal(byteCount: 16)
    else { throw Self.noRepository }
    repository = name
  }

  /// The bytes of the object.
  var object: Data { Data(#"{"snippets":\#(Self.version),"repository":"\#(repository)"}"#.utf8) }

  /// The one field that all later versions keep.
  private struct Version: Decodable {
    var snippets: Int
  }

  private struct Name: Decodable {
    var repository: String
  }

  private static let noRepository = SyncError(
    .noRepository,
    "open the repository",
    because: "its object “format” is damaged, or of another program",
    do: """
      Check the address. A store that takes part can write “format” again (snip sync check --repair).
      """
  )
}
