import ArgumentParser
import Foundation
import SnipCore
import SnippetStorage

/// The store that a command works on.
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

  /// The time to wait while another program writes.
  var busyTimeout: Duration { .seconds(busySeconds ?? 10) }

  /// The place of the store.
  func location(in context: CommandContext) throws -> StoreLocation {
    try StoreLocation(option: path, environment: context.environment, folder: context.folder)
  }

  /// Opens the store for a command that adds to it, and creates it on first use.
  ///
  /// - Parameter context: The surroundings of the command.
  /// - Returns: The open store.
  /// - Throws: ``StoreLocationError`` or the error of the store.
  func open(in context: CommandContext) async throws -> SnippetStore {
    try location(in: context).createFolderIfDefault()
    return try await open(in: context, .readWriteCreate)
  }

  /// Opens the store for a command that changes existing snippets, without creating it.
  ///
  /// - Parameter context: The surroundings of the command.
  /// - Returns: The open store.
  /// - Throws: ``StoreLocationError``, ``UnreadStoreError`` or the error of the store.
  func openForChanging(in context: CommandContext) async throws -> SnippetStore {
    do {
      return try await open(in: context, .readWrite)
    } catch let error as SnippetStoreError where error.code == .noSuchFile {
      throw UnreadStoreError(error) ?? error
    }
  }

  /// Opens the store for a command that reads, without creating or upgrading it; a backup stays as
  /// it is.
  ///
  /// Results of the reading, such as thumbnails, are kept if the store can be written.
  ///
  /// - Parameters:
  ///   - context: The surroundings of the command.
  ///   - onReadOnly: Receives the reason if the store cannot be written. The default ignores it.
  /// - Returns: The open store.
  /// - Throws: ``StoreLocationError``, ``UnreadStoreError`` or the error of the store.
  func openForReading(
    in context: CommandContext,
    onReadOnly: (String) -> Void = { _ in }
  ) async throws -> SnippetStore {
    do {
      return try await open(in: context, .readWrite, .unaltered)
    } catch let error as SnippetStoreError
      where [.readOnly, .alteredSchema].contains(error.code)
    {
      let store = try await openToLook(in: context)
      onReadOnly(error.reason)
      return store
    } catch let error as SnippetStoreError {
      throw UnreadStoreError(error) ?? error
    }
  }

  /// Opens the store for a command that looks at the file itself, even one of an older version, and
  /// writes nothing.
  ///
  /// - Parameter context: The surroundings of the command.
  /// - Returns: The open store.
  /// - Throws: ``StoreLocationError``, ``UnreadStoreError`` or the error of the store.
  func openAsItIs(in context: CommandContext) async throws -> SnippetStore {
    try await openToLook(in: context, .anyVersion)
  }

  private func openToLook(
    in context: CommandContext,
    _ preparation: SnippetStore.Configuration.Preparation = .unaltered
  ) async throws -> SnippetStore {
    do {
      return try await open(in: context, .readOnly, preparation)
    } catch let error as SnippetStoreError {
      throw UnreadStoreError(error) ?? error
    }
  }

  private func open(
    in context: CommandContext,
    _ access: SnippetStore.Configuration.Access,
    _ preparation: SnippetStore.Configuration.Preparation = .completed
  ) async throws -> SnippetStore {
    try await open(at: location(in: context).url, in: context, access, preparation)
  }

  /// Opens the store in a file with these options.
  func open(
    at url: URL,
    in context: CommandContext,
    _ access: SnippetStore.Configuration.Access = .readWriteCreate,
    _ preparation: SnippetStore.Configuration.Preparation = .completed
  ) async throws -> SnippetStore {
    var configuration = SnippetStore.Configuration(access: access)
    configuration.preparation = preparation
    configuration.busyTimeout = busyTimeout
    return try await context.stores.open(at: url, configuration: configuration)
  }
}

/// The command reads and does not create, and there is no store yet.
struct UnreadStoreError: StatusError {
  let message: String
  let hint: String?

  var status: ExitStatus { .noStore }

  /// Takes an error of the store that says so; `nil` for any other.
  init?(_ error: SnippetStoreError) {
    switch error.code {
    case .noSuchFile:
      hint = """
        `snip import PATH` makes one; --store and SNIP_STORE name another. Without them, the sample \
        library of `snip demo` has a file of its own: snip browse --demo
        """
    case .readOnly where error.underlyingError == nil:
      // Only an older schema keeps a store from being just read.
      hint = "`snip gc` does that once; `snip check` and `snip backup` take it as it is."
    default: return nil
    }
    message = error.message
  }
}

/// The form of a command's output.
struct OutputOptions: ParsableArguments {
  @Flag(name: .customLong("json"), help: "Print JSON: one object, or one line per row.")
  var isJSON = false

  @OptionGroup var color: ColorOptions
}
