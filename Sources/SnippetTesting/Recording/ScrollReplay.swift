internal import SnippetLoading

/// A recorded movement through a list, to be repeated.
///
/// ```swift
/// let replay = ScrollReplay(recording)
/// for frame in replay.frames {
///   screen.scroll(to: frame.visible.lowerBound)
///   loader.drain()
/// }
/// ```
public struct ScrollReplay: Hashable, Sendable {
  /// The visible positions from a time on.
  public struct Frame: Hashable, Sendable {
    /// The time, counted from the first frame.
    public var time: Duration
    /// The visible positions.
    public var visible: Range<Int>

    /// Describes a frame.
    ///
    /// - Parameters:
    ///   - time: The time, counted from the first frame.
    ///   - visible: The visible positions.
    public init(time: Duration, visible: Range<Int>) {
      self.time = time
      self.visible = visible
    }
  }

  /// The visible positions, one frame for each report of the host.
  public let frames: [Frame]
  /// The length of the list at the first frame, as far as the recording knows it.
  public let rowCount: Int

  /// The most rows that were visible at a time.
  public var viewport: Int { frames.map(\.visible.count).max() ?? 0 }

  /// Finds the movement in a recording.
  ///
  /// - Parameter recording: The recording of a loader. One without its beginning is played from its
  ///   first movement on.
  /// - Complexity: O(*n*).
  public init(_ recording: LoaderRecording) {
    var frames: [Frame] = []
    var origin = Duration.zero
    var rowCount: Int?
    for event in recording.events {
      switch event.action {
      case .viewportMoved(let visible):
        if frames.isEmpty { origin = event.time }
        frames.append(Frame(time: max(.zero, event.time - origin), visible: visible))
      case .rowsRead(_, _, let listCount), .listChanged(let listCount):
        if rowCount == nil || frames.isEmpty { rowCount = listCount }
      default:
        continue
      }
    }
    self.frames = frames
    self.rowCount = rowCount ?? frames.map(\.visible.upperBound).max() ?? 0
  }
}

extension SimulatedScreen {
  /// Shows the positions of a recorded frame; those outside of the list are left out.
  ///
  /// - Parameter frame: The frame.
  public func show(_ frame: ScrollReplay.Frame) {
    show(frame.visible.clamped(to: 0..<loader.count))
  }
}
