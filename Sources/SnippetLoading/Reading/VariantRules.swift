public import SnippetStorage

/// Which variants of their blobs the rows of a list need, and how variants are made.
///
/// ```swift
/// let rules = VariantRules(processors: [Thumbnail(), LargeThumbnail()]) { row, range in
///   guard row.kind == .image else { return [.original] }
///   return range == .preload ? [.thumbnail] : [.largeThumbnail]
/// }
/// ```
public struct VariantRules: Sendable {
  /// What makes the variants that the source does not have.
  public let processors: [any BlobProcessor]

  /// The variants that a row needs, each one a load of its own with a state of its own.
  ///
  /// Asked on the main actor for every row around the viewport, so the answer must be quick and
  /// depend on nothing but what it is given. A row without a blob is not asked about.
  public let wanted: @Sendable (SnippetRow, LoadRange) -> [BlobVariant]

  private let processorByVariant: [BlobVariant: any BlobProcessor]
  /// What each variant is made from, asked once: the loader looks it up under its lock.
  private let inputByVariant: [BlobVariant: BlobVariant]
  private let standInsByVariant: [BlobVariant: [BlobVariant]]

  /// Every row needs the bytes as they are stored.
  public static let originals = Self()

  /// Makes rules.
  ///
  /// - Parameters:
  ///   - processors: What makes the variants that the source does not have. Among those that may
  ///     stand in for the same variant, the later ones come first. No two may make the same variant,
  ///     and none may be made from itself, directly or by way of others.
  ///   - wanted: The variants that a row needs. The default is the original of every row.
  public init(
    processors: [any BlobProcessor] = [],
    wanted: @escaping @Sendable (SnippetRow, LoadRange) -> [BlobVariant] = originalOfEveryRow
  ) {
    self.processors = processors
    self.wanted = wanted
    var byVariant: [BlobVariant: any BlobProcessor] = [:]
    var standIns: [BlobVariant: [BlobVariant]] = [:]
    for processor in processors {
      let former = byVariant.updateValue(processor, forKey: processor.variant)
      precondition(former == nil, "Two processors make the variant \(processor.variant.rawValue).")
      for larger in processor.standsInFor {
        standIns[larger, default: []].insert(processor.variant, at: 0)
      }
    }
    let inputs = byVariant.mapValues(\.input)
    processorByVariant = byVariant
    inputByVariant = inputs
    standInsByVariant = standIns
    for variant in inputs.keys {
      var source = variant
      for _ in inputs {
        guard let input = inputs[source] else { break }
        source = input
      }
      precondition(
        inputs[source] == nil,
        "The variant \(variant.rawValue) would be made from itself."
      )
    }
  }

  /// What makes a variant; `nil` for one that comes from the source.
  func processor(of variant: BlobVariant) -> (any BlobProcessor)? {
    processorByVariant[variant]
  }

  /// What a load is made from; `nil` for one that comes from the source.
  func input(of key: LoadKey) -> LoadKey? {
    inputByVariant[key.variant].map { LoadKey(blobID: key.blobID, variant: $0) }
  }

  /// The variants that may be shown while this one loads, the best first.
  func standIns(for variant: BlobVariant) -> [BlobVariant] {
    standInsByVariant[variant] ?? []
  }

  /// Tells that a row needs the original of its blob, whatever the row and the range.
  public static let originalOfEveryRow: @Sendable (SnippetRow, LoadRange) -> [BlobVariant] = {
    _,
    _ in original
  }

  // One array for all rows, so that asking allocates nothing.
  private static let original: [BlobVariant] = [.original]
}
