#if GTK
import CGTK
import Foundation
import SnippetStorage

/// The window in the menu of a desktop: a file that describes it, and an icon.
enum DesktopEntry {
  /// The name of the program for desktops, and of both files.
  static let identifier = "snip.Window"

  enum Outcome: String {
    case written, unchanged, removed, missing
  }

  /// Writes the files for this user; those that are up to date stay.
  ///
  /// - Returns: The files, and what was done.
  static func install() throws -> [(URL, Outcome)] {
    let program = Bundle.main.executableURL?.path ?? CommandLine.arguments[0]
    return try files(for: program).map { file, content in
      if (try? Data(contentsOf: file)) == content { return (file, .unchanged) }
      try StoreSeam.requireNoStore(at: file.path, during: "install \(file.path)")
      let folder = file.deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try content.write(to: file, options: .atomic)
      return (file, .written)
    }
  }

  /// Removes the files.
  static func remove() throws -> [(URL, Outcome)] {
    try files(for: "").map { file, _ in
      guard FileManager.default.fileExists(atPath: file.path) else { return (file, .missing) }
      try FileManager.default.removeItem(at: file)
      return (file, .removed)
    }
  }

  private static func files(for program: String) -> [(URL, Data)] {
    let data = URL(filePath: String(cString: g_get_user_data_dir()))
    return [
      (
        data.appending(path: "applications/\(identifier).desktop"),
        Data(description(of: program).utf8)
      ),
      (
        data.appending(path: "icons/hicolor/scalable/apps/\(identifier).svg"),
        Data(PackageResources.icon_svg)
      ),
    ]
  }

  private static func description(of program: String) -> String {
    """
    [Desktop Entry]
    Type=Application
    Name=Snippets
    Comment=Keep texts, pictures and recordings
    Exec=\(quoted(program))
    Icon=\(identifier)
    Categories=Office;Utility;
    Keywords=note;clipboard;picture;recording;
    StartupNotify=true
    StartupWMClass=snip-window

    """
  }

  /// A word of a command, quoted twice: as an argument, and as a value of the file.
  private static func quoted(_ word: String) -> String {
    var argument = ""
    for character in word {
      if "\"`$\\".contains(character) { argument += "\\" }
      argument += character == "%" ? "%%" : String(character)
    }
    return "\"\(argument.replacing("\\", with: "\\\\"))\""
  }
}
#endif
