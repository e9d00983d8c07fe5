import Foundation

/// One fault: the call and the file that fail, and the failure.
///
/// It is written `call:file:n:action`. A failing test prints it so, and the variable ``variable``
/// takes it to repeat the failure:
///
///     write:-wal:3:EIO         the third write to a log fails
///     write:*:5+:ENOSPC        from the fifth write on the disk is full
///     sync:*:2:kill            the process is killed before its second sync
///     read:store.sqlite:4:short  the fourth read gives half of the bytes
package struct FaultPlan: Sendable, Hashable {
  /// A family of calls with the same purpose.
  package enum Call: String, Sendable, CaseIterable {
    case read, write, sync, truncate
    /// Also makes a folder.
    case open
    case delete, rename, link
    /// Takes a lock, or tries to; releasing one does not count.
    case lock
    /// Maps a file into memory.
    case map
    case allocate
    /// Closes a file. Only a plan that names it strikes it.
    case close
    /// Starts to write a part of a file to the disk. Only a plan that names it strikes it.
    case start
    /// Asks for the properties of a file.
    case look
    /// Asks for a part of the index of a log; only SQLite does so, and only in the process itself.
    case share
    /// Returns a mapped page; only SQLite does so, and only in the process itself.
    case unfetch
  }

  /// An error of the system, by its name.
  package enum SystemError: String, Sendable, CaseIterable {
    case inputOutput = "EIO"
    case noSpace = "ENOSPC"
    case tooManyOpenFiles = "EMFILE"
    case noPermission = "EACCES"
    case readOnlyFileSystem = "EROFS"
    case interrupted = "EINTR"
    case quotaExceeded = "EDQUOT"
    case noMemory = "ENOMEM"

    /// Its number.
    package var code: Int32 {
      switch self {
      case .inputOutput: EIO
      case .noSpace: ENOSPC
      case .tooManyOpenFiles: EMFILE
      case .noPermission: EACCES
      case .readOnlyFileSystem: EROFS
      case .interrupted: EINTR
      case .quotaExceeded: EDQUOT
      case .noMemory: ENOMEM
      }
    }
  }

  /// The effect on the call.
  package enum Action: Sendable, Hashable {
    /// The call is not made, and fails.
    case fail(SystemError)
    /// Half of the bytes of a read or a write are transferred, at least one.
    case short
    /// The call is not made and reports success; only in the process itself.
    case lie
    /// The process is killed before the call.
    case kill
    /// The process is killed after the call.
    case killAfter
  }

  /// The calls that are counted; `nil` for all of them.
  package var call: Call?
  /// The ending of the counted files' paths; empty for all files.
  package var file: String
  /// The number of the affected call, counted from 1.
  package var number: Int
  /// Whether all later calls are affected too.
  package var isForGood: Bool
  package var action: Action

  /// The variable that names a plan to run again.
  package static let variable = "SNIPPET_FAULT_PLAN"

  package init(
    _ call: Call?,
    of file: String = "",
    number: Int,
    isForGood: Bool = false,
    _ action: Action
  ) {
    self.call = call
    self.file = file
    self.number = number
    self.isForGood = isForGood
    self.action = action
  }

  /// Whether the plan counts a call, whatever its number.
  package func isAbout(_ call: Call, of path: String) -> Bool {
    let isAboutCall = self.call.map { $0 == call } ?? (call != .close && call != .start)
    return isAboutCall && path.hasSuffix(file)
  }

  /// Whether the process is killed.
  package var kills: Bool { action == .kill || action == .killAfter }
}

extension FaultPlan: LosslessStringConvertible {
  /// Reads a plan; a call may also have its own name, such as `pwrite` or `fsync`.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, !parts[1].isEmpty, let action = Action(parts[3]) else { return nil }
    let call = Call(rawValue: parts[0]) ?? Call(nameOfCall: parts[0])
    let isForGood = parts[2].hasSuffix("+")
    guard call != nil || parts[0] == "*",
      let number = Int(isForGood ? String(parts[2].dropLast()) : parts[2]), number > 0
    else { return nil }
    self.init(
      call,
      of: parts[1] == "*" ? "" : parts[1],
      number: number,
      isForGood: isForGood,
      action
    )
  }

  package var description: String {
    let file = file.isEmpty ? "*" : file
    return "\(call?.rawValue ?? "*"):\(file):\(number)\(isForGood ? "+" : ""):\(action)"
  }
}

extension FaultPlan.Action: LosslessStringConvertible {
  package init?(_ text: String) {
    switch text {
    case "short": self = .short
    case "lie": self = .lie
    case "kill": self = .kill
    case "killafter": self = .killAfter
    default:
      guard let error = FaultPlan.SystemError(rawValue: text) else { return nil }
      self = .fail(error)
    }
  }

  package var description: String {
    switch self {
    case .fail(let error): error.rawValue
    case .short: "short"
    case .lie: "lie"
    case .kill: "kill"
    case .killAfter: "killafter"
    }
  }
}

extension FaultPlan.Call {
  fileprivate init?(nameOfCall name: String) {
    switch name {
    case "pread", "pread64": self = .read
    case "pwrite", "pwrite64": self = .write
    case "fsync", "fdatasync", "syncfs": self = .sync
    case "ftruncate", "ftruncate64": self = .truncate
    case "openat", "open64", "openat64", "mkdir", "mkdirat": self = .open
    case "unlink", "unlinkat", "rmdir": self = .delete
    case "renameat": self = .rename
    case "linkat": self = .link
    case "fcntl": self = .lock
    case "mmap", "mmap64": self = .map
    case "fallocate", "posix_fallocate": self = .allocate
    default: return nil
    }
  }
}
