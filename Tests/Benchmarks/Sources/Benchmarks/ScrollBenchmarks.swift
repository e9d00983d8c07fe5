import SnippetLoader

/// Ten minutes of flicks through a list, in virtual time: how long rows wait for their blobs on
/// screen, and how many blobs are loaded for nothing.
struct ScrollBenchmarks {
  /// A tuning, by the name it has in the table.
  struct Contender {
    let name: String
    let ranges: SnippetLoader.RangeTuning

    static let all = [
      Self(name: "default", ranges: .init()),
      Self(name: "none", ranges: .none),
      Self(name: "1 viewport each way", ranges: .init(imminent: 1, leading: 1, trailing: 1)),
      Self(name: "2.5 ahead, 1.5 behind", ranges: .init(imminent: 1, leading: 2.5, trailing: 1.5)),
    ]
  }

  /// The seeds of the movements, whose figures are taken together.
  let seeds: [UInt64]

  /// Runs all contenders and prints what came of them.
  @MainActor
  func run(json: Bool) {
    if !json { print(ScrollReport.header) }
    for pace in ScrollPace.allCases {
      for framesPerSecond in [60, 120] {
        for milliseconds in [12, 40] {
          for contender in Contender.all {
            let report = report(contender, pace, framesPerSecond, milliseconds)
            print(json ? report.json : report.line)
          }
        }
      }
    }
  }

  @MainActor
  private func report(
    _ contender: Contender,
    _ pace: ScrollPace,
    _ framesPerSecond: Int,
    _ milliseconds: Int
  ) -> ScrollReport {
    var report = ScrollReport(
      tuning: contender.name,
      pace: pace,
      framesPerSecond: framesPerSecond,
      serviceMilliseconds: milliseconds
    )
    for seed in seeds {
      let scenario = ScrollScenario(
        pace: pace,
        framesPerSecond: framesPerSecond,
        serviceTime: .milliseconds(milliseconds),
        ranges: contender.ranges,
        seed: seed
      )
      report.add(ScrollRehearsal(scenario).run())
    }
    return report
  }
}
