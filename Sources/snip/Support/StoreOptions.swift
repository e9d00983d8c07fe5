import ArgumentParser
import SnippetStore

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

  /// Where the store is.
  func location(in context: CommandContext) throws -> StoreLocation {
    try StoreLocation(option: path, environment: context.environment)
  }

  /// Opens the store.
  ///
  /// - Parameters:
  ///   - context: What the command has to work with.
  ///   - access: What the command does with it. The default creates it on first use.
  /// - Returns: The open store.
  /// - Throws: ``StoreLocationError`` or the error of the store.
  func open(
    in context: CommandContext,
    _ access: SnippetStore.Configuration.Access = .readWriteCreate
  ) async throws -> SnippetStore {
    let location = try location(in: context)
    if access == .readWriteCreate { try location.createFolderIfDefault() }
    return try await SnippetStore.open(
      at: location.url,
      configuration: SnippetStore.Configuration(access: access)
    )
  }
}

/// How a command prints.
struct OutputOptions: ParsableArguments {
  @Flag(name: .customLong("json"), help: "Print JSON: one object, or one line for each row.")
  var isJSON = false
}
