@testable import SnippetLoading
import SnippetStorage
import Testing

struct DemandTests {
  private func load(_ number: Int64, _ priority: LoadPriority, isMet: Bool = false) -> DesiredLoad {
    let key = LoadKey(blobID: BlobID(rawValue: number))
    return DesiredLoad(key: key, priority: priority, cost: 10, isMet: isMet)
  }

  private func list(_ number: UInt32) -> ListID { ListID(rawValue: number) }

  private func numbers(_ demand: Demand, byteLimit: Int = 1_000) -> [Int64] {
    demand.admitted(byteLimit: byteLimit).compactMap { $0.key.blobID?.rawValue }
  }

  @Test func `what is visible in any list comes before what another asks for ahead`() {
    var demand = Demand()
    demand.declare([load(1, .visible), load(2, .imminent), load(3, .preload)], for: list(1))
    demand.declare([load(4, .visible), load(5, .imminent), load(6, .preload)], for: list(2))

    #expect(numbers(demand) == [4, 1, 5, 2, 6, 3])
    #expect(numbers(demand, byteLimit: 30) == [4, 1, 5])
  }

  @Test func `a list that its loads cannot follow leads its own rows and not those of others`() {
    var demand = Demand()
    demand.declare([load(1, .visible), load(2, .imminent)], for: list(1))
    demand.declare(
      [load(4, .visible, isMet: true), load(5, .visible), load(6, .imminent)],
      for: list(2)
    )

    #expect(numbers(demand) == [1, 4, 5, 6, 2])
  }

  @Test func `what two lists ask for is loaded once for the more urgent`() {
    var demand = Demand()
    demand.declare([load(1, .preload)], for: list(1))
    demand.declare([load(2, .visible), load(1, .visible)], for: list(2))

    #expect(numbers(demand) == [2, 1])
    demand.remove(list(2))
    #expect(numbers(demand) == [1])
  }
}
