import Foundation
import SnippetSync
import Testing

/// The faults of the place in memory, on which the tests of synchronization build.
struct MemoryCarrierTests {
  private let one = Data("one".utf8)
  private let two = Data("two".utf8)

  @Test func `a fault of the script comes once, before or after the work`() async throws {
    let place = MemoryPlace()
    let carrier = place.carrier()

    place.script(.failure)
    await #expect(
      syncErrorCode { try await carrier.write(one, as: "log/1/1", isNew: true) } == .unreachable
    )
    #expect(place.objects.isEmpty)

    place.script(.lostReply)
    await #expect(
      syncErrorCode { try await carrier.write(one, as: "log/1/1", isNew: true) } == .unreachable
    )
    #expect(place.objects == ["log/1/1": one])

    place.script(.tornRead)
    let torn = try #require(try await carrier.read("log/1/1"))
    #expect(torn.count < 3 && one.starts(with: torn))
    #expect(try await carrier.read("log/1/1") == one)
  }

  @Test func `a reader is behind until the place settles, and never goes back`() async throws {
    let place = MemoryPlace(MemoryPlace.Faults(delay: 1))
    let (writer, reader) = (place.carrier("a"), place.carrier("b"))
    try await writer.write(one, as: "device/a", isNew: false)

    #expect(try await writer.read("device/a") == one, "a writer sees what it wrote")
    #expect(try await reader.read("device/a") == nil)
    #expect(try await reader.list("device/") == [])
    place.settle()
    #expect(try await reader.read("device/a") == one)

    try await writer.write(two, as: "device/a", isNew: false)
    #expect(try await reader.read("device/a") == one)
    place.set(.none)
    #expect(try await reader.read("device/a") == two)
    place.set(MemoryPlace.Faults(delay: 1))
    #expect(try await reader.read("device/a") == two)
  }

  @Test func `objects come in another order than they were written`() async throws {
    let place = MemoryPlace(seed: 4, MemoryPlace.Faults(delay: 0.5))
    let (writer, reader) = (place.carrier("a"), place.carrier("b"))
    for number in 0..<20 {
      try await writer.write(one, as: "log/1/\(number)", isNew: true)
    }
    let seen = try await reader.list("log/").count

    #expect(seen > 0 && seen < 20)
  }

  @Test func `names come twice, and in the opposite order`() async throws {
    let place = MemoryPlace()
    let carrier = place.carrier()
    for name in ["log/1/1", "log/1/2"] { try await carrier.write(one, as: name, isNew: true) }

    place.set(MemoryPlace.Faults(doubledName: 1, reversal: 1))

    let names = try await carrier.list("log/").map(\.name)
    #expect(names == ["log/1/2", "log/1/2", "log/1/1", "log/1/1"])
  }

  @Test func `the same seed gives the same events`() async throws {
    func events(seed: UInt64) async -> [String] {
      let faults = MemoryPlace.Faults(failure: 0.3, lostReply: 0.3, delay: 0.3, tornRead: 0.3)
      let carrier = MemoryPlace(seed: seed, faults).carrier()
      var events: [String] = []
      for number in 0..<50 {
        let name = "log/1/\(number % 5)"
        let code = await syncErrorCode {
          try await carrier.write(Data("\(number)".utf8), as: name, isNew: false)
        }
        events.append(code?.description ?? "written")
        let bytes = try? await carrier.read(name)
        events.append(bytes.map { String(decoding: $0, as: UTF8.self) } ?? "nothing")
      }
      return events
    }
    let first = await events(seed: 1)

    #expect(await events(seed: 1) == first)
    #expect(await events(seed: 2) != first)
  }

  @Test func `a place may be unable to tell what is new`() async throws {
    let place = MemoryPlace(MemoryPlace.Faults(ignoresIsNew: true))
    try await place.carrier("a").write(one, as: "format", isNew: true)
    try await place.carrier("b").write(two, as: "format", isNew: true)

    #expect(place.objects == ["format": two])
    place.put(nil, as: "format")
    #expect(place.objects.isEmpty)
  }
}
