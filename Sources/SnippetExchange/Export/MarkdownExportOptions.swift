public import Foundation

/// The settings of an export of Markdown notes.
public struct MarkdownExportOptions: Sendable, Hashable {
  /// The snippets that get a file in a folder that was imported, or that holds one.
  ///
  /// Any other folder gets all of them.
  public enum Scope: Sendable, Hashable, CaseIterable {
    /// Those with a file in the folder, because they came from there or were written there before.
    case ownFiles
    /// Those, and the snippets without a file in any folder.
    case ownFilesAndNew
    /// All of them; those that came from another folder are put below its name.
    case everything
  }

  /// The files in the folder whose snippets are in the trash, or were deleted for good.
  ///
  /// None is removed for good, and none that has changed since the last import or export is moved.
  /// The files of deleted snippets are known until a purge, and are moved by an export of everything.
  public enum TrashedFiles: Sendable, Hashable {
    /// They stay, and the next import brings their snippets back, or makes new ones.
    case stay
    /// They go to the trash of the desktop: that of freedesktop.org on Linux.
    case moveToTrash
    /// They go below another folder on the same disk, with the folders around them. It must not be
    /// inside the exported folder unless it is hidden there: an import would find the files again.
    case move(to: URL)
  }

  /// The snippets that get a file in a folder that was imported; by default those that have one.
  public var scope: Scope
  /// The files in the folder whose snippets are in the trash or deleted; by default they stay.
  public var trashedFiles: TrashedFiles
  /// Whether to write files again that were moved or removed in the folder since the last import or
  /// export; `false` by default.
  ///
  /// Without it they are reported, so that no file comes back beside one that was renamed, and an
  /// export to a folder in which none of its files is there fails: its disk may be missing.
  public var writesMissing: Bool
  /// Whether to report what an export would do, and write nothing; `false` by default.
  public var isDryRun: Bool

  /// Makes options.
  ///
  /// - Parameters:
  ///   - scope: The snippets that get a file in a folder that was imported.
  ///   - trashedFiles: The files whose snippets are in the trash or deleted.
  ///   - writesMissing: Whether to write files again that were moved or removed in the folder.
  ///   - isDryRun: Whether to write nothing.
  public init(
    scope: Scope = .ownFiles,
    trashedFiles: TrashedFiles = .stay,
    writesMissing: Bool = false,
    isDryRun: Bool = false
  ) {
    self.scope = scope
    self.trashedFiles = trashedFiles
    self.writesMissing = writesMissing
    self.isDryRun = isDryRun
  }
}
