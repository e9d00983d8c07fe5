import ArgumentParser
import SnipCore
import SnippetMedia

/// Decodes images and recordings for another `snip`, which started this one for it.
///
/// Not shown to anybody: without the socket that the other one gave it, it ends at once.
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
