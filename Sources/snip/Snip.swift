import ArgumentParser

@main
struct Snip: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snip",
    abstract: "Keep text, image and voice snippets in one SQLite file."
  )
}
