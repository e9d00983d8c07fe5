public import Foundation
import SnippetStorage

/// The reason why a cell did not get its content.
///
/// Codes may be added, so a `switch` needs a `default`.
public struct LoadError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure, for a program to act on.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private let name: String

    /// The load was cancelled, by the source or because the loader was closed.
    public static let cancelled = Self(name: "cancelled")
    /// There is no such blob, because it has been deleted.
    public static let notFound = Self(name: "notFound")
    /// The source failed to read the blob.
    public static let unreadable = Self(name: "unreadable")
    /// The processor cannot decode the bytes.
    public static let undecodable = Self(name: "undecodable")
    /// The source took longer than ``LoadPipeline/Configuration/loadTimeout``.
    public static let timedOut = Self(name: "timedOut")
    /// The blob is larger than ``LoadPipeline/Configuration/maximumBlobByteCount``.
    public static let tooLarge = Self(name: "tooLarge")
    /// The row at this position could not be read, or the list is shorter than that.
    public static let rowUnavailable = Self(name: "rowUnavailable")
    /// Neither the source nor a processor of the loader makes the recipe.
    public static let recipeUnavailable = Self(name: "recipeUnavailable")
    /// The program that decodes cannot be run.
    public static let decoderUnavailable = Self(name: "decoderUnavailable")
    /// The data source has no presenter for the kind of snippet, or the view has the wrong class.
    public static let notPresentable = Self(name: "notPresentable")

    /// The name of the code.
    public var description: String { name }
  }

  /// The kind of failure.
  public let code: Code
  /// The cause in the source's words; `nil` when the code says it all.
  public let reason: String?
  /// The advice of the source, where it knows better than the code.
  private let advice: String?

  /// Makes an error, for a source to throw.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - reason: The cause in words that complete “Could not load the blob: …”. The default follows
  ///     from the code.
  ///   - recoverySuggestion: The advice in whole sentences. The default follows from the code.
  public init(_ code: Code, reason: String? = nil, recoverySuggestion: String? = nil) {
    self.code = code
    self.reason = reason
    advice = recoverySuggestion
  }

  /// Whether the same load may succeed later.
  ///
  /// A blob that is gone never comes back, because blobs do not change and their numbers are not
  /// reused.
  public var isRetryable: Bool {
    switch code {
    case .notFound, .undecodable, .tooLarge, .recipeUnavailable, .decoderUnavailable,
      .notPresentable:
      false
    default: true
    }
  }

  /// Advice for the user; `nil` when there is none.
  public var recoverySuggestion: String? {
    let advice = advice ?? defaultAdvice
    return advice.isEmpty ? nil : advice
  }

  private var defaultAdvice: String {
    switch code {
    case .cancelled: "Bind the cell again to ask again."
    case .notFound: "The snippet was deleted or its content replaced; reload the list."
    case .undecodable: "Show the original, or the kind of content."
    case .tooLarge: "Read it from the store in pieces, or raise the loader's maximum."
    case .rowUnavailable: "Tell the loader that the rows changed, then bind the cell again."
    case .recipeUnavailable: "Make the loader with a source or a processor that makes it."
    case .decoderUnavailable: "Check that the program that decodes is there and can be run."
    case .notPresentable: "Register a presenter for each kind, and present in views of its type."
    default: "Bind the cell again to try again; if it stays, check the store."
    }
  }

  /// The failure, its reason, and a suggestion.
  public var description: String {
    recoverySuggestion.map { "\(sentence) \($0)" } ?? sentence
  }

  /// The failure and its reason, as `localizedDescription` shows them.
  public var errorDescription: String? { sentence }

  private var sentence: String {
    let subject =
      switch code {
      case .rowUnavailable: "read the list"
      case .notPresentable: "show the snippet"
      default: "load the blob"
      }
    return "Could not \(subject): \(cause)."
  }

  /// The cause in words, from the source or from the code, for a cell to show.
  public var cause: String { reason ?? defaultReason }

  private var defaultReason: String {
    switch code {
    case .cancelled: "the load was cancelled"
    case .notFound: "there is no such blob"
    case .undecodable: "its bytes cannot be decoded"
    case .timedOut: "it took too long"
    case .tooLarge: "it is too large to be held in memory"
    case .rowUnavailable: "there is no row at this position"
    case .recipeUnavailable: "nothing here can make it"
    case .decoderUnavailable: "the program that decodes cannot be run"
    case .notPresentable: "no presenter fits it"
    default: "the source failed"
    }
  }

  /// The error when a loader is made and a recipe is unavailable.
  init(missing recipe: Recipe, madeFrom root: Recipe) {
    let reason =
      recipe == root
      ? "no processor makes “\(recipe)”, and the source does not offer it"
      : "“\(recipe)” is made from “\(root)”, which the source does not offer"
    self.init(.recipeUnavailable, reason: reason)
  }

  /// The error of a recipe that nothing makes.
  init(missing recipe: Recipe) {
    self.init(.recipeUnavailable, reason: "nothing here makes “\(recipe)” of it")
  }

  /// Describes an error of a source.
  init(readingBlob error: any Error) {
    self.init(error, else: .unreadable)
  }

  /// Describes an error of a processor.
  init(processingBlob error: any Error) {
    self.init(error, else: .undecodable)
  }

  /// Describes an error of a list.
  init(readingRows error: any Error) {
    if let error = error as? LoadError, error.code != .rowUnavailable {
      self.init(.rowUnavailable, reason: error.cause)
    } else {
      self.init(error, else: .rowUnavailable)
    }
  }

  private init(_ error: any Error, else code: Code) {
    switch error {
    case let error as LoadError: self = error
    case is CancellationError: self.init(.cancelled)
    case let error as SnippetStoreError:
      // Its whole sentence would be nested in another one.
      self.init(code, reason: error.reason, recoverySuggestion: error.recoverySuggestion)
    default: self.init(code, reason: SnippetStoreError.reason(of: error))
    }
  }
}
