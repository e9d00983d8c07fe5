/// The list and the source of the pictures, as they are.
@MainActor
final class TrialModel {
  private(set) var rows: [TrialItem]
  private(set) var broken: Set<Character>
  private var versions: [Character: Int] = [:]
  private let newcomer: Character

  init(_ setting: TrialSetting) {
    rows = setting.rows.map { TrialItem($0, picture: setting.samePictures[$0]) }
    broken = setting.broken
    newcomer = setting.newcomer
  }

  var hasNewcomer: Bool { item(newcomer) != nil }

  func item(_ name: Character) -> TrialItem? { rows.first { $0.name == name } }

  func insertNewcomer() { rows.insert(TrialItem(newcomer), at: 0) }

  func removeFirst() { rows.removeFirst() }

  /// The picture that the source has now.
  func picture(_ name: Character) -> TrialPicture {
    TrialPicture(name: name, version: versions[name, default: 1])
  }

  /// What a load that begins now ends with.
  func answer(for name: Character) -> TrialAnswer {
    broken.contains(name) ? .failure : .picture(picture(name))
  }

  /// Puts another picture in the place of the one that the source had.
  func replacePicture(_ name: Character) { versions[name, default: 1] += 1 }

  func mend() { broken = [] }
}
