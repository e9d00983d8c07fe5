import SnippetLoading
import SnippetStorage

/// A view that remembers all that its presenter makes it show, and hands on what a user does in it.
@MainActor
class RecordingView {
  fileprivate(set) var title = ""
  fileprivate(set) var text = ""
  fileprivate(set) var isPinned = false
  /// The fields that were shown, in the order in which they came.
  fileprivate(set) var fields: [SnippetField] = []
  fileprivate(set) var states: [LoadState<LoadedBlob>] = []
  fileprivate(set) var resetCount = 0
  /// The presenter, held as weakly as a framework would not hold it at all.
  fileprivate(set) weak var presenter: AnyObject?
  /// Called when a field is shown, from within.
  var onField: (SnippetField) -> Void = { _ in }
  /// What a user does: the closures keep what they need for it, as those of any view do.
  fileprivate(set) var tapPin: () -> Task<Void, Never>? = { nil }
  fileprivate(set) var tapDelete: () -> Task<Void, Never>? = { nil }
  fileprivate(set) var tapRetry: () -> Void = {}
  fileprivate(set) var focusTitle: () -> Void = {}
  fileprivate(set) var leaveTitle: () -> Void = {}

  init() {}

  static var identifier: String { SnippetDataSource.reuseIdentifier(of: Self.self) }

  var state: LoadState<LoadedBlob>? { states.last }

  /// Forgets what was recorded, to see what comes from here on.
  func forget() {
    fields = []
    states = []
  }
}

final class NoteView: RecordingView {}
final class PhotoView: RecordingView {}
final class VoiceView: RecordingView {}

/// Keeps a recording view in step.
final class RecordingPresenter<View: RecordingView>: CellPresenter {
  func connect(_ view: View, to sender: EditSender) {
    view.presenter = self
    view.tapPin = { [weak view] in
      sender.send(SnippetEdit(isPinned: view?.isPinned == false))
    }
    view.tapDelete = { sender.delete() }
    view.tapRetry = { sender.retry() }
    view.focusTitle = { sender.beginEditing(SnippetFields(.title)) }
    view.leaveTitle = { sender.endEditing() }
  }

  func update(_ field: SnippetField, of row: SnippetRow, in view: View) {
    view.fields.append(field)
    switch field {
    case .title: view.title = row.title
    case .preview: view.text = row.preview
    case .isPinned: view.isPinned = row.isPinned
    case .kind, .createdAt, .modifiedAt, .tags, .byteCount, .mediaType, .facts, .blob, .deletedAt:
      break
    }
    view.onField(field)
  }

  func show(_ state: LoadState<LoadedBlob>, of recipe: Recipe, in view: View) {
    view.states.append(state)
  }

  func prepareForReuse(_ view: View) {
    view.resetCount += 1
    view.states = []
  }
}

typealias NotePresenter = RecordingPresenter<NoteView>
typealias PhotoPresenter = RecordingPresenter<PhotoView>
typealias VoicePresenter = RecordingPresenter<VoiceView>
