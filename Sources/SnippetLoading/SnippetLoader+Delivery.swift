extension SnippetLoader: MailRecipient {
  /// Delivers at once what has been loaded, for at most ``Configuration/deliveryBudget``.
  ///
  /// This happens by itself. A host that draws its own frames may call it before each, so that the
  /// frame shows what has come.
  public func drain() {
    mailbox.drain()
  }

  func isUrgent(_ mail: Mail) -> Bool {
    switch mail {
    case .change, .rows, .pressure: true
    // What has come to something comes first.
    case .progress: false
    case .load(let delivery): delivery.tokens.contains(where: isForVisible)
    }
  }

  func receive(_ mail: Mail) {
    switch mail {
    case .change:
      changes.reopen()
      rows.listDidChange()
      readApart(rows.requestRefresh())
    case .pressure(let pressure):
      memoryPressureDidChange(pressure)
    case .rows(let delivery):
      receive(delivery)
    case .load(let delivery):
      for token in delivery.tokens { deliver(delivery, to: token) }
    case .progress(let key):
      showProgress(of: key)
    }
    settleIfPossible()
  }

  /// Shows how far a load is in the cells that wait for it.
  private func showProgress(of key: LoadKey) {
    guard let progress = pipeline.takeProgress(of: key) else { return }
    for slot in bindings.openSlots {
      guard let cell = bindings.slots[slot].cell,
        let part = bindings.slots[slot].parts.firstIndex(where: { $0.key == key && $0.isWaiting })
      else { continue }
      var shown = progress
      shown.standIn = progress.standIn ?? bindings.slots[slot].parts[part].formerText
      bindings.withPart(part, of: slot) { $0.unshown = .loading(shown) }
      showDecisions(slot, bindings.slots[slot].era, in: cell)
    }
  }

  private func isForVisible(_ token: BindingToken) -> Bool {
    guard let part = bindings.part(for: token) else { return false }
    return bindings.slots[Int(token.slot)].parts[part].priority == .visible
  }

  /// Gives a result to the part that asked for it, if its binding is still what the cell shows.
  private func deliver(_ delivery: LoadDelivery, to token: BindingToken) {
    let slot = Int(token.slot)
    guard let part = bindings.part(for: token) else {
      if bindings.slots[slot].row == nil {
        tally.staleDropped.unbound += 1
        trace?.record(.dropped(slot: slot, delivery.key, .unbound))
      } else {
        tally.staleDropped.rebound += 1
        trace?.record(.dropped(slot: slot, delivery.key, .rebound))
      }
      return
    }
    guard let cell = bindings.slots[slot].cell else {
      tally.staleDropped.cellGone += 1
      trace?.record(.dropped(slot: slot, delivery.key, .cellGone))
      end(slot)
      return
    }
    // The generation has decided already; this is the check on the check.
    guard bindings.slots[slot].parts[part].key == delivery.key else {
      tally.wrongDeliveries += 1
      trace?.record(.dropped(slot: slot, delivery.key, .wrong))
      return
    }
    guard bindings.slots[slot].parts[part].lastRun < delivery.run else {
      // What is urgent overtakes, and so may the outcome of a later attempt.
      tally.staleDropped.rebound += 1
      trace?.record(.dropped(slot: slot, delivery.key, .rebound))
      return
    }
    tally.delivered += 1
    trace?.record(delivery.result, of: delivery.key, deliveredTo: slot)
    let state: LoadState
    switch delivery.result {
    case .loaded(let blob):
      bindings.withPart(part, of: slot) {
        $0.state = .loaded
        $0.formerText = nil
      }
      state = .loaded(blob)
    case .delayed(let failure):
      // Another cell's attempt counts for this one too, also if it had failed before.
      bindings.withPart(part, of: slot) { $0.state = .waiting }
      var progress = pipeline.progress(of: delivery.key)
      progress.failure = failure
      progress.standIn = progress.standIn ?? bindings.slots[slot].parts[part].formerText
      state = .loading(progress)
    case .failed(let failure):
      bindings.withPart(part, of: slot) { $0.state = .failed(failure.error) }
      state = .failed(failure)
    }
    // What was decided before, and is still to be shown, is older than this.
    bindings.withPart(part, of: slot) {
      $0.unshown = state
      $0.lastRun = delivery.run
    }
    showDecisions(slot, bindings.slots[slot].era, in: cell)
  }
}
