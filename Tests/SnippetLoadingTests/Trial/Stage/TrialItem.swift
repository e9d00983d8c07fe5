/// A snippet as the articles know it: an object that anybody may change, and that tells of it.
@MainActor
final class TrialItem {
  enum Kind: Hashable {
    /// A text, all in its row.
    case note
    /// A picture, which has to be loaded.
    case photo
  }

  let name: Character
  let kind: Kind
  /// The pictures that it has had, the one that it has last; two snippets may have the same.
  private(set) var pictures: [Character]
  private(set) var revision = 1
  /// Called at every change, of the same value too.
  var propertyChanged: [@MainActor (TrialItem) -> Void] = []

  /// Makes a text for a small letter, a photo for a capital.
  init(_ name: Character, picture: Character? = nil) {
    self.name = name
    kind = name.isLowercase ? .note : .photo
    pictures = [picture ?? name]
  }

  /// The picture that is loaded for it.
  var picture: Character { pictures[pictures.count - 1] }

  /// The cheap content: it tells its snippet and revision.
  var title: String { "\(name)\(revision)" }

  /// Sets the title, to another value or to the one that it has.
  func edit(toOther: Bool) {
    if toOther { revision += 1 }
    for handler in propertyChanged { handler(self) }
  }

  /// Gives it another picture.
  func repaint(with picture: Character) {
    pictures.append(picture)
    edit(toOther: true)
  }
}

/// What a load brings.
struct TrialPicture: Hashable {
  let name: Character
  /// Which of the pictures that the source has had.
  let version: Int
}

/// How a load ends.
enum TrialAnswer: Hashable {
  case picture(TrialPicture)
  case failure
}
