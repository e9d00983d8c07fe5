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
