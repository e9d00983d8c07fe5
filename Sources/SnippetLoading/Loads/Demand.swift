/// The loads that the viewports of all lists ask for, in one order.
///
/// The visible loads of every list come before the loads ahead of any other. Of two lists, the one
/// that moved last comes first.
struct Demand: Sendable {
  private var lists: [(id: ListID, loads: [DesiredLoad])] = []

  /// Sets the loads that the viewport of a list asks for, most urgent first, replacing its former
  /// ones.
  mutating func declare(_ loads: [DesiredLoad], for list: ListID) {
    remove(list)
    lists.insert((list, loads), at: 0)
  }

  /// Forgets the loads that the viewport of a list asks for.
  mutating func remove(_ list: ListID) {
    lists.removeAll { $0.id == list }
  }

  /// The loads that a cache has room for, most urgent first.
  ///
  /// A blob that would not be kept, or would push out a more urgent one, is left to the cells that
  /// need it.
  ///
  /// - Parameter byteLimit: The most bytes in the cache.
  /// - Returns: The loads.
  /// - Complexity: O(*n*) in the number of rows around all viewports.
  func admitted(byteLimit: Int) -> [DesiredLoad] {
    var room = byteLimit
    var loads: [DesiredLoad] = []
    func admit(_ load: DesiredLoad) {
      guard load.cost <= room else { return }
      room -= load.cost
      loads.append(load)
    }
    guard lists.count > 1 else {
      // Usually there is one list, and its loads are in order already.
      lists.first?.loads.forEach(admit)
      return loads
    }
    var keys: Set<LoadKey> = []
    // A list that moves faster than its loads can follow does not hold up the others on screen.
    let isRushing = { (list: (id: ListID, loads: [DesiredLoad])) in
      list.loads.contains(where: \.isMet)
    }
    let ordered = lists.filter { !isRushing($0) } + lists.filter(isRushing)
    for priority in LoadPriority.allCases.sorted(by: >) {
      for list in priority == .visible ? ordered : lists {
        for load in list.loads where load.priority == priority && keys.insert(load.key).inserted {
          admit(load)
        }
      }
    }
    return loads
  }
}
