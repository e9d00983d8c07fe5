import ArgumentParser
import Foundation
import SnipCore
import SnippetMedia

/// Shows a store in a window.
@main
struct SnipWindow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snip-window",
    abstract: "Show your snippets in a window.",
    discussion: """
      Takes the same store as snip: --store, else $SNIP_STORE, else the one in your data directory.

      Examples:
        snip-window
        snip-window --demo
        snip-window --store ~/notes.sqlite
        snip-window --install-desktop
      """,
    version: ProgramVersion.current
  )

  @Option(
    name: .customLong("store"),
    help: ArgumentHelp(
      "The file of the store. (default: $SNIP_STORE, else a file in your data directory)",
      valueName: "file"
    )
  )
  var path: String?

  @Flag(
    name: .customLong("demo"),
    help: "Show the sample library, in a store of its own unless another is named."
  )
  var isDemo = false

  @Flag(
    name: .customLong("install-desktop"),
    help: "Add the window to the menu of your desktop, with an icon, for you alone; then end."
  )
  var installs = false

  @Flag(
    name: .customLong("remove-desktop"),
    help: "Take it out of that menu again; then end."
  )
  var removes = false

  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      "When the window is closed, write as JSON how many frames and views there were.",
      valueName: "file",
      visibility: .hidden
    )
  )
  var reportPath: String?

  static func main() {
    // The windows decode pictures in processes of this very program.
    if CommandLine.arguments.dropFirst().first == WorkerMedia.subcommand {
      WorkerMedia.runWorker()
    } else {
      main(nil)
    }
  }

  func run() throws {
    #if GTK
    guard !installs, !removes else {
      for (file, outcome) in try installs ? DesktopEntry.install() : DesktopEntry.remove() {
        print("\(outcome)  \(file.path)")
      }
      return
    }
    let environment = ProcessInfo.processInfo.environment
    var location = try StoreLocation(option: path, environment: environment)
    if isDemo { location = location.ofDemo }
    let (isDemo, report) = (isDemo, reportPath.map { URL(filePath: $0) })
    let status = MainActor.assumeIsolated {
      WindowApplication(location, isDemo: isDemo, report: report).run()
    }
    if status != 0 { throw ExitCode(status) }
    #else
    throw CleanExit.message(
      """
      snip-window was built without GTK. On Debian and Ubuntu:
        apt-get install libgtk-4-dev && swift run -c release --traits GTK snip-window
      """
    )
    #endif
  }
}
