import SnippetBase
import SnippetLoading
import SnippetStorage
import SnippetTesting

/// A data source over made-up rows of all kinds, and a list that shows it.
@MainActor
final class PresenterFixture {
  let loading: ScriptedLoader
  let edits: FakeEdits
  let dataSource: SnippetDataSource
  let list: FakeListView

  var rows: ScriptedRows { loading.rows }
  var loader: SnippetLoader { loading.loader }

  init(
    rows: ScriptedRows = .mixed(count: 900),
    rules: RecipeRules = .originals,
    configure: (inout ScriptedLoader.Limits) -> Void = { _ in }
  ) {
    loading = ScriptedLoader(rows: rows, rules: rules, configure: configure)
    edits = FakeEdits(rows)
    dataSource = SnippetDataSource(loader: loading.loader, editor: SnippetEditor(edits))
    dataSource.register(NotePresenter.init, for: .text)
    dataSource.register(PhotoPresenter.init, for: .image)
    dataSource.register(VoicePresenter.init, for: .voice)
    list = FakeListView(dataSource)
  }

  func settle() {
    loading.settle()
  }

  /// Puts a row in place of the one with its number, and tells of the change.
  func replace(with row: SnippetRow) {
    rows.rows = rows.rows.map { $0.id == row.id ? row : $0 }
    rows.announce()
  }
}

/// Carries out edits on a list in memory, which tells of what has changed.
final class FakeEdits: EditReceiver {
  struct Performed: Hashable {
    /// The edit; `nil` for a deletion.
    let edit: SnippetEdit?
    let id: SnippetID
  }

  private let rows: ScriptedRows
  private let state = Lock<(performed: [Performed], error: LoadError?)>(([], nil))

  init(_ rows: ScriptedRows) {
    self.rows = rows
  }

  var performed: [Performed] { state.withLock(\.performed) }

  /// What the next edits fail with.
  var error: LoadError? {
    get { state.withLock(\.error) }
    set { state.withLock { $0.error = newValue } }
  }

  func apply(
    _ edits: [(edit: SnippetEdit, seen: SnippetRow)]
  ) async -> [Result<EditOutcome, any Error>] {
    edits.map { edit, row in Result { try apply(edit, to: row) } }
  }

  private func apply(_ edit: SnippetEdit, to seen: SnippetRow) throws -> EditOutcome {
    try note(edit, of: seen.id)
    guard let former = rows.rows.first(where: { $0.id == seen.id }) else {
      throw LoadError(.notFound)
    }
    let row = former.with(
      title: edit.title ?? former.title,
      isPinned: edit.isPinned ?? former.isPinned
    )
    rows.rows =
      edit.isInTrash == true
      ? rows.rows.filter { $0.id != row.id } : rows.rows.map { $0.id == row.id ? row : $0 }
    rows.announce()
    return EditOutcome(row: row, formerRevision: former.revision)
  }

  func delete(_ ids: [SnippetID]) async throws {
    for id in ids { try note(nil, of: id) }
    rows.rows = rows.rows.filter { !ids.contains($0.id) }
    rows.announce()
  }

  private func note(_ edit: SnippetEdit?, of id: SnippetID) throws {
    let error = state.withLock { state in
      state.performed.append(Performed(edit: edit, id: id))
      return state.error
    }
    if let error { throw error }
  }
}

extension ScriptedRows {
  /// Texts, pictures and recordings in turn; row *n* has the snippet *n* + 1.
  static func mixed(count: Int) -> ScriptedRows {
    ScriptedRows(
      (1...Int64(count)).map { id in
        switch id % 3 {
        case 1: .text(id, "text \(id)")
        case 2: .image(id)
        default: .voice(id)
        }
      }
    )
  }
}

extension SnippetRow {
  /// A recording; the blob has the number of the snippet.
  static func voice(_ id: Int64) -> SnippetRow {
    let image = SnippetRow.image(id)
    return SnippetRow(
      id: image.id,
      uuid: image.uuid,
      kind: .voice,
      title: "",
      createdAt: image.createdAt,
      modifiedAt: image.modifiedAt,
      byteCount: image.byteCount,
      mediaType: "audio/wav",
      blobID: image.blobID
    )
  }

  /// The next revision, with another title or pin.
  func with(title: String? = nil, isPinned: Bool? = nil) -> SnippetRow {
    SnippetRow(
      id: id,
      uuid: uuid,
      kind: kind,
      title: title ?? self.title,
      preview: preview,
      createdAt: createdAt,
      modifiedAt: modifiedAt,
      isPinned: isPinned ?? self.isPinned,
      tags: tags,
      byteCount: byteCount,
      mediaType: mediaType,
      facts: facts,
      revision: revision + 1,
      blobID: blobID
    )
  }
}
