public import Foundation

extension SnippetStore {
  /// The settings for opening a store.
  public struct Configuration: Sendable {
    /// The access to the file.
    public enum Access: Sendable {
      /// Read and write; a missing file is created.
      case readWriteCreate
      /// Read and write; a missing file is an error.
      case readWrite
      /// Only read; a missing file is an error, and the file is never changed.
      case readOnly
    }

    /// The access to the file.
    ///
    /// The default is reading, writing and creating.
    public var access: Access = .readWriteCreate

    /// The longest time for which a call waits for another writing process before it throws
    /// ``SnippetStoreError/Code/busy``.
    ///
    /// The default is ten seconds.
    public var busyTimeout: Duration = .seconds(10)

    /// Whether to read blobs through mapped memory.
    ///
    /// The default is `true`.
    ///
    /// Mapping makes a blob as fast to read as a file. The price: if the medium fails or another
    /// program truncates the file, the process is killed instead of getting an error. Turn it off
    /// for a store on a removable medium. On a network file system it is always off, and SQLite
    /// maps only the first 2 GiB of a file.
    public var mapsBlobs = true

    /// The budget in bytes for derivatives, such as thumbnails and waveforms.
    ///
    /// The default is 256 MiB; 0 stores none. The least recently used are evicted first. A lower
    /// limit takes effect when the next derivative is saved.
    public var derivativeByteLimit: Int64 = 256 << 20

    /// The interval at which an observed store looks for commits of other programs.
    ///
    /// The default is 25 milliseconds; the limits are one millisecond and one day.
    ///
    /// It looks only while the store is observed or its changes, or those of a list, are followed.
    /// A look takes about a tenth of a millisecond and no disk access, so the default costs half a
    /// percent of one core. Choose a longer interval on battery, and if no other program writes.
    /// The store's own changes do not wait for it.
    public var foreignChangeInterval: Duration = .milliseconds(25)

    /// Receives events of the store's background work; `nil` by default.
    ///
    /// It is called on a queue of the store, one event after the other and under no lock, so it may
    /// call anything. ``SnippetStore/close()`` waits for it. A closure that holds the store keeps
    /// the store open.
    public var onEvent: (@Sendable (StoreEvent) -> Void)?

    /// Whether the store may be lost in a power failure; `false` by default.
    ///
    /// Set it for a store that is measured and thrown away: nothing then waits for a disk. Apps
    /// cannot set it, so the content that their stores have saved is always safe.
    package var isDisposable = false

    /// Whether to keep a reserve on a nearly full disk; `true` by default.
    package var keepsReserve = true

    /// The changes that opening may make to a file that is not ready for use.
    package enum Preparation: Sendable {
      /// Makes it ready: creates it, upgrades its schema, switches it to WAL.
      case completed
      /// Changes nothing, and refuses a file that is not ready.
      case unaltered
      /// Changes nothing, and reads an older schema as it is, which only a check or a backup can
      /// do.
      case anyVersion
    }

    /// The changes that opening may make to the file.
    package var preparation: Preparation = .completed

    /// Returns the settings for the connections.
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

    /// Returns the present time, for the dates of new and changed snippets.
    ///
    /// The default asks the system.
    public var now: @Sendable () -> Date = { Date() }

    /// Makes a configuration with the defaults.
    public init() {}

    /// Makes a configuration with the defaults, except for the access to the file.
    ///
    /// - Parameter access: The access to the file.
    public init(access: Access) {
      self.access = access
    }
  }
}
