/// One parser, and what must hold whatever bytes it is given.
///
/// The bytes come from a fuzzer, or from the corpus in `Tests/Fuzzing/Corpora`. A parser must not
/// trap on any; what it makes of them must keep the rules of its target.
struct FuzzTarget: Sendable {
  /// What it is chosen by; its corpus is the folder of that name.
  let name: String
  /// Gives the parser some bytes.
  let check: @Sendable (UnsafeRawBufferPointer) throws -> Void

  /// Names a check.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - check: Throws ``BrokenRule`` where a rule does not hold.
  init(_ name: String, _ check: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void) {
    self.name = name
    self.check = check
  }

  /// Every parser of bytes or texts that come from anywhere.
  static let all: [FuzzTarget] = [
    .archive, .bundle, .changeRecord, .content, .dates, .derivative, .enex, .enml, .exportedName,
    .folding, .joplin, .keep, .keys, .listing, .logFile, .manifest, .note, .raw, .recording,
    .sealedObject, .search, .sidecar, .terminal, .text, .toml, .values, .worker,
  ]
}

/// What a target says when a rule does not hold.
struct BrokenRule: Error, CustomStringConvertible {
  /// The rule, and what broke it.
  let description: String
}

/// Requires a rule to hold.
///
/// - Parameters:
///   - holds: Whether it does.
///   - rule: The rule, and what breaks it.
/// - Throws: ``BrokenRule`` when it does not.
func require(_ holds: Bool, _ rule: @autoclosure () -> String) throws(BrokenRule) {
  if !holds { throw BrokenRule(description: rule()) }
}
