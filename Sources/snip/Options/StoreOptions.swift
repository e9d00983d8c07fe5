import ArgumentParser
import Foundation
import SnippetStorage

/// Which store a command works on.
struct StoreOptions: ParsableArguments {
  @Option(
    name: .customLong("store"),
    help: ArgumentHelp(
      "The file of the store. (default: $SNIP_STORE, else a file in your data directory)",
      valueName: "file"
    ),
    completion: .file()
  )
  var path: String?

  @Option(
    name: .customLong("busy-timeout"),
    help: ArgumentHelp(
      "How long to wait while another program writes. (default: 10)",
      valueName: "seconds"
    )
  )
  var busySeconds: Double?

  func validate() throws {
    guard busySeconds.map({ (0...86_400).contains($0) }) ?? true else {
      throw ValidationError("--busy-timeout must be from 0 to 86400 seconds.")
    }
  }

  /// How long to wait while another program writes.
  var busyTimeout: Duration { .seconds(busySeconds ?? 10) }

  /// Where the store is.
  func location(in context: CommandContext) throws -> StoreLocation {
    try StoreLocation(option: path, environment: context.environment)
  }

  /// Opens the store for a command that changes it, and creates it on first use.
  ///
  /// - Parameter context: What the command has to work with.
  /// - Returns: The open store.
  /// - Throws: ``StoreLocationError`` or the error of the store.
  func open(in context: CommandContext) async throws -> SnippetStore {
    try location(in: context).createFolderIfDefault()
    return try await open(in: context, .readWriteCreate)
  }

  /// Opens the store for a command that only reads: created on first use all the same, and read
  /// where it cannot be written.
  ///
  /// - Parameter context: What the command has to work with.
  /// - Returns: The open store.
  /// - Throws: ``StoreLocationError`` or the error of the store.
  func openForReading(in context: CommandContext) async throws -> SnippetStore {
    do {
      return try await open(in: context)
    } catch let error as SnippetStoreError where error.code == .readOnly {
      return try await open(in: context, .readOnly)
    }
  }

  /// Opens a store that is there, and writes to it only to complete its making.
  ///
  /// A program that was killed while it made or upgraded a store has left an empty file or an older
  /// schema, which reading alone cannot use.
  ///
  /// - Parameter context: What the command has to work with.
  /// - Returns: The open store.
  /// - Throws: ``StoreLocationError`` or the error of the store.
  func openExisting(in context: CommandContext) async throws -> SnippetStore {
    do {
      return try await open(in: context, .readOnly)
    } catch let error as SnippetStoreError where [.foreignFile, .readOnly].contains(error.code) {
      return try await open(in: context, .readWriteCreate)
    }
  }

  private func open(
    in context: CommandContext,
    _ access: SnippetStore.Configuration.Access
  ) async throws -> SnippetStore {
    try await open(at: location(in: context).url, in: context, access)
  }

  /// Opens the store in a file with these options.
  func open(
    at url: URL,
    in context: CommandContext,
    _ access: SnippetStore.Configuration.Access = .readWriteCreate
  ) async throws -> SnippetStore {
    var configuration = SnippetStore.Configuration(access: access)
    configuration.busyTimeout = busyTimeout
    return try await context.stores.open(at: url, configuration: configuration)
  }
}

/// How a command prints.
struct OutputOptions: ParsableArguments {
  @Flag(name: .customLong("json"), help: "Print JSON: one object, or one line per row.")
  var isJSON = false
}
