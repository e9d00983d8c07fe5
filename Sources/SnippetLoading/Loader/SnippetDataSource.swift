internal import Foundation
public import SnippetStorage

/// Everything a list on screen needs: its length, the type of view for each position, and the
/// content of each view, kept up to date.
///
/// You only write the views of the screen and their presenters:
///
/// ```swift
/// let dataSource = SnippetDataSource(list: store.list(), store: store)
/// dataSource.register(NotePresenter.init, for: .text)
/// dataSource.register(PhotoPresenter.init, for: .image)
/// dataSource.register(VoicePresenter.init, for: .voice)
/// dataSource.changeHandler = { [weak table] _ in table?.reloadData() }
/// ```
///
/// A row that no presenter fits, because its kind is not registered or the view has another class,
/// never traps: the view stays empty, ``present(_:in:)`` fails with
/// ``LoadError/Code/notPresentable``, and ``misuseHandler`` says why.
///
/// Its methods match those of `UITableViewDataSource`, `UICollectionView` and their delegates, with
/// positions in place of index paths. A screen may have several data sources, and a part of a
/// screen its own.
@MainActor
public final class SnippetDataSource: EditTarget {
  /// The loader that brings rows and blobs to the presenters.
  public let loader: SnippetLoader

  /// Called when positions on screen may show other snippets, or the list is longer or shorter.
  ///
  /// Lay out and present the views again. It is called too once a long list has been counted, where
  /// the configuration of the loader does not count first.
  ///
  /// The change says how far to scroll to keep the rows on screen where they are.
  public var changeHandler: (@MainActor (ListChange) -> Void)? {
    get { loader.listChangeHandler }
    set { loader.listChangeHandler = newValue }
  }

  /// Called when views are created again and again instead of being reused, which is slow and easy
  /// to miss.
  ///
  /// The default stops a debug build, and writes to standard error in a release.
  public var brokenReuseHandler: @MainActor (String) -> Void {
    get { reuse.handler }
    set { reuse.handler = newValue }
  }

  /// Called with mistakes of the app: a kind without a presenter, a view of the wrong class, a
  /// presenter for content that the rules never want.
  ///
  /// The default writes each message to standard error once, in release builds too.
  public var misuseHandler: @MainActor (String) -> Void = { MisuseLog.note($0) }

  private var registry = PresenterRegistry()
  private var presenters = PresenterTable()
  private var reuse = ReuseWatch()

  /// Carries out the edits of views; `nil` when they lead nowhere.
  public var editor: SnippetEditor? { loader.editor }

  /// Makes a data source on top of a loader.
  ///
  /// - Parameters:
  ///   - loader: Brings rows and blobs. Its list change handler belongs to the data source.
  ///   - editor: Carries out the edits of views. The default is that of the loader; without any, an
  ///     edit does nothing, which ``misuseHandler`` says.
  public init(loader: SnippetLoader, editor: SnippetEditor? = nil) {
    self.loader = loader
    if let editor { loader.editor = editor }
  }

  /// Makes a data source for a list of a store whose rows need the originals of their blobs.
  ///
  /// - Parameters:
  ///   - list: The list, such as a `SnippetList` or `SearchResults`.
  ///   - store: The store that the list is of; it carries out the edits.
  ///   - configuration: The limits of the loader.
  public convenience init(
    list: any RowList,
    store: SnippetStore,
    configuration: SnippetLoader.Configuration = .init()
  ) {
    self.init(
      loader: SnippetLoader(list: list, store: store, configuration: configuration),
      editor: SnippetEditor(store)
    )
  }

  /// Registers the presenter, and with it the view, of a kind of snippet.
  ///
  /// - Parameters:
  ///   - make: Makes a presenter, usually its initializer. It is called once for each view, and
  ///     again when a view has passed to a presenter of another class and comes back.
  ///   - kind: The kind of snippet. Registering it again replaces the presenter.
  public func register<Presenter: CellPresenter>(
    _ make: @escaping @MainActor () -> Presenter,
    for kind: SnippetKind
  ) {
    register(PresenterRegistry.Registration(make, where: nil), for: kind)
  }

