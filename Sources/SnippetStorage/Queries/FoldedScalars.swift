import SnippetBase

/// A cache of the folded forms of characters that stand alone, as nearly all do.
///
/// Foundation takes microseconds to fold a few characters, which would be most of the time of
/// indexing. A character that nothing after it joins always folds to the same, so it is folded once
/// in the life of a process, together with its neighbours in Unicode.
struct FoldedScalars {
  /// The folded form of a character.
  struct Fold {
    /// The part a character plays when a text is split into words.
    enum Role: UInt8 {
      /// It folds to nothing.
      case nothing
      /// It stands between words.
      case blank
      /// Its bytes are letters, digits or marks of a word.
      case word
      /// Its bytes are a sign that is a word of its own.
      case sign
      /// It folds to more bytes than fit here; use ``TextFolding``.
      case several
    }

    /// The UTF-8 bytes, starting at the lowest.
    var bytes: UInt64 = 0
    var byteCount: UInt8 = 0
    var role = Role.nothing
    /// Whether it can join the character before it; then the two are folded together.
    var joinsBefore = false
  }

  /// Neighbouring characters of Unicode.
  private final class Page: Sendable {
    static let scalarCount = 256

    let number: Int
    let folds: [Fold]

    init(_ number: Int) {
      self.number = number
      folds = (0..<Self.scalarCount).map { place in
        // Surrogates are not characters and occur in no text.
        Unicode.Scalar(UInt32(number * Self.scalarCount + place)).map(Fold.init(folding:)) ?? Fold()
      }
    }
  }

  private static let pages = Lock<[Int: Page]>([:])
  /// The number of pages at hand; a power of two.
  ///
  /// A text in one script needs one to three pages, one in Han or Hangul some dozens.
  private static let recentCount = 64

  /// The pages used last, each in the slot of its number, so that most lookups take no lock.
  private var recent = [Page?](repeating: nil, count: recentCount)
  /// The cache that was given back last: the next text is mostly in the same script.
  private static let idle = Lock<FoldedScalars?>(nil)

  /// Takes the cache that is idle, or an empty one.
  static func taken() -> FoldedScalars {
    idle.withLock { $0.take() } ?? FoldedScalars()
  }

  /// Leaves the cache to the next text.
  func giveBack() {
    Self.idle.withLock { $0 = self }
  }

  /// Returns the folded form of a character.
  mutating func fold(of value: UInt32) -> Fold {
    let number = Int(value) / Page.scalarCount
    let (slot, place) = (number % Self.recentCount, Int(value) % Page.scalarCount)
    if let page = recent[slot], page.number == number { return page.folds[place] }
    let page = Self.pages.withLock { pages in
      if let page = pages[number] { return page }
      let page = Page(number)
      pages[number] = page
      return page
    }
    recent[slot] = page
    return page.folds[place]
  }
}

extension FoldedScalars.Fold {
  fileprivate init(folding scalar: Unicode.Scalar) {
    self.init(TextFolding.folded(String(scalar)).unicodeScalars)
    joinsBefore = !scalar.joinsNothingBefore
  }

  /// Describes characters that are already folded.
  init(_ folded: some Collection<Unicode.Scalar>) {
    let roles = Set(folded.map(SearchText.role))
    let text = folded.flatMap { UTF8.encode(Self.shown($0)) ?? UTF8.EncodedScalar() }
    guard roles.isSubset(of: [.word]) || folded.count == 1,
      text.count <= MemoryLayout.size(ofValue: bytes)
    else {
      role = .several
      return
    }
    role = roles.first ?? .nothing
    byteCount = UInt8(text.count)
    bytes = text.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Replaces a control character with its picture, because the index ends a text at NUL.
  private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case ..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? scalar
    case 0x7F: "\u{2421}"
    default: scalar
    }
  }
}
