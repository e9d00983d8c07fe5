/// A recycled cell: it shows a title and perhaps a picture, and remembers what it was told.
@MainActor
class TrialCell {
  enum Content: Hashable {
    case nothing
    /// It is on its way, after some attempts that failed.
    case placeholder(failedCount: Int)
    case picture(TrialPicture)
    case failure
  }

  /// What the screen has the cell for, unknown to the list on trial; `nil` in the pool.
  private(set) var item: TrialItem?
  /// Which bind of all binds was the last of this cell.
  private(set) var bindNumber = 0

  /// The picture that the cell is to load, as cells of article 003 know it themselves.
  var url: Character?
  /// What a tap does, as cells of article 004 know it.
  var tapClosure: (@MainActor () -> Void)?

  var title: String? { didSet { judge.cell(self, wasToldTitleAfter: oldValue) } }
  var content = Content.nothing { didSet { judge.cell(self, wasToldContentAfter: oldValue) } }

  private let judge: TrialJudge

  required init(_ judge: TrialJudge) {
    self.judge = judge
  }

  func bind(to item: TrialItem, _ number: Int) {
    self.item = item
    bindNumber = number
  }

  func unbind() { item = nil }

  /// Whether it shows the picture of its snippet.
  var hasOwnPicture: Bool {
    guard let item, case .picture(let picture) = content else { return false }
    return picture.name == item.picture
  }
}

/// The type of the cells of texts.
enum Notes {
  final class Row: TrialCell {}
}

/// The type of the cells of photos: another one of the same name.
enum Photos {
  final class Row: TrialCell {}
}

extension TrialItem.Kind {
  var cellType: TrialCell.Type {
    switch self {
    case .note: Notes.Row.self
    case .photo: Photos.Row.self
    }
  }
}
