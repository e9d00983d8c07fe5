import Foundation
import Testing

/// The code of the articles, with its flaws, beside ours: for each flaw the shortest schedule that
/// brings it to light, which ours passes with all others of that length.
///
/// The schedules are found by trying all shorter ones. To see them in a table:
///
///     SNIP_PRINT_TRIAL=1 swift test --filter ArticlesOnTrial
@MainActor
struct ArticlesOnTrialTests {
  @Test(arguments: TrialFlaw.all)
  func `a schedule breaks the article's code and ours passes it`(flaw: TrialFlaw) async throws {
    let finding = try #require(await flaw.shortestSchedule(), "No schedule shows the flaw.")

    let world = TrialWorld(flaw.setting, of: OwnList.self)
    for event in finding.events where world.allows(event) { world.step(event) }
    world.comeToRest()
    #expect(world.judge.broken == [], "\(finding.sentence)")

    let own = await flaw.schedulesThatBreakOurs(length: finding.length)
    #expect(own.found?.judge.broken ?? [] == [], "\(own.found?.sentence ?? "")")
  }

  /// The long form, with `SNIP_LONG_TESTS=1`, takes two minutes.
  @Test(arguments: isLong ? settings : Array(settings.prefix(2)))
  func `ours passes every short schedule of all events`(setting: TrialSetting) async {
    let length = Self.isLong ? 4 : 3
    let schedules = TrialSchedules(setting: setting, events: setting.allEvents, length: length)
    let own = await schedules.first(of: OwnList.self) { !$0.judge.broken.isEmpty }
    #expect(own.found?.judge.broken ?? [] == [], "\(own.found?.sentence ?? "")")
  }

  private nonisolated static let settings = [
    TrialSetting(rows: "ABc", newcomer: "x", samePictures: ["B": "A"], viewport: 2, workerCount: 1),
    TrialSetting(rows: "AB", tellsLate: true, broken: ["A"], attemptCount: 2),
    TrialSetting(rows: "AbC"),
    TrialSetting(rows: "ABC", isBusy: true, memoryLimit: 1),
  ]

  private nonisolated static let isLong =
    ProcessInfo.processInfo.environment["SNIP_LONG_TESTS"] != nil

  @Test(.enabled(if: ProcessInfo.processInfo.environment["SNIP_PRINT_TRIAL"] != nil))
  func `the table of the trial`() async throws {
    var lines: [TrialTable.Line] = []
    for flaw in TrialFlaw.all {
      let finding = try #require(await flaw.shortestSchedule())
      let own = await flaw.schedulesThatBreakOurs(length: finding.length)
      let ownFlaws = own.found?.judge.broken ?? []
      lines.append(
        TrialTable.Line(flaw: flaw, finding: finding, ownCount: own.count, ownFlaws: ownFlaws)
      )
    }
    print(TrialTable(lines: lines).text)
  }
}
