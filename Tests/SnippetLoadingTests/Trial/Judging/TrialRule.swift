/// What a list may never do, in words for what is seen where it does.
enum TrialRule: String, Hashable {
  // MARK: What cells show

  case foreign = "a cell shows what belongs to another snippet"
  case foreignAtRest = "a cell shows what belongs to another snippet, and keeps it"
  case nothingAtRest = "a cell stays empty for ever"
  case staleAtRest = "a cell keeps what was outdated when it came"
  case silentFailure = "a failure looks like loading for ever"
  case lastingFailure = "a failure stays, though the source works again"
  case pictureInText = "a text shows a picture"
  case wrongType = "a row gets a cell of another type"
  case flash = "a picture on show gives way to a placeholder"

  // MARK: What cells are told

  case repeatedTitle = "a cell is told the title that it shows"
  case repeatedWait = "a cell that waits is told again to wait"
  case repeatedPicture = "a cell is told the picture that it shows"
  case severalUpdates = "one change is told several times"
  case reactsInPool = "a cell in the pool is told something"

  // MARK: What is loaded

  case begunForNobody = "a worker takes a load that no cell waits for"
  case readForNobody = "a load that nobody waits for is read to its end"
  case readAgain = "a picture that was read is read again"
  case crowd = "more than two loads run at a time"
  case hurry = "a load that failed begins again in the same moment"

  // MARK: What is kept

  case hoards = "more pictures are kept than there is room for"
  case keepsList = "a list that was closed lives on"
  case keepsCells = "cells that were thrown away live on"
  case waste = "cells are made over and over, and nobody is told"

  /// Whether it is seen only when nothing is under way any more; the others while a schedule runs.
  var isOfRest: Bool {
    switch self {
    case .foreignAtRest, .nothingAtRest, .staleAtRest, .silentFailure, .lastingFailure: true
    default: false
    }
  }
}
