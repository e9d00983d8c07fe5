public import SnippetStorage

/// Computes a derivative from a blob or from another derivative: a thumbnail, a waveform, the
/// beginning of a text.
///
/// To the loader a derivation is a load like any other. It runs on a worker, is computed once for
/// any number of cells that wait, is cached in bytes, and ends at its next piece when nobody waits
/// any more. Its input is loaded once too, whatever else needs it.
///
/// ```swift
/// struct Negative: BlobProcessor {
///   let recipe = Recipe("negative")
///
///   func process(_ input: LoadedBlob, into context: inout LoadContext) throws {
///     try context.append(Data(input.bytes.map { 255 - $0 }))
///   }
/// }
/// ```
public protocol BlobProcessor: Sendable {
  /// What it computes. Of two processors of a loader with the same recipe, the later one is used.
  var recipe: Recipe { get }

  /// What it can compute that from, the best first: it gets the first that the loader's source
  /// offers or another processor computes. The default is the original.
  var inputs: [Recipe] { get }

  /// The recipes in whose place this one's result may be shown while they load. The default is
  /// none.
  var standsInFor: [Recipe] { get }

  /// Computes the derivative.
  ///
  /// - Parameters:
  ///   - input: What to compute it from; its key says by which of the ``inputs`` it was made.
  ///   - context: Takes the bytes and what was decoded from them, and ends the work when no cell
  ///     waits any more. Long work checks ``LoadContext/isCancelled`` now and then.
  /// - Throws: The error of the context as it is; a ``LoadError``, above all
  ///   ``LoadError/Code/undecodable``; any other error counts as that.
  func process(_ input: LoadedBlob, into context: inout LoadContext) throws
}

extension BlobProcessor {
  /// The original.
  public var inputs: [Recipe] { [.original] }

  /// None.
  public var standsInFor: [Recipe] { [] }
}
