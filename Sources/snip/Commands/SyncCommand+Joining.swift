import Foundation
import SnipCore
import SnippetStorage
import SnippetSync
import TerminalKit

extension SyncCommand {
  /// Joins a repository or makes one, then synchronizes.
  func join(in context: CommandContext) async throws {
    let place = try SyncPlace(
      place ?? "",
      endpoints: endpoint,
      region: region,
      environment: context.environment,
      folder: context.folder
    )
    let store = try await store.open(in: context)
    let name = name ?? ProcessInfo.processInfo.hostName
    try await StoreSync.requireJoinable(store, at: place.address, as: name)
    let repository = try await greet(place, store, in: context)
    let key = try keyText(of: repository, in: context)
    let sync: StoreSync
    var written: (file: SyncKeyFile, repository: String)?
    do throws(SyncError) {
      sync = try await StoreSync.join(
        store,
        by: place.carrier,
        at: place.address,
        as: name,
        key: key
      ) { key, repository in
        let file = try SyncKeyFile(of: repository, in: context)
        if try file.write(key, of: repository) { written = (file, repository) }
      }
    } catch {
      if let written, await isUnmade(written.repository, in: place, after: error) {
        written.file.remove()
      }
      // The error of the file tells what to do.
      if let cause = error.underlyingError as? SyncKeyError { throw cause }
      throw error
    }
    if let joined = try await StoreSync.repository(of: store)?.identity {
      let file = try SyncKeyFile(of: joined, in: context)
      let messages = context.console.messages
      let address = TerminalText(place.address, lines: .folded)
      messages.writeLine(
        repository == nil
          ? "Made the repository \(joined.prefix(8))."
          : "Joined the repository \(joined.prefix(8)) in \(address)."
      )
      messages.writeLine("The key is in \(file.url.path): keep a copy elsewhere.")
    }
    try await synchronize(sync, in: context)
  }

  /// Whether a repository is not in its place, and will not be there.
  ///
  /// As long as the place does not answer, it may have been made.
  private func isUnmade(
    _ repository: String,
    in place: SyncPlace,
    after error: SyncError
  ) async -> Bool {
    guard ![.unreachable, .cancelled].contains(error.code) else { return false }
    do {
      return try await place.repository() != repository
    } catch {
      return false
    }
  }

  /// Says what joining a place will do, asks whether it is meant, and makes a folder for a new
  /// repository.
  ///
  /// - Returns: The identity of the repository, whose key is there; `nil` if there is none yet.
  private func greet(
    _ place: SyncPlace,
    _ store: SnippetStore,
    in context: CommandContext
  ) async throws -> String? {
    let repository = try await place.repository()
    let address = TerminalText(place.address, lines: .folded)
    let own = try await store.count()
    if let repository {
      guard try keyText(of: repository, in: context) != nil else {
        throw SyncKeyError(missingFor: place.address)
      }
      let deleted = try await StoreSync.deletionCount(of: store, sinceLeaving: repository)
      if own > 0 || deleted ?? 0 > 0 {
        try await confirmation.require(
          """
          \(own.counted("snippet")) of this store and those of the repository in \(address) come \
          together on all its devices.\(deleted.map { Self.words(ofDeletions: $0) } ?? "") Go on?
          """,
          in: context
        )
      }
      return repository
    }
    // With a key a person expects a repository: a disk that is not mounted must not look like an
    // empty one.
    guard key == nil else { return nil }
    try place.requireNoOtherFiles()
    context.console.messages.writeLine("There is no repository in \(address) yet.")
    try await confirmation.require(
      "Make one there and send \(own.counted("snippet"))?",
      in: context
    )
    try place.makeFolder()
    return nil
  }

  /// The words for a store that joins again, and that deleted some snippets for good since it left.
  private static func words(ofDeletions count: Int) -> String {
    let lead = " This store was here before: what was deleted there since goes here too"
    guard count > 0 else { return lead + "." }
    return lead + ", and the \(count.counted("snippet")) deleted for good here go there."
  }

  /// The key of a repository: that of the option, else the one that this user keeps.
  func keyText(of repository: String?, in context: CommandContext) throws -> String? {
    if let key { return try SyncKeyFile(context.url(key)).key() }
    guard let repository else { return nil }
    let file = try SyncKeyFile(of: repository, in: context)
    return file.isThere ? try file.key() : nil
  }

  /// Leaves the repository, which stays as it is; with --forget also one that was left before.
  func leave(in context: CommandContext) async throws {
    let store = try await store.openForChanging(in: context)
    let messages = context.console.messages
    guard let joined = try await StoreSync.repository(of: store) else {
      guard forgets else { throw NotJoinedError() }
      try await StoreSync.leave(store, forgetting: true)
      if output.isJSON { return try context.console.output.writeLine(["forgotten": .bool(true)]) }
      return messages.writeLine("What was known of a repository is forgotten.")
    }
    let unsent = try await StoreSync.status(of: store)?.unsentCount ?? 0
    let edits = "the edits of \(unsent.counted("snippet"))"
    try await confirmation.require(
      """
      Leave the repository in \(TerminalText(joined.address, lines: .folded))\
      \(unsent > 0 ? ", with \(edits) unsent" : "")?
      """,
      in: context
    )
    let isTold = try await leave(store, joined, in: context)
    if output.isJSON {
      return try context.console.output.writeLine([
        "address": .string(joined.address), "told": .bool(isTold), "unsent": JSONValue(unsent),
        "forgotten": .bool(forgets),
      ])
    }
    var words = ["Left it. The snippets stay here, and there."]
    if unsent > 0 { words.append("There \(edits) are missing: they were not sent.") }
    if !forgets { words.append("What this store knows of it stays, for joining again.") }
    if !isTold {
      words.append("The other devices could not be told, and go on listing it, or its original.")
    }
    messages.writeLine(words.joined(separator: " "))
  }

  /// Leaves, and returns whether the other devices can know; without the key or the place they cannot.
  private func leave(
    _ store: SnippetStore,
    _ joined: (address: String, identity: String),
    in context: CommandContext
  ) async throws -> Bool {
    let forgets = forgets
    guard let sync = try? await opened(store, joined, in: context) else {
      try await StoreSync.leave(store, forgetting: forgets)
      return false
    }
    return try await context.cancellable { try await sync.leave(forgetting: forgets) }
  }
}
