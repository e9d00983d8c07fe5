/// “Table View Cells Redux”: a cell type says itself what it is reused by.
///
/// Each list is one way in which its table goes wrong; what cells show is set at once.
@MainActor
class ReuseIdentifierList: ArticleList {
  let stage: TrialStage

  required init(_ stage: TrialStage) {
    self.stage = stage
  }

  func identifier(for kind: TrialItem.Kind) -> String { String(reflecting: kind.cellType) }
  func identifier(of cell: TrialCell) -> String? { String(reflecting: type(of: cell)) }

  func configure(_ cell: TrialCell, at position: Int) {
    cell.title = stage.model.rows[position].title
  }
}

/// The constant of ConstantsAndMacros.h, which the whole project has.
private let tableCellIdentifier = "Table Cell Identifier"

/// Two types of cells, and both of them use the constant.
final class ConstantIdentifierList: ReuseIdentifierList {
  override func identifier(for kind: TrialItem.Kind) -> String { tableCellIdentifier }
  override func identifier(of cell: TrialCell) -> String? { tableCellIdentifier }
}

/// Two subclasses of the article’s cell, which inherit its class method.
final class InheritedIdentifierList: ReuseIdentifierList {
  private class TestCell {
    class var reuseIdentifier: String { tableCellIdentifier }
  }

  private final class NoteCell: TestCell {}
  private final class PhotoCell: TestCell {}

  override func identifier(for kind: TrialItem.Kind) -> String {
    switch kind {
    case .note: NoteCell.reuseIdentifier
    case .photo: PhotoCell.reuseIdentifier
    }
  }

  override func identifier(of cell: TrialCell) -> String? {
    cell is Notes.Row ? NoteCell.reuseIdentifier : PhotoCell.reuseIdentifier
  }
}

/// The nib holds another cell than was asked for, without an identifier: the mistake that the
/// article tells of, and which its own code does not notice.
final class ForgottenIdentifierList: ReuseIdentifierList {
  override func identifier(of cell: TrialCell) -> String? { nil }
}
