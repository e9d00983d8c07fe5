import Foundation
import Testing

@testable import SnippetStorage

struct IdentityTests {
  @Test func `new identities are of version 7 and sort as they were made`() {
    let start = Date(timeIntervalSince1970: 1_767_225_600)

    let uuids = (0..<1_000).map { UUID.timeOrdered(at: start.addingTimeInterval(Double($0 / 10))) }

    #expect(Set(uuids).count == 1_000)
    #expect(uuids.allSatisfy { $0.uuid.6 >> 4 == 7 && $0.uuid.8 >> 6 == 2 })
    // The counter of those of one millisecond begins anew at most once.
    let texts = uuids.map(\.uuidString)
    #expect(zip(texts, texts.dropFirst()).count { $0 > $1 } <= 1)
  }
}
