import ArgumentParser
import SnipCore

/// The command `snip`.
struct Snip: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snip",
    abstract: "Keep text, image and voice snippets in one SQLite file.",
    discussion: """
      Start with:
        snip demo                     a sample library to play with
        snip import ~/Notes ~/Photos  every text, picture and recording below them
        snip list                     all snippets, newest first

      The store is the file that --store names, else $SNIP_STORE, else a file in your data \
      directory. `snip info` shows which.
      """,
    version: ProgramVersion.current,
    groupedSubcommands: [
      CommandGroup(
        name: "Adding",
        subcommands: [
          ImportCommand.self, AddCommand.self, CaptureCommand.self, DemoCommand.self,
        ]
      ),
      CommandGroup(
        name: "Finding and reading",
        subcommands: [
          ListCommand.self, BrowseCommand.self, SearchCommand.self, ShowCommand.self,
          CatCommand.self, OpenCommand.self, PlayCommand.self,
        ]
      ),
      CommandGroup(
        name: "Changing",
        subcommands: [
          TagCommand.self, EditCommand.self, RemoveCommand.self, UndeleteCommand.self,
          PurgeCommand.self,
        ]
      ),
      CommandGroup(
        name: "Inspecting",
        subcommands: [
          InfoCommand.self, DoctorCommand.self, WatchCommand.self, ScrollCommand.self,
          DecodeCommand.self,
        ]
      ),
      CommandGroup(
        name: "Keeping safe",
        subcommands: [
          BackupCommand.self, RestoreCommand.self, ExportCommand.self, CheckCommand.self,
          SalvageCommand.self, DeriveCommand.self, GarbageCommand.self, SyncCommand.self,
        ]
      ),
      CommandGroup(name: "Installing", subcommands: [SetupCommand.self]),
    ]
  )
}
