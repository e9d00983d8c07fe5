/// Makes one variant of a blob out of another: a thumbnail, a waveform, the beginning of a text.
///
/// To the loader a derivation is a load like any other: it runs on a worker, is made once for any
/// number of askers, is cached in bytes, and ends at its next piece when nobody waits any more. What
/// it is made from is loaded once too, whoever else needs it.
///
/// ```swift
/// struct Negative: BlobProcessor {
///   let variant = BlobVariant(rawValue: 7)
///
///   func process(_ input: LoadedBlob, into context: inout LoadContext) throws {
///     try context.append(Data(input.bytes.map { 255 - $0 }))
///   }
/// }
/// ```
public protocol BlobProcessor: Sendable {
  /// The variant that it makes. No two processors of a loader make the same.
  var variant: BlobVariant { get }

  /// The variant that it is made from. The default is the original.
  var input: BlobVariant { get }

  /// The larger variants in whose place this one may be shown while they load. The default is none.
  var standsInFor: [BlobVariant] { get }

  /// Makes the variant.
  ///
  /// - Parameters:
  ///   - input: What to make it from.
  ///   - context: Takes the bytes, and what was decoded from them; ends the work when nobody waits
  ///     for it any more. Long work looks at ``LoadContext/isCancelled`` now and then.
  /// - Throws: The error of the context as it is; a ``LoadError``, above all
  ///   ``LoadError/Code/undecodable``; any other error counts as that.
  func process(_ input: LoadedBlob, into context: inout LoadContext) throws
}

extension BlobProcessor {
  /// The original.
  public var input: BlobVariant { .original }

  /// None.
  public var standsInFor: [BlobVariant] { [] }
}
