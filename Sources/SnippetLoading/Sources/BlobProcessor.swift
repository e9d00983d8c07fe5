public import SnippetStorage

/// Computes a derivative from a blob or from another derivative: a thumbnail, a waveform, the
/// beginning of a text.
///
/// For the loader a derivation is a load like any other. It runs on a worker, is computed once for
/// any number of waiting cells, is cached in bytes, and ends at its next piece when no cell waits
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
  /// The recipe that it computes.
  ///
  /// If two processors of a loader have the same one, the later is used.
  var recipe: Recipe { get }

  /// The recipes that it can compute that from, the best first.
  ///
  /// It gets the first one that the loader's source offers or another processor computes. The
  /// default is the original.
  var inputs: [Recipe] { get }

  /// The recipes in whose place its result may be shown while they load.
  ///
  /// The default is none.
  var standsInFor: [Recipe] { get }

  /// Computes the derivative.
  ///
  /// - Parameters:
  ///   - input: The blob to compute it from; its key names the one of the ``inputs`` that was used.
  ///   - context: Takes the bytes and the decoded content, and ends the work when no cell waits any
  ///     more. Long work checks ``LoadContext/isCancelled`` now and then.
  /// - Throws: Errors of the context, unchanged, or a ``LoadError``, above all
  ///   ``LoadError/Code/undecodable``; any other error counts as that.
  func process(_ input: LoadedBlob, into context: inout LoadContext) throws
}

extension BlobProcessor {
  /// The original.
  public var inputs: [Recipe] { [.original] }

  /// None.
  public var standsInFor: [Recipe] { [] }
}
