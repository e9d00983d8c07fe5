// Delivers the results and the progress of loads to waiting cells.

extension CellBinder {
  /// Shows the progress of a load in the cells that wait for it.
  func showProgress(of key: LoadKey) {
    guard let progress = pipeline.takeProgress(of: key) else { return }
    for binding in bindings.open {
      guard let cell = binding.cell,
        let part = binding.parts.firstIndex(where: { $0.key == key && $0.isWaiting })
      else { continue }
      var shown = progress
      shown.standIn = progress.standIn ?? binding.parts[part].formerText
      binding.parts[part].unshown = .loading(shown)
      showDecisions(binding, binding.era, in: cell)
    }
  }

  /// Whether a cell on screen waits for a result.
  func isUrgent(_ delivery: LoadDelivery) -> Bool {
    delivery.tokens.contains { token in
      let binding = bindings.binding(of: token)
      guard let part = binding.part(for: token) else { return false }
      return screen.priority(of: binding.parts[part].key, boundAt: binding.position) == .visible
    }
  }

  /// Gives a result to all parts that asked for it.
  func deliver(_ delivery: LoadDelivery) {
    for token in delivery.tokens { deliver(delivery, to: token) }
  }

  /// Gives a result to the part that asked for it, if the cell is still bound to it.
  private func deliver(_ delivery: LoadDelivery, to token: BindingToken) {
    let binding = bindings.binding(of: token)
    guard let part = binding.part(for: token) else { return drop(delivery, of: binding) }
    guard let cell = binding.cell else {
      drop(delivery, of: binding)
      end(binding)
      return
    }
    // The generation has decided already; this check backs it up.
    guard binding.parts[part].key == delivery.key else {
      wrongDeliveryCount += 1
      return
    }
    guard binding.parts[part].lastRun < delivery.run else {
      // Urgent mail overtakes, and so may the outcome of a later attempt.
      return drop(delivery, of: binding)
    }
    deliveredCount += 1
    report(.delivered(slot: binding.slot, delivery.key))
    // An earlier decision that was not shown yet is older than this one.
    switch delivery.result {
    case .loaded(let blob):
      binding.parts[part].receive(blob)
    case .delayed(let failure):
      // An attempt for another cell counts for this one too, even if it had failed before.
      var progress = pipeline.progress(of: delivery.key)
      progress.note(failure)
      progress.standIn = progress.standIn ?? binding.parts[part].formerText
      binding.parts[part].wait(progress)
    case .failed(let error):
      binding.parts[part].fail(error)
    }
    binding.parts[part].lastRun = delivery.run
    showDecisions(binding, binding.era, in: cell)
  }

  /// Drops a delivery for a part that no longer waits for it.
  private func drop(_ delivery: LoadDelivery, of binding: Binding) {
    staleDropCount += 1
    report(.dropped(slot: binding.slot, delivery.key))
  }
}
