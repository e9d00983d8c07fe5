extension SnippetLoader: MailRecipient {
  /// Delivers finished loads at once, for at most ``Configuration/deliveryBudget``.
  ///
  /// The loader does this by itself. A host that draws its own frames may call it before each one,
  /// so that the frame shows the latest content.
  public func drain() {
    mailbox.drain()
  }

  func isUrgent(_ mail: Mail) -> Bool {
    switch mail {
    case .change, .rows, .pressure: true
    // Results come before progress.
    case .progress: false
    case .load(let delivery): binder.isUrgent(delivery)
    }
  }

  func receive(_ mail: Mail) {
    switch mail {
    case .change:
      reader.listDidChange()
    case .pressure(let pressure):
      respond(to: pressure)
    case .rows(let answer, let request):
      receive(answer, to: request)
    case .load(let delivery):
      binder.deliver(delivery)
    case .progress(let key):
      binder.showProgress(of: key)
    }
    settleIfPossible()
  }
}
