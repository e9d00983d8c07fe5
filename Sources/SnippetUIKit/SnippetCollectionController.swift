#if canImport(UIKit) || UIKIT_DECLARATIONS
#if canImport(UIKit)
public import UIKit
#else
public import Foundation
#endif
public import SnippetLoading
internal import SnippetStorage

/// A collection that shows a list in any layout, in its first section.
///
/// It registers the types of cells by itself, loads the visible cells of any layout, and loads
/// nothing while it is off screen.
open class SnippetCollectionController: UICollectionViewController {
  /// The content of the collection, which sets its change handler.
  public let dataSource: SnippetDataSource
  private var registered: Set<String> = []

  /// Makes a collection.
  ///
  /// - Parameters:
  ///   - dataSource: The content. Register the presenters before the collection is on screen. The
  ///     collection follows when a list is counted late, so a long one need not be counted first.
  ///   - layout: The arrangement of the cells.
  public init(_ dataSource: SnippetDataSource, layout: UICollectionViewLayout) {
    self.dataSource = dataSource
    super.init(collectionViewLayout: layout)
    dataSource.changeHandler = { [weak self] change in self?.listDidChange(change) }
  }

  /// Fails, because a collection cannot be made from an archive: it needs a data source.
  ///
  /// - Parameter coder: Not read.
  public required init?(coder: NSCoder) { nil }

  // MARK: - Items

  open override func collectionView(
    _ collectionView: UICollectionView,
    numberOfItemsInSection section: Int
  ) -> Int {
    dataSource.count
  }

  open override func collectionView(
    _ collectionView: UICollectionView,
    cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell {
    // A collection needs a cell of its own even for a row that has just been deleted.
    let type = dataSource.viewType(at: indexPath.item) as? UICollectionViewCell.Type
    let shown = type ?? UICollectionViewCell.self
    let identifier = SnippetDataSource.reuseIdentifier(of: shown)
    if registered.insert(identifier).inserted {
      collectionView.register(shown, forCellWithReuseIdentifier: identifier)
    }
    let cell = collectionView.dequeueReusableCell(withReuseIdentifier: identifier, for: indexPath)
    if type != nil { dataSource.present(indexPath.item, in: cell) }
    return cell
  }

  open override func collectionView(
    _ collectionView: UICollectionView,
    willDisplay cell: UICollectionViewCell,
    forItemAt indexPath: IndexPath
  ) {
    dataSource.willDisplay(cell, at: indexPath.item)
  }

  open override func collectionView(
    _ collectionView: UICollectionView,
    didEndDisplaying cell: UICollectionViewCell,
    forItemAt indexPath: IndexPath
  ) {
    dataSource.didEndDisplaying(cell)
  }

  // MARK: - Screen

  /// Reports the visible range to the loader: at first, and whenever the collection scrolls.
  open override func viewDidLayoutSubviews() {
    super.viewDidLayoutSubviews()
    var stretches: [Range<Int>] = []
    for item in collectionView.indexPathsForVisibleItems.map(\.item).sorted() {
      if let last = stretches.last, last.upperBound == item {
        stretches[stretches.count - 1] = last.lowerBound..<item + 1
      } else {
        stretches.append(item..<item + 1)
      }
    }
    if !stretches.isEmpty { dataSource.show(stretches: stretches) }
  }

  /// Loads the screen again.
  ///
  /// - Parameter animated: Whether the collection comes on screen with an animation.
  open override func viewWillAppear(_ animated: Bool) {
    super.viewWillAppear(animated)
    dataSource.resume()
  }

  /// Stops all loads.
  ///
  /// - Parameter animated: Whether the collection left the screen with an animation.
  open override func viewDidDisappear(_ animated: Bool) {
    super.viewDidDisappear(animated)
    dataSource.suspend()
  }

  // MARK: - Changes

  /// Shows a change of the list, and keeps the visible rows in place.
  ///
  /// Override it to follow the list, for a count or an empty state, and call `super`.
  ///
  /// - Parameter change: The change.
  open func listDidChange(_ change: ListChange) {
    guard let batch = change.batch else { return collectionView.reloadData() }
    let former = change.anchor.flatMap { origin(of: $0.from) }
    collectionView.performBatchUpdates {
      collectionView.deleteItems(at: batch.removed.map { path($0.position) })
      collectionView.insertItems(at: batch.inserted.map { path($0.position) })
      for move in batch.moved { collectionView.moveItem(at: path(move.from), to: path(move.to)) }
    }
    guard let former, let now = change.anchor.flatMap({ origin(of: $0.to) }) else { return }
    collectionView.contentOffset.x += now.x - former.x
    collectionView.contentOffset.y += now.y - former.y
  }

  private func path(_ position: Int) -> IndexPath { IndexPath(item: position, section: 0) }

  private func origin(of position: Int) -> CGPoint? {
    collectionView.layoutAttributesForItem(at: path(position))?.frame.origin
  }
}
#endif
