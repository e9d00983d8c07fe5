import SnippetBase
import Testing

struct PeakMemoryTests {
  // In a process of its own: as much as all tests together need at most is held once more.
  @Test func `the peak of memory grows with what is held`() async {
    await #expect(processExitsWith: .success) {
      let before = try #require(PeakMemory.byteCount)
      let held = [UInt8](repeating: 1, count: Int(before) + 64 << 20)
      let after = try #require(PeakMemory.byteCount)

      #expect(after >= Int64(held.count))
      #expect(try #require(PeakMemory.maximumResidentSize) >= after / 2)
    }
  }

  @Test(
    arguments: [
      ("Name:\tsnip\nVmHWM:\t    1024 kB\nVmRSS:\t 512 kB\n", 1_048_576), ("VmRSS: 512 kB\n", nil),
      ("VmHWM: lots kB\n", nil), ("VmHWM: 1 MB\n", nil), ("VmHWM: 9223372036854775807 kB\n", nil),
      ("", nil),
    ] as [(String, Int64?)]
  )
  func `the peak is read from the status of a process`(status: String, byteCount: Int64?) {
    #expect(PeakMemory.byteCount(of: "VmHWM", inStatus: status) == byteCount)
  }
}
