internal import Foundation
public import SnippetStorage

/// All that a list on a screen needs: how long it is, which kind of view each position takes, and
/// what each view shows, kept up to date.
///
/// There is nothing to write for a screen but its views and their presenters:
///
/// ```swift
/// let dataSource = SnippetDataSource(list: store.list(), store: store)
/// dataSource.register(NotePresenter.self, for: .text)
/// dataSource.register(PhotoPresenter.self, for: .image)
/// dataSource.register(VoicePresenter.self, for: .voice)
/// dataSource.changeHandler = { [weak table] _ in table?.reloadData() }
/// ```
///
/// A row that no presenter fits, because its kind is not registered or the view is of another class,
/// is never a trap: the view stays empty, ``present(_:in:)`` fails with
/// ``LoadError/Code/notPresentable``, and ``misuseHandler`` says why.
///
/// Its methods are those of `UITableViewDataSource`, `UICollectionView` and their delegates, with
/// positions in place of index paths. One screen may have several, and a part of a screen its own.
@MainActor
public final class SnippetDataSource {
  /// What brings rows and blobs into the presenters.
  public let loader: SnippetLoader

  /// Called when other snippets may stand at the positions on screen than before, or the list is
  /// longer or shorter: the views must be laid out and presented anew.
  ///
  /// The change tells by how much to scroll so that what is on screen stays there.
  public var changeHandler: (@MainActor (ListChange) -> Void)? {
    get { loader.listChangeHandler }
    set { loader.listChangeHandler = newValue }
  }

  /// Called when a command of a view could not be carried out.
  public var commandFailureHandler: (@MainActor (SnippetCommand, SnippetID, any Error) -> Void)?

  /// Called when views are made over and over instead of being used again, which is slow and which
  /// nobody would notice otherwise.
  ///
  /// The default stops a debug build, and does nothing in a release.
  public var brokenReuseHandler: @MainActor (String) -> Void {
    get { reuse.handler }
    set { reuse.handler = newValue }
  }

  /// Called with what the app has got wrong: a kind without a presenter, a view of the wrong class.
  ///
  /// The default writes it to standard error, each message once, in release builds too.
  public var misuseHandler: @MainActor (String) -> Void = { MisuseLog.note($0) }

  private let commands: (any CommandReceiver)?
  private var registrations: [SnippetKind: Registration] = [:]
  private var presenters = PresenterTable()
  private var reuse = ReuseWatch()

  /// How views of one kind of snippet are presented.
  private struct Registration {
    let identifier: ReuseIdentifier
    let designedHeight: Double?
    let make: @MainActor (AnyObject, CommandSender) -> (any CellPresenter)?
    let isMade: @MainActor (any CellPresenter) -> Bool
    let fits: @MainActor (AnyObject) -> Bool
  }

  /// Makes a data source on a loader.
  ///
  /// - Parameters:
  ///   - loader: Brings rows and blobs. Its list change handler belongs to the data source.
  ///   - commands: Carries out what users do in views. The default is nobody.
  public init(loader: SnippetLoader, commands: (any CommandReceiver)? = nil) {
    self.loader = loader
    self.commands = commands
  }

  /// Makes a data source for a list of a store.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - store: The store that the list is of; it carries out the commands.
  ///   - rules: Which recipes the rows need. The default is the original of every row.
  ///   - configuration: The limits of the loader.
  public convenience init(
    list: SnippetList,
    store: SnippetStore,
    rules: RecipeRules = .originals,
    configuration: SnippetLoader.Configuration = .init()
  ) {
    self.init(
      loader: SnippetLoader(list: list, store: store, rules: rules, configuration: configuration),
      commands: store
    )
  }

  /// Says which presenter, and so which view, a kind of snippet takes.
  ///
  /// - Parameters:
  ///   - type: The type of the presenter.
  ///   - kind: The kind of snippet. A kind that is registered again takes the new presenter.
  public func register<Presenter: CellPresenter>(_ type: Presenter.Type, for kind: SnippetKind) {
    registrations[kind] = Registration(
      identifier: ReuseIdentifier(viewType: Presenter.View.self),
      designedHeight: Presenter.designedHeight,
      make: { view, sender in (view as? Presenter.View).map { Presenter($0, sender: sender) } },
      isMade: { $0 is Presenter },
      fits: { $0 is Presenter.View }
    )
  }

