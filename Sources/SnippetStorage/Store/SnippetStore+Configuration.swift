public import Foundation

extension SnippetStore {
  /// The settings of a store.
  public struct Configuration: Sendable {
    /// The access to the file.
    public enum Access: Sendable {
      /// Read and write; a missing file is created.
      case readWriteCreate
      /// Read and write; a missing file is an error.
      case readWrite
      /// Only read; a missing file is an error, and the file is not changed.
      ///
      /// Like every reader of SQLite, opening undoes what a program that was stopped while it wrote
      /// has left unfinished, if the file can be written.
      case readOnly
    }

    /// The access to the file.
    ///
    /// The default is reading, writing and creating.
    public var access: Access = .readWriteCreate

    /// The time that a call waits for another process that is writing before it throws
    /// ``SnippetStoreError/Code/busy``.
    ///
    /// The default is ten seconds.
    public var busyTimeout: Duration = .seconds(10)

    /// Whether to read blobs through mapped memory.
    ///
    /// The default is `true`.
    ///
    /// Mapping makes a blob as fast to read as a file. The price: if the medium fails or the file
    /// is truncated, the process is killed instead of getting an error. Turn it off for a
    /// store on a medium that can go away. On a network file system it is always off, and SQLite
    /// maps only the first 2 GiB of a file.
    public var mapsBlobs = true

    /// The limit for derivatives, such as thumbnails and waveforms, in bytes.
    ///
    /// The default is 256 MiB; 0 stores none. The least recently used are evicted first. A lower
    /// limit takes effect when the next derivative is saved.
    public var derivativeByteLimit: Int64 = 256 << 20

    /// The interval at which an observed store looks for commits of other programs.
    ///
    /// The default is 25 milliseconds; the limits are one millisecond and one day.
    ///
    /// It looks only while you observe the store, or follow its changes or those of a list. After
    /// the first look, it also looks when the system reports that the log was written, which finds
    /// a commit in some milliseconds. Once it has had such a report, the interval is at least 250
    /// milliseconds. Without reports, as on a network file system, the default costs half a percent
    /// of one core: a look takes about a tenth of a millisecond and no disk access. Choose a longer
    /// interval if no other program writes. The store's own changes do not wait for it.
    public var foreignChangeInterval: Duration = .milliseconds(25)

    /// A closure that receives the events of background work; `nil` by default.
    ///
    /// It is called on a queue of the store, one event at a time and never under a lock, so it may
    /// call anything. ``SnippetStore/close()`` waits for it. A closure that holds the store keeps
    /// the store open.
    public var onEvent: (@Sendable (StoreEvent) -> Void)?

    /// Whether the store may be lost when the power fails; `false` by default.
    ///
    /// Used by `snip scroll` and tests, which make a store to measure it and throw it away: they
    /// need not wait for a disk. Apps cannot ask for it, so that everything their store has
    /// acknowledged is always safe.
    package var isDisposable = false

    /// Whether to reserve room for the store on a nearly full disk; `true` by default.
    ///
    /// Used by a salvage, whose new store would take that room from the store that it copies.
    package var keepsReserve = true

    /// The treatment of a file that is not ready for use.
    ///
    /// Used by snip: its commands that only look must alter nothing, and its check and backup also
    /// accept a store of an older version.
    package enum Preparation: Sendable {
      /// Makes it ready: creates it, upgrades its schema, switches it to WAL.
      case completed
      /// Changes nothing, and refuses a file that is not ready.
      case unaltered
      /// Changes nothing, and reads an older schema as it is.
      ///
      /// Only a check or a backup can do that.
      case anyVersion
    }

    /// The treatment of a file that is not ready for use.
    package var preparation: Preparation = .completed

    /// The same, as ``StoreFile`` understands it.
    var opening: StoreFile.Opening {
      switch (access, preparation) {
      case (.readOnly, .anyVersion): .readingAnyVersion
      case (.readOnly, _): .reading
      case (_, .unaltered), (_, .anyVersion): .writingUnaltered
      case (.readWrite, .completed): .writing
      case (.readWriteCreate, .completed): .creating
      }
    }

    /// The settings of the connections.
    func settings(schemaMark: Int? = nil, events: StoreEvents = .none) -> Connections.Settings {
      Connections.Settings(
        isReadOnly: access == .readOnly,
        isUpgraded: preparation == .completed,
        schemaMark: schemaMark,
        keepsReserve: keepsReserve && !isDisposable,
        busyTimeout: busyTimeout,
        durability: isDisposable ? .none : .full,
        events: events
      )
    }

    /// The clock for the dates of new and changed snippets.
    ///
    /// The default asks the system.
    public var now: @Sendable () -> Date = { Date() }

    /// Makes a configuration with the defaults.
    public init() {}

    /// Makes a configuration with the defaults except for the access.
    ///
    /// - Parameter access: The access to the file.
    public init(access: Access) {
      self.access = access
    }
  }
}
