extension TrialFlaw {
  static let ofReuseIdentifiers: [TrialFlaw] = [
    TrialFlaw(
      article: .reuseIdentifiers,
      cause: "Two types of cells have the constant of the project.",
      list: ConstantIdentifierList.self,
      rule: .wrongType,
      setting: TrialSetting(rows: "aB"),
      events: [.show(0), .show(1), .end("B"), .turn]
    ),
    TrialFlaw(
      article: .reuseIdentifiers,
      cause: "Two subclasses inherit the identifier of their parent.",
      list: InheritedIdentifierList.self,
      rule: .wrongType,
      setting: TrialSetting(rows: "aB"),
      events: [.show(0), .show(1), .end("B"), .turn]
    ),
    TrialFlaw(
      article: .reuseIdentifiers,
      cause: "A nib with a cell that has no identifier is not noticed.",
      list: ForgottenIdentifierList.self,
      rule: .waste,
      setting: TrialSetting(rows: "ab"),
      events: [.show(0), .show(1), .clear]
    ),
  ]
}
