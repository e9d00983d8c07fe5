import Foundation
import SnippetBase
public import SnippetStorage

extension StoreSync {
  /// Tells which repository is in a place; `nil` if there is none.
  ///
  /// - Parameter carrier: The way to the place.
  /// - Returns: The identity of the repository, in hexadecimal digits.
  /// - Throws: ``SyncError``, for example ``SyncError/Code/newerRepository``.
  public static func repository(
    by carrier: any SyncCarrier
  ) async throws(SyncError) -> String? {
    try await Repository.format(of: carrier)?.repository
  }

  /// Joins the repository in a place, or makes one there.
  ///
  /// On return the device has a name there; nothing has been received or sent. A store that left
  /// this repository goes on from what it knew then, see ``leave(_:forgetting:)``.
  ///
  /// A call that fails may have made the repository already. Only `keep` tells its key then: with that,
  /// the next call goes on.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - carrier: The way to the place.
  ///   - address: The place, as ``SyncStatus/address`` shall show it.
  ///   - name: The name of this device for people, of at most 100 characters on one line, without
  ///     those that control a terminal or the direction of a text.
  ///   - key: The key of the repository; `nil` to make a repository where there is none.
  ///   - keep: Receives the key and the identity of the repository, to keep the key for good, before
  ///     anything is written in the place or in the store. If it throws, nothing is.
  /// - Returns: The synchronization.
  /// - Throws: ``SyncError``: ``SyncError/Code/alreadyExists`` if the store has joined a repository
  ///   already, ``SyncError/Code/wrongKey`` if there is a repository and the key is missing or
  ///   another one, ``SyncError/Code/noRepository`` if there is a key and no repository,
  ///   ``SyncError/Code/failed`` with the error of `keep`.
  public static func join(
    _ store: SnippetStore,
    by carrier: any SyncCarrier,
    at address: String,
    as name: String,
    key: String? = nil,
    keeping keep: (_ key: String, _ repository: String) async throws -> Void = { _, _ in }
  ) async throws(SyncError) -> StoreSync {
    try await requireJoinable(store, at: address, as: name)
    let records = SyncRecords(store: store)
    let operation = "join the repository in \(address)"
    let (repository, format) = try await repository(carrier, address, key, operation, keep)
    let place = try await records.place()
    typealias Former = (device: DeviceID, wroteAt: Int64?)
    let (former, taken) = try await records.write { db -> (Former?, String?) in
      let kept = try SyncState(in: db)
      // Another process has joined in between, and may have sealed log files.
      if let kept, kept.isJoined { return (nil, kept.address) }
      if var state = kept, state.repository == format.repository {
        let known = try state.formerDevice(in: place, db)
        (state.address, state.name) = (address, name)
        try state.beginAnew(at: place, in: db)
        return (known, nil)
      }
      // That of another one which it has left.
      try SyncState.erase(in: db)
      let state = SyncState(
        repository: format.repository,
        address: address,
        device: DeviceID(),
        name: name,
        place: place
      )
      try state.write(in: db)
      try KnownDevice.add(state.device, in: db)
      return (nil, nil)
    }
    if let taken { throw .joined(taken, operation, at: address) }
    if let former {
      let marks = (try? await carrier.list("device/")) ?? []
      let notices = try? await repository.notices(to: former.device, among: marks)
      if notices?.isEmpty == false { try await records.markAllUnsent() }
      await repository.tellLeft(former.device, wroteAt: former.wroteAt, now: records.now())
    }
    return StoreSync(records, repository)
  }

  /// Refuses a store that has joined a repository already, and a name that no device can have, before
  /// anything is asked or made.
  package static func requireJoinable(
    _ store: SnippetStore,
    at address: String,
    as name: String
  ) async throws(SyncError) {
    let operation = "join the repository in \(address)"
    if let state = try await SyncRecords(store: store).state() {
      throw .joined(state.address, operation, at: address)
    }
    guard name.count <= 100, !name.allSatisfy(\.isWhitespace),
      !name.unicodeScalars.contains(where: isControl)
    else {
      throw SyncError(
        .invalidInput,
        operation,
        because: """
          the name of a device is one line of 1 to 100 characters, not blank, and without control \
          characters
          """
      )
    }
  }

