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
    case .rows(let answer, let request):
      receive(answer, to: request)
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

  private func isForVisible(_ token: BindingToken) -> Bool {
    let binding = bindings.binding(of: token)
    guard let part = binding.part(for: token) else { return false }
    return binding.parts[part].priority == .visible
  }

  /// Gives a result to the part that asked for it, if its binding is still what the cell shows.
  private func deliver(_ delivery: LoadDelivery, to token: BindingToken) {
    let binding = bindings.binding(of: token)
    let slot = binding.slot
    guard let part = binding.part(for: token) else {
      if binding.row == nil {
        tally.staleDropped.unbound += 1
        trace?.record(.dropped(slot: slot, delivery.key, .unbound))
      } else {
        tally.staleDropped.rebound += 1
        trace?.record(.dropped(slot: slot, delivery.key, .rebound))
      }
      return
    }
    guard let cell = binding.cell else {
      tally.staleDropped.cellGone += 1
      trace?.record(.dropped(slot: slot, delivery.key, .cellGone))
      end(binding)
      return
    }
    // The generation has decided already; this is the check on the check.
    guard binding.parts[part].key == delivery.key else {
      tally.wrongDeliveries += 1
      trace?.record(.dropped(slot: slot, delivery.key, .wrong))
      return
    }
    guard binding.parts[part].lastRun < delivery.run else {
      // What is urgent overtakes, and so may the outcome of a later attempt.
      tally.staleDropped.rebound += 1
      trace?.record(.dropped(slot: slot, delivery.key, .rebound))
      return
    }
    tally.delivered += 1
    trace?.record(delivery.result, of: delivery.key, deliveredTo: slot)
    // What was decided before, and is still to be shown, is older than this.
    switch delivery.result {
    case .loaded(let blob):
      binding.parts[part].receive(blob)
    case .delayed(let failure):
      // Another cell's attempt counts for this one too, also if it had failed before.
      var progress = pipeline.progress(of: delivery.key)
      progress.failure = failure
      progress.standIn = progress.standIn ?? binding.parts[part].formerText
      binding.parts[part].wait(progress)
    case .failed(let failure):
      binding.parts[part].fail(failure)
    }
    binding.parts[part].lastRun = delivery.run
    showDecisions(binding, binding.era, in: cell)
  }
}
