public import Foundation

extension SnippetStore {
  /// How a store is opened.
  public struct Configuration: Sendable {
    /// What may be done with the file.
    public enum Access: Sendable {
      /// Read and write; the file is created if there is none.
      case readWriteCreate
      /// Read and write; a missing file is an error.
      case readWrite
      /// Only read; a missing file is an error, and nothing is ever written to it.
      case readOnly
    }

    /// What may be done with the file.
    ///
    /// The default is reading, writing and creating.
    public var access: Access = .readWriteCreate

    /// How long a call waits for another process that is writing before it throws
    /// ``SnippetStoreError/Code/busy``.
    ///
    /// The default is ten seconds.
    public var busyTimeout: Duration = .seconds(10)

    /// Whether blobs are read through mapped memory.
    ///
    /// The default is yes.
    ///
    /// Mapping makes a blob in the store as fast to read as a file. Its price: if the medium fails
    /// or somebody truncates the file under it, the process is killed instead of being given an
    /// error. Turn it off for a store on a medium that can go away. On a network file system it is off
    /// whatever is said here, and SQLite maps no more than the first 2 GiB of a file.
    public var mapsBlobs = true

    /// How many bytes of derivatives are kept, such as thumbnails and waveforms.
    ///
    /// The default is 256 MiB; 0 keeps none. Those that were not used for longest make room for new
    /// ones; lowering it takes effect with the next one that is saved.
    public var derivativeByteLimit: Int64 = 256 << 20

    /// How often a store that is observed looks whether another program has committed.
    ///
    /// The default is every 25 milliseconds; it is held between one millisecond and one day.
    ///
    /// It looks only while there is a ``ChangeObservation``, or somebody follows its changes or those
    /// of a list. A look takes about a tenth of a millisecond of one processor, half of that to wake
    /// it, and no disk access: half a percent of one processor by default. On a battery, and where
    /// nobody else writes, a longer interval is kinder. Changes by the store itself do not wait for
    /// it.
    public var foreignChangeInterval: Duration = .milliseconds(25)

    /// Whether the store is lost when the power fails; it is not by default.
    ///
    /// For one that is made to be measured and thrown away: nothing waits for a disk then. No app can
    /// ask for it, so that what a store of theirs has acknowledged is always safe.
    package var isDisposable = false

    /// What the connections are told.
    var settings: Connections.Settings {
      Connections.Settings(
        isReadOnly: access == .readOnly,
        busyTimeout: busyTimeout,
        durability: isDisposable ? .none : .full
      )
    }

    /// What the time is, for the dates of new and changed snippets.
    ///
    /// The default asks the system.
    public var now: @Sendable () -> Date = { Date() }

    /// Takes the defaults.
    public init() {}

    /// Takes the defaults but for what may be done with the file.
    ///
    /// - Parameter access: What may be done with the file.
    public init(access: Access) {
      self.access = access
    }
  }
}
