import Foundation
import SnippetBase
import SnippetRecognition
import SnippetStorage

/// The properties that an import takes from the files of a picture or a recording without a side
/// file: from their bytes, names, folders and dates, and from what other files tell of them.
struct ToldProperties {
  private let titles: [String]
  private let tags: TagSet
  /// The tags within the bytes, and those that other files tell.
  private let fixedTags: [String]
  private let isPinned: Bool
  private let dates: [FileDates]

  /// Collects what files of a snippet tell; those that are still to be written get its date.
  init(of files: [VaultPaths.File], _ row: SnippetRow, _ content: RecognizedContent?, now: Date) {
    let described = files.compactMap { $0.origin?.note?.stillDescribed }
    let embedded = TextRules.fittingTitle(content?.title)
    titles = files.map { file in
      file.origin?.note?.stillDescribed?.title ?? embedded ?? FileNames.title(of: file.path)
    }
    let keywords = (content?.keywords ?? []).compactMap { TextRules.tag(ofKeyword: $0) }
    let folders = files.flatMap { FileNames.folderTags(of: $0.path) }
    fixedTags = keywords + described.flatMap { $0.tags ?? [] }
    tags = TagSet(fixedTags + folders)
    isPinned = described.contains { $0.pinned == true }
    dates = files.compactMap { file in
      FileDates(
        of: file.path,
        changedAt: file.source?.stamp.roughNanoseconds ?? row.modifiedAt.fileNanoseconds,
        file.origin?.note?.stillDescribed,
        content?.dates ?? DateEvidence(),
        now: now
      )
    }
  }

  /// Returns the removal of tags that every import finds again; `nil` if there are none.
  func keptTags(of row: SnippetRow) -> NoteFile.Omission? {
    let known = TagSet(row.tags)
    var named: Set<String> = []
    let kept = fixedTags.filter { !known.contains($0) && named.insert($0).inserted }
    return NoteFile.Omission(
      removalOf: kept,
      in: "the file itself, or another one that describes it,",
      outOf: "out there"
    )
  }

  /// Whether an import finds the date of creation.
  func tells(createdAt date: Date) -> Bool {
    dates.contains { $0.tell(date) }
  }

  /// Returns the changes to the front matter of a side file with which that says the rest.
  ///
  /// - Parameters:
  ///   - row: The snippet.
  ///   - found: The properties in the file so far; `nil` if there is none.
  ///   - others: Those in the side files of the same snippet beside its other files.
  /// - Returns: The changes; empty if nothing is missing.
  func edit(
    for row: SnippetRow,
    _ found: NoteMetadata?,
    besides others: [FileNote]
  ) -> FrontMatterEdit {
    var edit = FrontMatterEdit()
    let title = TextRules.fittingTitle(found?.title)
    if !row.title.isEmpty, row.title != title, !others.contains(where: { $0.title == row.title }),
      title != nil || !titles.contains(row.title)
    {
      edit.title = row.title
    }
    let listed = found?.listedTags ?? []
    let said = TagSet(listed.compactMap(TextRules.fittingTag) + others.flatMap { $0.tags ?? [] })
    let untold = row.tags.filter { !tags.contains($0) && !said.contains($0) }
    let known = TagSet(row.tags)
    // Values that cannot be tags in the store were not removed there.
    let kept = listed.filter { TextRules.fittingTag($0).map(known.contains) ?? true }
    if !untold.isEmpty || kept.count < listed.count { edit.tags = kept + untold }
    // In the folder that it came from a picture is not dated, as texts are not.
    if let date = found?.createdAt?.clampedToStore.milliseconds, date != row.createdAt.milliseconds,
      !others.contains(where: { $0.created == row.createdAt.milliseconds })
    {
      edit.createdAt = row.createdAt
    }
    if !row.isPinned {
      if found?.isPinned == true { edit.isPinned = false }
    } else if found?.isPinned != true, !isPinned, !others.contains(where: { $0.pinned == true }) {
      edit.isPinned = true
    }
    return edit
  }
}
