import SnippetStorage
import SnippetTestSupport
import Testing

/// A process that ends at each step of its synchronizations, and is started again.
///
/// The seed picks every third step. With `SNIP_LONG_TESTS` set, all are tried.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
struct CrashTests {
  @Test(arguments: [0, 1], CrashPoint.Moment.allCases)
  func `a process that ends at any step loses nothing`(
    index: Int,
    moment: CrashPoint.Moment
  ) async throws {
    let stride = LongTests.isOn ? 1 : 3
    var step = 1 + Int(SeededGenerator.runSeed % UInt64(stride))
    while true {
      var history = SyncHistory(MemoryPlace())
      for name in ["laptop", "phone"] {
        try await history.join(as: "\(name)-\(index)-\(moment)-\(step)")
      }
      let crash = history.devices[index].crash
      crash.arm(at: step, moment)
      try await runScript(&history)
      let problems = try await history.settle()
      try await history.close()
      guard problems.isEmpty else {
        Issue.record("step \(step): \(problems.prefix(5).joined(separator: "; "))")
        return
      }
      if crash.count < step { break }
      step += stride
    }
    #expect(step > 40, "the script has many steps")
  }

  /// What two devices may do, with each rule in it.
  private func runScript(_ history: inout SyncHistory) async throws {
    let (laptop, phone) = (0, 1)
    let milk = try await history.add(title: "Milk", tags: ["home"], on: laptop)
    let eggs = try await history.add(on: laptop)
    let bread = try await history.add(on: laptop)
    let picture = try await history.add(imageOf: 300_000, on: laptop)
    // The same recording on both, before they meet.
    try await history.add("twin", imageOf: 0, title: "here", on: laptop)
    try await history.add("twin", imageOf: 0, title: "there", on: phone)
    try await history.synchronize(laptop)
    try await history.synchronize(phone)
    try await history.synchronize(laptop)

    // Edited apart, moved to the trash, deleted for good, and edited where that was not known.
    try await history.edit(milk, on: laptop)
    try await history.change(milk, SnippetEdit(title: "Oat milk", addedTags: ["shop"]), on: phone)
    try await history.edit(milk, on: phone)
    try await history.trash(eggs, on: laptop)
    try await history.delete(bread, on: laptop)
    try await history.edit(bread, on: phone)
    try await history.synchronize(laptop)
    try await history.synchronize(phone)
    try await history.synchronize(laptop)

    try await history.edit(milk, on: laptop)
    try await history.bringBack(eggs, on: phone)
    try await history.delete(picture, on: phone)
    try await history.change(milk, SnippetEdit(removedTags: ["home"]), on: phone)
    try await history.synchronize(phone)
    try await history.synchronize(laptop)
  }
}