  /// Registers the presenter, and with it the view, of some snippets of a kind.
  ///
  /// If a change makes a row need another view, the list is reloaded.
  ///
  /// - Parameters:
  ///   - make: Makes a presenter, usually its initializer. It is called once for each view, and
  ///     again when a view has passed to a presenter of another class and comes back.
  ///   - kind: The kind of snippet.
  ///   - isShown: Whether the presenter shows a row. It is called often, so it must be quick and
  ///     depend on nothing but the row. If several presenters fit, the one registered first is
  ///     used.
  public func register<Presenter: CellPresenter>(
    _ make: @escaping @MainActor () -> Presenter,
    for kind: SnippetKind,
    where isShown: @escaping @Sendable (SnippetRow) -> Bool
  ) {
    register(PresenterRegistry.Registration(make, where: isShown), for: kind)
  }

  private func register(_ registration: PresenterRegistry.Registration, for kind: SnippetKind) {
    registry.insert(registration, for: kind)
    loader.reader.setSameView(registry.takesSameView)
  }

  /// The kinds of snippets for which a presenter is registered.
  package var registeredKinds: [SnippetKind] {
    SnippetKind.allCases.filter { registry.registration(of: $0) != nil }
  }

  /// The number of presenters: one for each living view.
  public var presenterCount: Int { presenters.count }

  // MARK: - What lists ask

  /// The number of rows.
  ///
  /// Where the configuration of the loader does not count first, it is the number known so far
  /// until ``changeHandler`` is called. It is also the number known so far, 0 at first, when the
  /// list cannot be read, and ``listError`` says why.
  public var count: Int { loader.count }

  /// The reason why the last read of the list failed; `nil` once a read succeeds again.
  public var listError: LoadError? { loader.listError }

  /// Called with the reason when the list cannot be read, and with `nil` when it can again.
  public var listErrorHandler: (@MainActor (LoadError?) -> Void)? {
    get { loader.listErrorHandler }
    set { loader.listErrorHandler = newValue }
  }

  /// The identifier of a type of view, as `register(_:forCellReuseIdentifier:)` needs it.
  ///
  /// Two types never share one, not even a class and its subclass, or two nested types of the same
  /// name.
  ///
  /// - Parameter viewType: The concrete type of the view.
  /// - Returns: The full name of the type.
  public nonisolated static func reuseIdentifier(of viewType: AnyObject.Type) -> String {
    String(reflecting: viewType)
  }

  /// The identifier of the view for a position, as `dequeueReusableCell` needs it.
  ///
  /// It follows from the type of the view that is registered for the snippet's kind, so it cannot
  /// be misspelled.
  ///
  /// - Parameter position: A position in the list.
  /// - Returns: The identifier; `nil` outside of the list, when the row cannot be read, and when
  ///   its kind is not registered, in which case ``misuseHandler`` says so.
  /// - Complexity: O(1) near the viewport.
  public func reuseIdentifier(at position: Int) -> String? {
    registration(at: position)?.identifier
  }

  /// The type of the view for a position, for hosts that make views by themselves; `nil` as for
  /// ``reuseIdentifier(at:)``.
  package func viewType(at position: Int) -> AnyObject.Type? {
    registration(at: position)?.viewType
  }

  /// The height that the views for a kind were designed for.
  ///
  /// - Parameter kind: The kind of snippet.
  /// - Returns: The height in the units of the host's layout; `nil` when it follows from the
  ///   content, and when the kind is not registered.
  public func designedHeight(for kind: SnippetKind) -> Double? {
    registry.registration(of: kind)?.designedHeight
  }

