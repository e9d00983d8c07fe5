import Foundation
import SnippetSync

/// A carrier of a test that passes to another one each call that it does not change.
protocol PassingCarrier: SyncCarrier {
  associatedtype Carrier: SyncCarrier
  var carrier: Carrier { get }
}

extension PassingCarrier {
  func list(_ prefix: String) async throws(SyncError) -> [ObjectMark] {
    try await carrier.list(prefix)
  }

  func read(_ name: String) async throws(SyncError) -> Data? { try await carrier.read(name) }

  func write(_ data: Data, as name: String, isNew: Bool) async throws(SyncError) {
    try await carrier.write(data, as: name, isNew: isNew)
  }

  func remove(_ name: String) async throws(SyncError) { try await carrier.remove(name) }
}
