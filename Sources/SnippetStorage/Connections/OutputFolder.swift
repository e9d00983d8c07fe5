import SnippetBase

/// A folder that is about to be filled with new files, held against every store.
///
/// The folder is compared with those of the open stores once, and again when another store was
/// opened. Beyond that, only a name under which SQLite would look for a file beside a database is
/// looked at.
package struct OutputFolder {
  private let path: String
  private let identity: FileIdentity?
  /// The stores that it was compared with.
  private var stores: [String] = []
  private var hasStore = false

  /// Takes a folder that exists.
  package init(_ path: String) {
    self.path = path
    identity = FileIdentity(path: path)
  }

  /// Throws `.invalidInput` if a file with a name that is free would cost a store.
  ///
  /// The file must be made or renamed so that it replaces nothing: what has the name by then is not
  /// looked at.
  package mutating func requireNoStore(
    atNew name: String,
    during operation: String
  ) throws(SnippetStoreError) {
    let stores = OpenStoreFile.openPaths
    if stores != self.stores {
      self.stores = stores
      hasStore = stores.contains { FileIdentity(path: OutputPlace($0).folder) == identity }
    }
    guard hasStore || OutputPlace.isBesideDatabase(name) else { return }
    try OutputPlace("\(path)/\(name)").requireNoStore(during: operation)
  }
}