  /// The height that the view for a position was designed for.
  ///
  /// - Parameter position: A position in the list.
  /// - Returns: The height in the units of the host's layout; `nil` when it follows from the
  ///   content, and outside of the list.
  /// - Complexity: O(1) near the viewport.
  public func designedHeight(at position: Int) -> Double? {
    guard case .success(let row) = loader.row(at: position) else { return nil }
    return registry.registration(of: row)?.designedHeight
  }

  /// Shows the row at a position in a view, from now until it leaves the screen.
  ///
  /// A row and a blob in memory are in the view when this returns; the rest follows. A view that
  /// already shows this snippet does not change.
  ///
  /// - Parameters:
  ///   - position: A position in the list. Outside of it, nothing is shown.
  ///   - view: A view of the type that ``reuseIdentifier(at:)`` names. A view of another type is
  ///     left as it is, or cleared if it had a presenter.
  /// - Returns: The state of the view. If it is a failure, the view is empty: show the error there.
  @discardableResult
  public func present(_ position: Int, in view: AnyObject) -> BindOutcome {
    switch loader.row(at: position) {
    case .failure(let error):
      return empty(view, error)
    case .success(let row):
      switch presenter(for: view, showing: row) {
      case .failure(let error): return empty(view, error)
      case .success(let presenter): return loader.bind(presenter, to: row, at: position)
      }
    }
  }

  /// Presents a view that comes on screen, if it was presented early and taken back.
  ///
  /// If the position now has another kind of snippet, the view is left as it is until the list is
  /// laid out again.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - position: Its position.
  public func willDisplay(_ view: AnyObject, at position: Int) {
    let shown = row(in: view)
    guard shown == nil || shown?.id != loader.rowInMemory(at: position)?.id else { return }
    guard !isOutdated(view, at: position) else { return }
    present(position, in: view)
  }

  /// Ends what a view shows, because it has left the screen.
  ///
  /// Loads that only this view needs are cancelled.
  ///
  /// - Parameter view: The view, whatever its position was.
  public func didEndDisplaying(_ view: AnyObject) {
    if let presenter = presenters.presenter(of: view) { loader.unbind(presenter) }
  }

  /// Moves the viewport to the positions that are visible now; the host calls it whenever the list
  /// scrolls.
  ///
  /// - Parameters:
  ///   - visible: The positions on screen, whole or in part.
  ///   - speed: The speed of the list in rows per second, negative towards its start. The default
  ///     is to measure it.
  public func show(visible: Range<Int>, speed: Double? = nil) {
    reuse.expect(visible.count)
    presenters.sweep()
    loader.show(visible: visible, speed: speed)
  }

  /// Moves the viewport to positions in several places.
  ///
  /// - Parameters:
  ///   - stretches: The positions on screen, in any order. The list scrolls the longest stretch.
  ///   - speed: The speed of that stretch in rows per second, negative towards the start. The
  ///     default is to measure it.
  public func show(stretches: [Range<Int>], speed: Double? = nil) {
    reuse.expect(stretches.reduce(0) { $0 + $1.count })
    presenters.sweep()
    loader.show(stretches: stretches, speed: speed)
  }

  /// Expects the number of views that the host keeps for positions, when it keeps more than are on
  /// screen: so many are made before any is reused, which is no fault.
  package func expect(viewCount: Int) {
    reuse.expect(viewCount)
  }

  /// Loads positions that may come on screen soon.
  ///
  /// The loader already loads ahead in the direction of the movement. Use this for positions that
  /// only the list can foresee.
  ///
  /// - Parameter positions: Positions in the list.
  public func prefetch(_ positions: [Int]) {
    loader.prefetch(positions)
  }

  /// Takes back positions given to ``prefetch(_:)``.
  ///
  /// - Parameter positions: Positions in the list.
  public func cancelPrefetching(_ positions: [Int]) {
    loader.cancelPrefetching(positions)
  }

