import CLibraryChecks
import CForbiddenCalls
import CProcess
import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetMedia

@Suite struct SystemCallFilterStatusTests {
  @Test func `what confining came to is told as what it is`() {
    #expect(SystemCallFilter(status: 0) == .on)
    #expect(SystemCallFilter(status: EINVAL) == .refused(reason: "Invalid argument"))
    #expect(
      SystemCallFilter(status: snippet_worker_no_filter_library.rawValue) == .libraryMissing
    )
    #expect(SystemCallFilter(status: snippet_worker_no_filter.rawValue) == .unsupported)
  }
}

#if os(Linux)

/// What a worker can no longer do once a file that it decodes has taken it over.
///
/// A machine may be without the library that writes the filter, or refuse it; CI does neither.
@Suite(.enabled(if: isFiltered || isCI), .temporaryDirectory, .timeLimit(.minutes(30)))
struct SystemCallFilterTests {
  @Test func `workers are under the filter`() throws {
    #expect(try Decoder.workers().systemCallFilter() == .on)
  }

  @Test func `a worker that has decoded is under it in each of its threads`() async {
    await #expect(processExitsWith: .success) {
      let media = Decoder.workers()
      let picture = MediaInput(try DemoFile.bytes("mountain-lake.jpg"))
      _ = try media.thumbnail(of: picture, as: ThumbnailRequest(maximumPixelSize: 64)) { false }

      let worker = try #require(try ChildProcesses.numbers().first)
      let threads = try ChildProcesses.threads(of: worker)

      #expect(!threads.isEmpty)
      for thread in threads {
        // The system's number for a filter.
        #expect(thread["Seccomp"] == "2" && thread["NoNewPrivs"] == "1", "\(thread)")
      }
    }
  }

  // Its threads wait in calls made before the filter came, which the system makes again.
  @Test func `a worker that was stopped goes on and comes to rest`() async {
    await #expect(processExitsWith: .success) {
      let media = Decoder.workers()
      let picture = MediaInput(try DemoFile.bytes("mountain-lake.jpg"))
      let request = ThumbnailRequest(maximumPixelSize: 64)
      _ = try media.thumbnail(of: picture, as: request) { false }
      let worker = try #require(try ChildProcesses.numbers().first)
      let number = try #require(Int32(worker))

      kill(number, SIGSTOP)
      try await until("each thread is stopped", within: .seconds(120)) {
        try ChildProcesses.threads(of: worker).allSatisfy { $0["State"] == "T (stopped)" }
      }
      kill(number, SIGCONT)

      try await until("each thread sleeps", within: .seconds(120)) {
        try ChildProcesses.threads(of: worker).allSatisfy { $0["State"] == "S (sleeping)" }
      }
      _ = try media.thumbnail(of: picture, as: request) { false }
      #expect(try ChildProcesses.numbers() == [worker])
    }
  }

  // Fails with 254, or one more than the number of the call that was not refused.
  @Test func `what a decoder has no need of is refused, in every thread`() async {
    await #expect(processExitsWith: .success) {
      guard snippet_worker_confine(1 << 28) == 0 else { _exit(254) }
      let allowed = [firstAllowedCall(), try await Threads.run { firstAllowedCall() }]
      // What an ordinary exit does needs more than is allowed.
      _exit((allowed.compactMap { $0 }.first ?? -1) + 1)
    }
  }

  // Otherwise the system itself might be what refuses them above.
  @Test(.enabled(if: isUnconfined))
  func `each of these calls is another one's without the filter`() {
    for number in 0..<snippet_forbidden_call_count()
    where snippet_forbidden_call_needs_rights(number) == 0 {
      let name = String(cString: snippet_forbidden_call_name(number))
      #expect(snippet_forbidden_call_error_apart(number) != EPERM, "\(name)")
    }
    #expect(snippet_forbidden_call_count() > 50)
  }

  // How each is declared was held to the headers when this was compiled.
  @Test(.enabled(if: snippet_filter_library_checked_call_count() > 0 || isCI))
  func `what is called of libseccomp is declared as in its headers`() {
    #expect(snippet_filter_library_checked_call_count() == 6)
  }
}

private let isCI = ProcessInfo.processInfo.environment["CI"] != nil
private let isFiltered = (try? Decoder.workers().systemCallFilter()) == .on

/// Whether this process itself is under no filter, as it would be in a container.
private let isUnconfined =
  (try? ChildProcesses.threads(of: "self").allSatisfy { $0["Seccomp"] == "0" }) == true

/// The first call that does not fail as the filter has it fail.
private func firstAllowedCall() -> Int32? {
  (0..<snippet_forbidden_call_count()).first { snippet_forbidden_call_error($0) != EPERM }
}

#endif
