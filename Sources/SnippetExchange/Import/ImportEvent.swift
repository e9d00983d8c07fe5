public import Foundation
public import SnippetStorage

/// The outcome of one file of an import.
///
/// A file is reported once its snippet is durable.
public struct ImportEvent: Sendable {
  /// An outcome of a file.
  ///
  /// The raw value is what `snip import --json` prints.
  public enum Outcome: String, Sendable, CaseIterable {
    /// The file became a snippet.
    case imported
    /// The snippet was in the trash and came back, because its file exists.
    ///
    /// It also took over any other changes in the file.
    case broughtBack
    /// The snippet was updated: the file changed, its folders became tags, another file tells more of
    /// it, the snippet had no file before and took over the values in it, or it got one of
    /// ``ImportOptions/tags``.
    case updated
    /// The file was renamed or moved within the folder; its snippet stays.
    case moved
    /// The folder was moved as a whole from another place, and its snippets have followed.
    ///
    /// Other events report its files.
    case movedFolder
    /// The file is gone, and its snippet was moved to the trash.
    case trashed
    /// Both the file and its snippet changed.
    ///
    /// The snippet stays as it is, and the file became a new snippet, unless it is gone. The next
    /// export of notes writes the snippet beside the file, or in its place if it is gone. Beside what
    /// another program has exported, such as a note of Google Keep, and into an archive it writes
    /// nothing.
    case conflict
    /// The file was skipped, because it has not changed since its last import or export.
    case unchanged
    /// The file was skipped, because a snippet has the same bytes.
    case duplicate
    /// The file was skipped, because it is not a known text, image or recording, or because the
    /// export around it has no place for it.
    case unsupported
    /// Something was left out: a link, a hidden file or folder, a pipe, a socket or a device, a file
    /// of the store itself, a member that leads out of its archive, an archive in another one, a file
    /// that only repeats or describes others, an older version of a note, an encrypted part of one,
    /// notebooks that do not become tags, or values of other programs for which a snippet has no
    /// place. So is what there is to say of a file that describes another picture than before, or is
    /// gone.
    case leftOut
    /// The file could not be read or saved.
    case failed
    /// The front matter cannot be read, so the fields at fault are ignored, or all where the others
    /// cannot be told from them; or a date in it cannot be read, so that date is.
    ///
    /// Another event reports the file itself.
    case unreadFrontMatter
    /// A value of the note or the picture, or of a file that describes it, is not taken over: a title,
    /// a tag, a date or a description. It stays in the file, but an export replaces a title that was
    /// changed in the store too.
    ///
    /// Another event reports the file itself.
    case unreadValue
    /// A value of the snippet gave way to that of its file: a date of creation that it was given,
    /// because both were changed, or what the file of an equal picture tells, which comes behind this
    /// one. The reason has the former value.
    ///
    /// Another event reports the file itself.
    case replacedValue
  }

  /// The outcome.
  public let outcome: Outcome
  /// The file.
  public let file: URL
  /// The snippet of the file; `nil` if it has none.
  public let snippetID: SnippetID?
  /// The size of the file in bytes; `nil` if it is unsupported or gone, failed, was left out unread,
  /// or has another event.
  public let byteCount: Int64?
  /// The former place of a moved file or folder; otherwise `nil`.
  public let formerFile: URL?
  /// The number of files that came along with a moved folder; otherwise `nil`.
  public let fileCount: Int?
  /// The snippet that a conflict has left without a file; otherwise `nil`.
  public let keptID: SnippetID?
  /// Whether the next export of notes into the folder writes that snippet.
  package let isKeptWritten: Bool
  /// The reason for an unsupported file, something left out, a failure, unread front matter, or an
  /// unread or a replaced value; otherwise `nil`.
  public let error: SnippetStoreError?

  init(
    _ outcome: Outcome,
    _ file: URL,
    _ snippetID: SnippetID? = nil,
    byteCount: Int64? = nil,
    from formerFile: URL? = nil,
    fileCount: Int? = nil,
    kept keptID: SnippetID? = nil,
    isKeptWritten: Bool = false,
    because error: SnippetStoreError? = nil
  ) {
    self.outcome = outcome
    self.file = file
    self.snippetID = snippetID
    self.byteCount = byteCount
    self.formerFile = formerFile
    self.fileCount = fileCount
    self.keptID = keptID
    self.isKeptWritten = isKeptWritten
    self.error = error
  }

  /// Whether this is no outcome of a file that the import has looked at.
  package var isNotice: Bool {
    [.movedFolder, .unreadFrontMatter, .unreadValue, .replacedValue].contains(outcome)
      || outcome == .leftOut && byteCount == nil
  }
}

extension LeftOut.Reason {
  /// The outcome of what is left out.
  var outcome: ImportEvent.Outcome {
    switch self {
    case .resourceWithoutFile, .encryptedItem, .damagedItem, .encryptedMember, .encryptedNote,
      .attachmentMissing, .resourceMissing, .resourceDamaged, .flawedXMP:
      .failed
    case .notInManifest, .itemOfJoplin, .unusedTag, .unfittingTag, .danglingTag: .unsupported
    case .link, .brokenLink, .linkOutside, .linkToImported, .hidden, .pipe, .socket, .device,
      .ofStore, .unfinished, .memberOutside, .memberNameTooLong, .memberWithoutContent,
      .memberWithoutName, .flawedMemberHead, .bytesBehindArchive, .replacedMember,
      .archiveInArchive, .sidecarWithoutPicture, .sidecarOfSeveral, .damagedSidecar,
      .damagedKeepNote, .xmpWithoutPicture, .album, .labelsOfNotes, .pagesOfNotes, .pageWithoutNote,
      .bundleWithoutText, .exportInFolder, .damagedNoteBesidePage, .olderState, .formerPages,
      .encryptedPart, .damagedNote, .notebooks, .valuesWithoutPlace, .describesOther,
      .describedFormer, .describedNoMore:
      .leftOut
    }
  }
}

/// The number of files for each outcome of an import.
public struct ImportReport: Sendable, Hashable {
  private var counts: [ImportEvent.Outcome: Int] = [:]
  /// The number of missing files whose snippets stay.
  public package(set) var missingCount = 0
  /// The size in bytes of the files that were imported or updated, brought snippets back or were
  /// in conflict.
  public private(set) var byteCount: Int64 = 0

  /// Makes an empty report.
  public init() {}

  /// The number of files with an outcome.
  public subscript(outcome: ImportEvent.Outcome) -> Int { counts[outcome, default: 0] }

  /// Counts the outcome of one file.
  package mutating func add(_ event: ImportEvent) {
    counts[event.outcome, default: 0] += 1
    switch event.outcome {
    case .imported, .broughtBack, .updated, .conflict: byteCount += event.byteCount ?? 0
    default: break
    }
  }
}
