package import Foundation

extension StoreTemplate {
  /// Puts a copy somewhere that no check looks at in the end, because the test damages it.
  package func copy(toBeDamagedAt url: URL) async throws {
    try await prepare()
    try write(to: url)
  }
}
