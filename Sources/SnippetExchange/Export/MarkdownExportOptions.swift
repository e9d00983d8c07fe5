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

  /// The snippets that get a file in a folder that was imported; by default those that have one.
  public var scope: Scope
  /// Whether to report what an export would do, and write nothing; `false` by default.
  public var isDryRun: Bool

  /// Makes options.
  ///
  /// - Parameters:
  ///   - scope: The snippets that get a file in a folder that was imported.
  ///   - isDryRun: Whether to write nothing.
  public init(scope: Scope = .ownFiles, isDryRun: Bool = false) {
    self.scope = scope
    self.isDryRun = isDryRun
  }
}