  /// How many presenters there are: one for each view that lives.
  public var presenterCount: Int { presenters.count }

  // MARK: - What lists ask

  /// The number of rows.
  ///
  /// Before a long list has been counted it is what is known so far, until ``changeHandler`` is
  /// called. It is 0 when the list cannot be read, and ``listError`` says why.
  public var count: Int { loader.count }

  /// Why the list could not be read the last time; `nil` once it has been read again.
  public var listError: LoadError? { loader.listError }

  /// Called when the list cannot be read, with the reason, and with `nil` when it can again.
  public var listErrorHandler: (@MainActor (LoadError?) -> Void)? {
    get { loader.listErrorHandler }
    set { loader.listErrorHandler = newValue }
  }

  /// Which kind of view snippets of a kind take: what `register(_:forCellReuseIdentifier:)` needs.
  ///
  /// - Parameter kind: The kind of snippet.
  /// - Returns: The identifier, which follows from the type of the view; `nil` when the kind is not
  ///   registered.
  public func reuseIdentifier(for kind: SnippetKind) -> ReuseIdentifier? {
    registrations[kind]?.identifier
  }

  /// Which kind of view a position takes: what `dequeueReusableCell` needs.
  ///
  /// It follows from the type of the view that is registered for the snippet's kind, so it cannot be
  /// misspelled.
  ///
  /// - Parameter position: A position in the list.
  /// - Returns: The identifier; `nil` outside of the list, when the row cannot be read, and when its
  ///   kind is not registered.
  /// - Complexity: O(1) near the viewport.
  public func reuseIdentifier(at position: Int) -> ReuseIdentifier? {
    guard case .success(let row) = loader.row(at: position) else { return nil }
    return registration(of: row.kind)?.identifier
  }

  /// The height that the view for a position was designed for, before there is any view.
  ///
  /// - Parameter position: A position in the list.
  /// - Returns: The height in the units of the host's layout; `nil` when it follows from what the
  ///   view shows, and outside of the list.
  /// - Complexity: O(1) near the viewport.
  public func designedHeight(at position: Int) -> Double? {
    guard case .success(let row) = loader.row(at: position) else { return nil }
    return registrations[row.kind]?.designedHeight
  }

  /// Lets a view show the row at a position, from now until it leaves the screen.
  ///
  /// Row and blob in memory are on show when this returns, the rest comes by itself. A view that
  /// shows this snippet already is left as it is.
  ///
  /// - Parameters:
  ///   - position: A position in the list. Outside of it nothing is shown.
  ///   - view: A view of the type that ``reuseIdentifier(at:)`` names. Any other shows nothing.
  /// - Returns: What the view shows now.
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

  /// Says that a view comes on screen.
  ///
  /// A view that was presented ahead of time, taken back and shown after all is presented here. One
  /// whose position has gone to another kind of snippet meanwhile is left as it is, until the list
  /// is laid out anew.
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

  /// Says that a view has left the screen: its loads are given up unless others need them.
  ///
  /// - Parameter view: The view itself; its former position plays no part.
  public func didEndDisplaying(_ view: AnyObject) {
    if let presenter = presenters.presenter(of: view) { loader.unbind(presenter) }
  }

  /// Says which positions are visible, as often as the list scrolls.
  ///
  /// - Parameters:
  ///   - visible: The positions on screen, whole or in part.
  ///   - speed: How fast the list moves, in rows per second, negative towards its start. The default
  ///     is to measure it.
  public func viewportDidChange(_ visible: Range<Int>, speed: Double? = nil) {
    reuse.visibleCount = max(reuse.visibleCount, visible.count)
    sweep()
    loader.viewportDidChange(visible, speed: speed)
  }

