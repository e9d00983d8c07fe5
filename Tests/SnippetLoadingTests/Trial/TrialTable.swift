/// The table of the trial, line by line, as plain text.
struct TrialTable {
  struct Line {
    let flaw: TrialFlaw
    let finding: TrialFinding
    /// How many schedules ours went through.
    let ownCount: Int
    /// The rules that ours has broken.
    let ownFlaws: [TrialRule]
  }

  let lines: [Line]

  var text: String {
    var text = ""
    var article: TrialFlaw.Article?
    for line in lines {
      if line.flaw.article != article {
        article = line.flaw.article
        text += "\n\(line.flaw.article.rawValue)\n"
      }
      text += """

          \(line.flaw.cause)
            schedule  \(line.finding.sentence)
            article   \(line.flaw.rule.rawValue)
            ours      \(outcome(of: line))

        """
    }
    text += "\nNot a matter of schedules\n\n"
    for (article, flaws) in TrialFlaw.notOfSchedules {
      text += "  \(article.rawValue): \(flaws)\n"
    }
    return text
  }

  private func outcome(of line: Line) -> String {
    guard line.ownFlaws.isEmpty else {
      return line.ownFlaws.map(\.rawValue).joined(separator: "; ")
    }
    let schedules =
      line.ownCount == 1 ? "the only schedule" : "all \(line.ownCount) schedules"
    return "passes, as in \(schedules) of \(line.finding.length) of these events"
  }
}
