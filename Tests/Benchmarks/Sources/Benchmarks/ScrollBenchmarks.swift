import CoreBenchmarks
import SnippetLoading

/// Ten minutes of flicks through a list, in virtual time: how long rows wait for their blobs on
/// screen, and how many blobs are loaded for nothing.
struct ScrollBenchmarks {
  /// A tuning, by the name it has in the table.
  struct Contender {
    let name: String
    let ranges: RangeTuning

    static let all = [
      Self(name: "default", ranges: .init()),
      Self(name: "none", ranges: .none),
      Self(name: "1 viewport each way", ranges: .init(imminent: 1, leading: 1, trailing: 1)),
      Self(name: "2.5 ahead, 1.5 behind", ranges: .init(imminent: 1, leading: 2.5, trailing: 1.5)),
    ]
  }

  /// The seeds of the movements, whose figures are taken together.
  let seeds: [UInt64]

  /// Prints what came of every tuning.
  @MainActor
  func tellDetails(to table: Table) {
    if !table.isJSON { table.tell(ScrollReport.header) }
    for scene in scenes {
      for contender in Contender.all {
        let report = report(contender, scene)
        table.tell(table.isJSON ? report.json : report.line)
      }
    }
  }

  /// Adds what came of the tuning that loaders have by default.
  @MainActor
  func run(into table: Table) throws {
    for (number, scene) in scenes.enumerated() {
      table.begin("flicks: scene \(number + 1) of \(scenes.count)")
      try table.add(report(Contender.all[0], scene).row)
    }
  }

  /// A pace, a screen and a source.
  private struct Scene {
    let pace: ScrollPace
    let framesPerSecond: Int
    let milliseconds: Int
  }

  private var scenes: [Scene] {
    ScrollPace.allCases.flatMap { pace in
      [60, 120].flatMap { framesPerSecond in
        [12, 40].map { Scene(pace: pace, framesPerSecond: framesPerSecond, milliseconds: $0) }
      }
    }
  }

  @MainActor
  private func report(
    _ contender: Contender,
    _ scene: Scene
  ) -> ScrollReport {
    var report = ScrollReport(
      tuning: contender.name,
      pace: scene.pace,
      framesPerSecond: scene.framesPerSecond,
      serviceMilliseconds: scene.milliseconds
    )
    for seed in seeds {
      let scenario = ScrollScenario(
        pace: scene.pace,
        framesPerSecond: scene.framesPerSecond,
        serviceTime: .milliseconds(scene.milliseconds),
        ranges: contender.ranges,
        seed: seed
      )
      report.add(ScrollRehearsal(scenario).run())
    }
    return report
  }
}
