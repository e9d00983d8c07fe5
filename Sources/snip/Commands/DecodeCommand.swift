import ArgumentParser
import SnipCore
import SnippetMedia

/// Decodes images and recordings for another `snip`, which started this one for it.
///
/// Hidden: without the socket from the other process, it ends at once.
struct DecodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: WorkerMedia.subcommand,
    abstract: "Decode images and recordings for another snip.",
    shouldDisplay: false
  )

  func run() {
    WorkerMedia.runWorker()
  }
}