  /// Cancels all loads while the screen is away.
  public func suspend() {
    loader.suspend()
  }

  /// Loads what is on screen again.
  public func resume() {
    loader.resume()
  }

  // MARK: - Views

  /// The row that a view shows; `nil` when it is empty.
  ///
  /// - Parameter view: The view.
  /// - Returns: The newest row that its presenter got.
  public func row(in view: AnyObject) -> SnippetRow? {
    presenters.presenter(of: view).flatMap { loader.row(of: $0) }
  }

  func retry(_ view: AnyObject) {
    if let presenter = presenters.presenter(of: view) { loader.retry(presenter) }
  }

  func editorOrMisuse() -> SnippetEditor? {
    if editor == nil { misuseHandler("a view sent an edit, and its data source has no editor") }
    return editor
  }

  /// The presenter and view for a row; `nil`, and reported, when its kind is not registered.
  private func registration(of row: SnippetRow) -> PresenterRegistry.Registration? {
    if let registration = registry.registration(of: row) { return registration }
    misuseHandler(Self.words(forUnregistered: row.kind))
    return nil
  }

  private func registration(at position: Int) -> PresenterRegistry.Registration? {
    guard case .success(let row) = loader.row(at: position) else { return nil }
    return registration(of: row)
  }

  private static func words(forUnregistered kind: SnippetKind) -> String {
    "no presenter is registered for snippets of kind \(kind.name)"
  }

  /// Clears a view.
  private func empty(_ view: AnyObject, _ error: LoadError) -> BindOutcome {
    if let presenter = presenters.presenter(of: view) {
      loader.unbind(presenter)
      presenter.prepareForReuse()
    }
    return .failed(error)
  }

  private func noteUse(of viewType: AnyObject.Type, isNew: Bool) {
    // After the watch is updated, because the handler may present a view.
    if let message = reuse.note(viewType, isNew: isNew) { reuse.handler(message) }
  }

  /// Whether a view was right for a position until the list changed.
  private func isOutdated(_ view: AnyObject, at position: Int) -> Bool {
    guard case .success(let row) = loader.row(at: position) else { return false }
    return registry.registration(of: row)?.fits(view) != true
  }

  /// The presenter of a view, made at its first use.
  private func presenter(
    for view: AnyObject,
    showing row: SnippetRow
  ) -> Result<any PresentedView, LoadError> {
    guard let registration = registration(of: row) else {
      let reason = Self.words(forUnregistered: row.kind)
      return .failure(LoadError(.notPresentable, reason: reason))
    }
    if let presenter = presenters.presenter(of: view), registration.isMade(presenter) {
      // Its former snippet left the screen, and may have had parts that this one lacks.
      if loader.row(of: presenter) == nil { presenter.prepareForReuse() }
      noteUse(of: registration.viewType, isNew: false)
      return .success(presenter)
    }
    let former = presenters.presenter(of: view)
    if let former {
      loader.unbind(former)
      // It knows the parts of the view that the next presenter may lack.
      former.prepareForReuse()
    }
    let sender = EditSender(target: self, view: view)
    guard let presenter = registration.present(view, sender) else {
      let reason =
        "a \(String(reflecting: type(of: view))) cannot show a snippet of kind \(row.kind.name), which takes a"
        + " \(registration.identifier)"
      misuseHandler(reason)
      return .failure(LoadError(.notPresentable, reason: reason))
    }
    if let recipe = presenter.contentRecipe, !loader.binder.rules.recipes.contains(recipe) {
      misuseHandler("a presenter shows “\(recipe)”, which the rules of its loader never want")
    }
    if presenters.isSweepDue { presenters.sweep() }
    // It may be that of a view that is gone and had the same address.
    if let replaced = presenters.insert(presenter, for: view) { loader.unbind(replaced) }
    noteUse(of: registration.viewType, isNew: former == nil)
    return .success(presenter)
  }
}
