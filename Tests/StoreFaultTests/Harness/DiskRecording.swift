import Foundation

/// What a process did to the files of a folder, in order, as a disk sees it.
struct DiskRecording: Sendable {
  enum Event: Sendable {
    case creation(String)
    case write(String, Data, offset: Int)
    case truncation(String, byteCount: Int)
    /// Of a file, or of a folder and so of the names in it.
    case sync(String)
    case deletion(String)
    case rename(String, to: String)
    case exchange(String, with: String)
    case link(String, to: String)
    /// Somebody was told that something is safe.
    case acknowledgement(String)
  }

  /// The folder; the paths of the events begin with it.
  let folder: String
  private(set) var events: [Event] = []

  init(folder: String) {
    self.folder = folder
  }

  mutating func append(_ event: Event) {
    events.append(event)
  }
}
