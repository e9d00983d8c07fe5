extension SnippetLoader: MailRecipient {
  /// Delivers what has been loaded, for at most ``Configuration/deliveryBudget``, at once.
  ///
  /// The loader's scheduler calls this by itself. A host that draws its own frames may call it in
  /// every round, so that what has come is in the frame.
  public func drain() {
    mailbox.drain()
  }

  func isUrgent(_ mail: LoadMail) -> Bool {
    mail.tokens.contains { token in
      bindings.isCurrent(token) && bindings.slots[Int(token.slot)].priority == .visible
    }
  }

  func receive(_ mail: LoadMail) {
    for token in mail.tokens {
      deliver(mail, to: token)
    }
    settleIfPossible()
  }

  /// Gives a result to the binding that asked for it, if that is still what the cell shows.
  private func deliver(_ mail: LoadMail, to token: BindingToken) {
    let slot = Int(token.slot)
    guard bindings.isCurrent(token) else {
      if bindings.slots[slot].snippetID == nil {
        tally.staleDropped.unbound += 1
      } else {
        tally.staleDropped.rebound += 1
      }
      return
    }
    guard let cell = bindings.slots[slot].cell else {
      tally.staleDropped.cellGone += 1
      release(slot)
      bindings.close(slot)
      return
    }
    // The generation has decided already; this is the check on the check.
    guard bindings.slots[slot].key == mail.key else {
      tally.wrongDeliveries += 1
      return
    }
    tally.delivered += 1
    switch mail.result {
    case .success(let blob):
      bindings.slots[slot].state = .loaded
      cell.show(.loaded(blob))
    case .failure(let error):
      bindings.slots[slot].state = .failed(error)
      cell.show(.failed(error))
    }
  }
}
