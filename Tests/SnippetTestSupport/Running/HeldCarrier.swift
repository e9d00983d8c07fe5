package import Foundation
package import SnippetSync
package import SnippetTesting

/// A carrier that lists its objects when it may, so that a synchronization stands still.
package struct HeldCarrier: SyncCarrier {
  private let carrier: any SyncCarrier
  /// Opens once it is asked.
  package let isAsked = Gate()
  /// Opened by the test, for all that is asked.
  package let mayAnswer = Gate()

  /// Holds another carrier back.
  package init(_ carrier: any SyncCarrier) {
    self.carrier = carrier
  }

  package func list(_ prefix: String) async throws(SyncError) -> [ObjectMark] {
    isAsked.open()
    await mayAnswer.untilOpen()
    return try await carrier.list(prefix)
  }

  package func read(_ name: String) async throws(SyncError) -> Data? {
    try await carrier.read(name)
  }

  package func write(_ data: Data, as name: String, isNew: Bool) async throws(SyncError) {
    try await carrier.write(data, as: name, isNew: isNew)
  }

  package func remove(_ name: String) async throws(SyncError) {
    try await carrier.remove(name)
  }
}
