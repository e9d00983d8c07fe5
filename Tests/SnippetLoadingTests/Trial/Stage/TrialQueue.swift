/// The background: loads that wait for a worker, and loads that run.
///
/// A load reads what the source has when it begins, and brings it when the schedule says so.
@MainActor
final class TrialQueue {
  final class Job {
    /// The snippet that it was asked for.
    let label: Character
    /// Called when a worker takes it; says whose picture it reads.
    fileprivate let begin: @MainActor () -> Character
    fileprivate let end: @MainActor (TrialAnswer) -> TrialPicture?
    /// Whose picture it reads.
    fileprivate(set) var picture: Character
    fileprivate var answer = TrialAnswer.failure
    /// Whether it is not to begin any more; one that runs would have to look.
    var isCancelled = false
    /// After how many resets it began.
    var era = 0

    fileprivate init(
      label: Character,
      begin: @escaping @MainActor () -> Character,
      end: @escaping @MainActor (TrialAnswer) -> TrialPicture?
    ) {
      self.label = label
      self.begin = begin
      self.end = end
      picture = label
    }
  }

  private let model: TrialModel
  private let workerCount: Int
  private(set) var waiting: [Job] = []
  private(set) var running: [Job] = []

  init(_ model: TrialModel, workerCount: Int?) {
    self.model = model
    self.workerCount = workerCount ?? .max
  }

  /// Has a picture loaded whole, as the articles do.
  @discardableResult
  func load(
    _ label: Character,
    reading begin: (@MainActor () -> Character)? = nil,
    then end: @escaping @MainActor (TrialAnswer) -> Void
  ) -> Job {
    add(label, reading: begin ?? { label }) { answer in
      end(answer)
      return if case .picture(let picture) = answer { picture } else { nil }
    }
  }

  /// Has a picture loaded by somebody who may stop before its end.
  ///
  /// - Parameters:
  ///   - label: The snippet that it is for.
  ///   - begin: Called when a worker takes it; says whose picture it reads.
  ///   - end: Called with the answer; returns what was read whole.
  /// - Returns: The load.
  @discardableResult
  func add(
    _ label: Character,
    reading begin: @escaping @MainActor () -> Character,
    then end: @escaping @MainActor (TrialAnswer) -> TrialPicture?
  ) -> Job {
    let job = Job(label: label, begin: begin, end: end)
    waiting.append(job)
    return job
  }

  func cancelAll() {
    for job in waiting + running { job.isCancelled = true }
  }

  /// Whether a worker is free for a load that waits, perhaps of one label.
  func canBegin(_ label: Character? = nil) -> Bool {
    running.count < workerCount
      && waiting.contains { !$0.isCancelled && (label == nil || $0.label == label) }
  }

  /// Gives a free worker the load that has waited longest, or the longest-waiting of one label.
  func beginNext(_ label: Character? = nil) -> Job? {
    guard canBegin(label) else { return nil }
    waiting.removeAll(where: \.isCancelled)
    guard let index = waiting.firstIndex(where: { label == nil || $0.label == label }) else {
      return nil
    }
    let job = waiting.remove(at: index)
    job.picture = job.begin()
    job.answer = model.answer(for: job.picture)
    running.append(job)
    return job
  }

  /// Ends the oldest or the latest load of a picture that runs.
  func end(_ picture: Character, latest: Bool) -> Ended? {
    let index =
      latest
      ? running.lastIndex { $0.picture == picture } : running.firstIndex { $0.picture == picture }
    guard let index else { return nil }
    let job = running.remove(at: index)
    return Ended(answer: job.answer, era: job.era) { job.end(job.answer) }
  }

  /// A load that has come to its end, before anybody was told.
  struct Ended {
    let answer: TrialAnswer
    let era: Int
    /// Tells who asked, and returns what was read whole.
    let tell: @MainActor () -> TrialPicture?
  }
}
