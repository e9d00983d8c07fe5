extension TrialFlaw {
  /// Every flaw of the articles that a schedule brings to light.
  static let all =
    ofCellSubclasses + ofOperationQueue + ofReuseIdentifiers + ofAwesynchronous + ofCellPresenter

  /// The flaws that no schedule shows, because the compiler, the types or the documentation answer
  /// for them.
  static let notOfSchedules: [(article: Article, flaws: String)] = [
    (
      .cellSubclasses,
      """
      a managed object on another thread; identifiers put together from strings; a setter that traps in \
      debug builds only; decoding at the first draw
      """
    ),
    (
      .operationQueue,
      """
      selectors that were never declared; a weak reference that is read again; no time limit; the scale of the screen \
      read off main; a property that hides the framework’s
      """
    ),
    (
      .reuseIdentifiers,
      """
      a macro in a prefix header; a mutator that does not exist; the bound and the reset of the pool, \
      which is UIKit’s
      """
    ),
    (
      .awesynchronous,
      """
      state written and read on several threads; a result that is given twice or never, where ours \
      returns or throws; untyped values; the class to inherit from; a cached value that is delivered \
      while the cell cannot be found, which depends on code that the article does not print; attempts \
      that announce themselves, which break the rule of the display that tells twice
      """
    ),
    (
      .cellPresenter,
      """
      a model that is changed from any thread; key paths that are ignored; one cell type for each list; \
      one observation for each cell; edits that answer each other
      """
    ),
  ]
}
