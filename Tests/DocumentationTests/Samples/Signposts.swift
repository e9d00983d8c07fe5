import SnippetStorage
import Synchronization

#if canImport(os)
import os
#endif

nonisolated final class Signposts: Sendable {
  private let signposter = OSSignposter(subsystem: "com.example.notes", category: "snippets")
  private let open = Mutex<[StoreEvent.Subject: OSSignpostIntervalState]>([:])

  func mark(_ event: StoreEvent) {
    if event.isBeginning {
      let state = signposter.beginInterval("Work", id: signposter.makeSignpostID())
      open.withLock { $0[event.subject] = state }
    } else if let state = open.withLock({ $0.removeValue(forKey: event.subject) }) {
      signposter.endInterval("Work", state)
    } else {
      signposter.emitEvent("Store")
    }
  }
}
