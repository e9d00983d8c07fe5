import SnippetLoading
import SnippetStorage
import Synchronization

#if canImport(os)
import os
#endif

final class Signposts: Sendable {
  private let signposter = OSSignposter(subsystem: "com.example.notes", category: "snippets")
  private let open = Mutex<[String: OSSignpostIntervalState]>([:])

  func mark(_ event: StoreEvent) {
    switch event.action {
    case .began(let work): begin("\(work)")
    case .ended(let work), .failed(let work): end("\(work)")
    default: signposter.emitEvent("Store")
    }
  }

  func mark(_ event: LiveEvent<LoaderAction>) {
    switch event.action {
    case .loadStarted(let key): begin("\(key)")
    case .loadFinished(let key, _), .loadFailed(let key, _, _), .loadCancelled(let key):
      end("\(key)")
    default: break
    }
  }

  private func begin(_ name: String) {
    let state = signposter.beginInterval("Work", id: signposter.makeSignpostID())
    open.withLock { $0[name] = state }
  }

  private func end(_ name: String) {
    guard let state = open.withLock({ $0.removeValue(forKey: name) }) else { return }
    signposter.endInterval("Work", state)
  }
}
