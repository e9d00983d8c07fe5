package import Foundation

/// The file of the snippets, and who chose it.
package struct StoreLocation: Equatable, Sendable {
  /// Who chose the file.
  package enum Origin: Equatable, Sendable {
    /// The option `--store`.
    case option

    /// The environment variable `SNIP_STORE`.
    case environment

    /// The default: the file in the user's data directory.
    case dataDirectory
  }

  /// The system whose conventions give the place of a user's data.
  package enum Platform: Sendable {
    case apple
    case other

    /// The system this program was built for.
    package static var current: Platform {
      #if canImport(Darwin)
      .apple
      #else
      .other
      #endif
    }
  }

  /// The path of the file, as given or absolute.
  package let path: String

  /// Who chose it.
  package let origin: Origin

  /// Where a relative path starts; `nil` is the current folder.
  private let folder: URL?

  /// Finds the file: the option, else `SNIP_STORE`, else `snip/snippets.sqlite` in the data
  /// directory.
  ///
  /// The data directory is `XDG_DATA_HOME`, else `~/Library/Application Support` on Apple platforms
  /// and `~/.local/share` on others. Empty variables count as not set, and so does an
  /// `XDG_DATA_HOME` that is not absolute, as its specification asks. Nothing is created.
  ///
  /// - Parameters:
  ///   - option: The value of `--store`, if it was given.
  ///   - environment: The environment variables.
  ///   - platform: The system whose conventions apply. The default is the one this was built for.
  ///   - folder: Where a relative path starts. The default is the current folder.
  /// - Throws: ``StoreLocationError``
  package init(
    option: String?,
    environment: [String: String],
    platform: Platform = .current,
    folder: URL? = nil
  ) throws(StoreLocationError) {
    if let option {
      guard !option.isEmpty else { throw .emptyOption }
      let path = try Self.file(option, environment)
      self.init(path: path, origin: .option, folder: folder)
    } else if let path = environment["SNIP_STORE"], !path.isEmpty {
      let file = try Self.file(path, environment)
      self.init(path: file, origin: .environment, folder: folder)
    } else {
      let folder = try Self.dataDirectory(environment: environment, platform: platform)
      self.init(path: "\(folder)/snip/snippets.sqlite", origin: .dataDirectory)
    }
  }

  private static func file(
    _ path: String,
    _ environment: [String: String]
  ) throws(StoreLocationError) -> String {
    // To SQLite it is no file, and each command would have an empty store of its own.
    guard path != ":memory:" else { throw .inMemory }
    return HomePath.expanded(path, environment)
  }

  private init(path: String, origin: Origin, folder: URL? = nil) {
    self.path = path
    self.origin = origin
    self.folder = folder
  }

  /// The file as a URL; a relative path starts at the current folder.
  package var url: URL {
    let path = TypedPath.followed(path, from: folder)
    return URL(filePath: path, directoryHint: .notDirectory, relativeTo: folder)
  }

  /// The sample library: in a file of its own, unless the user has named one.
  package var ofDemo: StoreLocation {
    guard origin == .dataDirectory else { return self }
    let folder = url.deletingLastPathComponent()
    return StoreLocation(path: folder.appending(path: "demo.sqlite").path, origin: origin)
  }

  /// The origin of the path, in words to follow it.
  package var reason: String {
    switch origin {
    case .option: "from --store"
    case .environment: "from SNIP_STORE"
    case .dataDirectory: "the default; --store or SNIP_STORE name another"
    }
  }

  /// Creates the folder of the default file if it is missing, readable only by its owner.
  ///
  /// A folder that the user has named is never created: a typing error would make a new, empty
  /// store.
  ///
  /// - Throws: ``StoreLocationError/cannotCreateFolder(path:reason:)``
  package func createFolderIfDefault() throws(StoreLocationError) {
    guard origin == .dataDirectory else { return }
    let folder = url.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(
        at: folder,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
    } catch {
      throw .cannotCreateFolder(
        path: folder.path(percentEncoded: false),
        reason: error.systemReason
      )
    }
  }

  private static func dataDirectory(
    environment: [String: String],
    platform: Platform
  ) throws(StoreLocationError) -> String {
    if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") {
      return folder.droppingTrailingSlashes
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else { throw .noHome }
    let folder = platform == .apple ? "Library/Application Support" : ".local/share"
    return "\(home.droppingTrailingSlashes)/\(folder)"
  }
}

extension String {
  fileprivate var droppingTrailingSlashes: String {
    String(self[..<(lastIndex { $0 != "/" }.map(index(after:)) ?? startIndex)])
  }
}

/// The reason why no file can be chosen for the store.
package enum StoreLocationError: Error, Equatable {
  /// `--store` was given without a path.
  case emptyOption

  /// The path is SQLite's name for a database in memory.
  case inMemory

  /// No setting names a file, and there is no home folder for the default.
  case noHome

  /// The folder of the default file could not be created.
  case cannotCreateFolder(path: String, reason: String)
}

extension StoreLocationError: LocalizedError {
  package var errorDescription: String? {
    switch self {
    case .emptyOption: "could not choose a store: --store is empty"
    case .inMemory: "could not choose a store: a store in memory would end with the command"
    case .noHome: "could not choose a store: HOME is not set to an absolute path"
    case .cannotCreateFolder(let path, let reason): "could not create the folder \(path): \(reason)"
    }
  }

  package var recoverySuggestion: String? {
    switch self {
    case .inMemory:
      "Name a file, with --store FILE or with the variable SNIP_STORE; one of that name is ./:memory:"
    case .emptyOption, .noHome, .cannotCreateFolder:
      "Name the file with --store FILE or with the variable SNIP_STORE."
    }
  }
}
