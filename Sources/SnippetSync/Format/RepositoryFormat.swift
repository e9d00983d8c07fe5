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

  /// Reads the object.
  ///
  /// - Parameter object: The bytes.
  /// - Throws: ``SyncError/Code/newerRepository``, and ``SyncError/Code/noRepository`` for any
  ///   bytes of another kind.
  init(_ object: Data) throws(SyncError) {
    guard let fields = try? JSONDecoder().decode(Fields.self, from: object), fields.snippets > 0
    else { throw Self.noRepository }
    guard fields.snippets <= Self.version else {
      throw SyncError(
        .newerRepository,
        "open the repository",
        because: "it has format \(fields.snippets), and this version knows \(Self.version)",
        do: "Update the app on this device. Nothing was changed."
      )
    }
    guard let repository = fields.repository, repository.isHexadecimal(byteCount: 16) else {
      throw Self.noRepository
    }
    self.repository = repository
  }

  /// The bytes of the object.
  var object: Data { Data(#"{"snippets":\#(Self.version),"repository":"\#(repository)"}"#.utf8) }

  private struct Fields: Decodable {
    var snippets: Int
    var repository: String?
  }

  private static let noRepository = SyncError(
    .noRepository,
    "open the repository",
    because: "its object “format” is damaged, or of another program",
    do: "Check the address, or restore “format” from a copy of the repository."
  )
}
