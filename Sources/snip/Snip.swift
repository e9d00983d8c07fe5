import ArgumentParser
import CProcess
import Dispatch
import Foundation
import SnipCore
import SnippetMedia
import TerminalKit

// Not asynchronous: that would need a thread before the first line.
@main
enum Main {
  static func main() {
    snippet_heap_share()
    let environment = ProcessInfo.processInfo.environment
    // Before anything is opened.
    let console = Console.ofProcess(environment: environment)
    let arguments: [String]
    do {
      try StartRoom.require()
      try ProcessWords.checkVariable("SNIP_STORE")
      arguments = try ProcessWords.arguments()
    } catch {
      exit(console.report(error).rawValue)
    }
    Task { @MainActor in await run(arguments, environment) }
    dispatchMain()
  }

  @MainActor
  private static func run(_ arguments: [String], _ environment: [String: String]) async {
    let interrupts = Interrupts {
      ReplacementFile.removeUnfinished()
      Interrupts.endProcessAtOnce()
    }
    // Only now: its handlers need threads.
    let signals = SignalWatch(interrupts)
    defer { signals.stop() }
    let program = Program(
      environment: environment,
      input: CommandInput(),
      folder: nil,
      interrupts: interrupts,
      console: { .ofProcess(environment: $0) }
    )
    switch await program.run(arguments) {
    case .status(let status): exit(status.rawValue)
    case .worker: WorkerMedia.runWorker()
    }
  }
}