  /// Says that some positions may come on screen soon.
  ///
  /// The loader loads ahead by itself, in the direction of the movement; this adds what the list
  /// knows better.
  ///
  /// - Parameter positions: Positions in the list.
  public func prefetch(_ positions: [Int]) {
    loader.prefetch(positions)
  }

  /// Takes back what ``prefetch(_:)`` said of some positions.
  ///
  /// - Parameter positions: Positions in the list.
  public func cancelPrefetching(_ positions: [Int]) {
    loader.cancelPrefetching(positions)
  }

  /// Gives up all loads while the screen is away.
  public func suspend() {
    loader.suspend()
  }

  /// Loads again what is on screen.
  public func resume() {
    loader.resume()
  }

  // MARK: - Views

  /// The row that a view shows; `nil` when it shows none.
  ///
  /// - Parameter view: The view.
  /// - Returns: The newest row that its presenter was given.
  public func row(in view: AnyObject) -> SnippetRow? {
    presenters.presenter(of: view).flatMap { loader.row(of: $0) }
  }

  func retry(_ view: AnyObject) {
    if let presenter = presenters.presenter(of: view) { loader.retry(presenter) }
  }

  func send(_ command: SnippetCommand, from view: AnyObject) -> Task<Void, Never>? {
    guard let commands, let id = row(in: view)?.id else { return nil }
    return Task { [weak self] in
      do {
        try await commands.perform(command, on: id)
      } catch {
        self?.commandFailureHandler?(command, id, error)
      }
    }
  }

  /// How views of a kind are presented; `nil`, and said so, when nobody has registered it.
  private func registration(of kind: SnippetKind) -> Registration? {
    if let registration = registrations[kind] { return registration }
    misuseHandler(Self.words(forUnregistered: kind))
    return nil
  }

  private static func words(forUnregistered kind: SnippetKind) -> String {
    "no presenter is registered for snippets of kind \(kind.name)"
  }

  /// Takes what a view shows away.
  private func empty(_ view: AnyObject, _ error: LoadError) -> BindOutcome {
    if let presenter = presenters.presenter(of: view) {
      loader.unbind(presenter)
      presenter.prepareForReuse()
    }
    return .failed(error)
  }

  /// Lets go of the presenters whose views are gone.
  private func sweep() {
    for presenter in presenters.sweep() { loader.unbind(presenter) }
  }

  private func noteUse(isNew: Bool) {
    // Outside of the watch, because the handler may present.
    if let message = reuse.note(isNew: isNew) { reuse.handler(message) }
  }

  /// Whether a view was right for a position until the list changed.
  private func isOutdated(_ view: AnyObject, at position: Int) -> Bool {
    guard case .success(let row) = loader.row(at: position) else { return false }
    return registrations[row.kind]?.fits(view) != true
  }

  /// The presenter of a view, made at its first use.
  private func presenter(
    for view: AnyObject,
    showing row: SnippetRow
  ) -> Result<any CellPresenter, LoadError> {
    guard let registration = registration(of: row.kind) else {
      let reason = Self.words(forUnregistered: row.kind)
      return .failure(LoadError(.notPresentable, reason: reason))
    }
    if let presenter = presenters.presenter(of: view), registration.isMade(presenter) {
      noteUse(isNew: false)
      return .success(presenter)
    }
    let sender = CommandSender(dataSource: self, view: view)
    guard let presenter = registration.make(view, sender) else {
      let reason =
        "a \(type(of: view)) cannot show a snippet of kind \(row.kind.name), which takes a"
        + " \(registration.identifier)"
      misuseHandler(reason)
      return .failure(LoadError(.notPresentable, reason: reason))
    }
    if presenters.isSweepDue { sweep() }
    if let former = presenters.insert(presenter, for: view) {
      loader.unbind(former)
    }
    noteUse(isNew: true)
    return .success(presenter)
  }
}

/// Where misuse is written unless the app wants it elsewhere.
@MainActor
private enum MisuseLog {
  private static var noted: Set<String> = []

  static func note(_ message: String) {
    guard noted.insert(message).inserted else { return }
    let line = "SnippetLoading: \(message).\n"
    FileHandle.standardError.write(Data(line.utf8))
  }
}