  /// Whether a scalar would end the line, or control or reorder what others show with the name.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: scalar.properties.isBidiControl
    }
  }

  /// Reads the key in the text of a key file, or as it was typed.
  ///
  /// - Returns: The line `AGE-SECRET-KEY-1…`.
  /// - Throws: ``SyncError/Code/invalidInput`` for a text that is no key.
  package static func key(in text: String) throws(SyncError) -> String {
    try AgeIdentity(text).text
  }

  private static func repository(
    _ carrier: any SyncCarrier,
    _ address: String,
    _ key: String?,
    _ operation: String,
    _ keep: (_ key: String, _ repository: String) async throws -> Void
  ) async throws(SyncError) -> (Repository, RepositoryFormat) {
    if let format = try await Repository.format(of: carrier) {
      guard let key else {
        throw SyncError(
          .wrongKey,
          operation,
          because: "there is a repository, and no key was given",
          do: "Give its key: “key” of StoreSync tells it on a device that has joined."
        )
      }
      let identity = try AgeIdentity(key)
      let repository = Repository(
        carrier: carrier,
        key: RepositoryKey(identity),
        address: address
      )
      // Any head that opens shows that the key is right.
      var closed: SyncError?
      for (device, _) in try await repository.heads() {
        do {
          guard try await repository.file(.head(device)) != nil else { continue }
        } catch {
          if error.code == .damaged { continue }
          if error.isOfOneFile {
            closed = error
            continue
          }
          guard error.code == .wrongKey, try await repository.opensAnother(than: device) else {
            throw error
          }
        }
        closed = nil
        break
      }
      if let closed { throw closed }
      try await hand(identity, of: format, operation, to: keep)
      return (repository, format)
    }
    guard key == nil else {
      throw SyncError(
        .noRepository,
        operation,
        because: "there is no repository for the key",
        do: "Check the place. Leave the key out to make a new repository there."
      )
    }
    let others = try await carrier.list("device/")
    guard others.isEmpty else {
      throw SyncError(
        .noRepository,
        operation,
        because: "there are logs of devices and no object “format”",
        do: """
          Wait until the folder is complete. If it is, a store that takes part can write “format” again \
          (snip sync check --repair).
          """
      )
    }
    let (format, identity) = (RepositoryFormat(), AgeIdentity())
    // A repository whose key is nowhere would be in the way of all.
    try await hand(identity, of: format, operation, to: keep)
    do throws(SyncError) {
      try await carrier.write(format.object, as: ObjectName.format.rawValue, isNew: true)
    } catch {
      guard error.code == .alreadyExists else { throw error }
      throw SyncError(
        .wrongKey,
        operation,
        because: "another device has just made a repository there",
        do: "Join that one, with its key (snip sync key on the other device).",
        underlying: error
      )
    }
    let repository = Repository(
      carrier: carrier,
      key: RepositoryKey(identity),
      address: address
    )
    return (repository, format)
  }

  private static func hand(
    _ identity: AgeIdentity,
    of format: RepositoryFormat,
    _ operation: String,
    to keep: (_ key: String, _ repository: String) async throws -> Void
  ) async throws(SyncError) {
    do {
      try await keep(identity.text, format.repository)
    } catch let error as SyncError {
      throw error
    } catch {
      throw SyncError(
        .failed,
        operation,
        because: "its key could not be kept: \(error)",
        do: "Nothing was changed.",
        underlying: error
      )
    }
  }
}

extension SyncError {
  /// Makes the error of a store that has joined the repository in one place, and shall join that in
  /// another, or the same again.
  fileprivate static func joined(
    _ former: String,
    _ operation: String,
    at address: String
  ) -> SyncError {
    SyncError(
      .alreadyExists,
      operation,
      because: former == address
        ? "the store takes part there already" : "the store has joined the one in \(former)",
      do: former == address
        ? "Receive and send with snip sync." : "Leave that first (snip sync leave)."
    )
  }
}
