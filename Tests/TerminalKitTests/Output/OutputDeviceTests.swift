import Foundation
import Testing

@testable import TerminalKit

struct OutputDeviceTests {
  private struct Case: CustomTestStringConvertible {
    let name: String
    var isTerminal = true
    var environment: [String: String]
    let allowsColor: Bool
    let canRedraw: Bool

    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(name: "terminal", environment: ["TERM": "xterm"], allowsColor: true, canRedraw: true),
    Case(
      name: "pipe",
      isTerminal: false,
      environment: ["TERM": "xterm"],
      allowsColor: false,
      canRedraw: false
    ),
    Case(name: "dumb", environment: ["TERM": "dumb"], allowsColor: false, canRedraw: false),
    Case(name: "no TERM", environment: [:], allowsColor: false, canRedraw: false),
    Case(
      name: "NO_COLOR",
      environment: ["TERM": "xterm", "NO_COLOR": "1"],
      allowsColor: false,
      canRedraw: true
    ),
    Case(
      name: "empty NO_COLOR",
      environment: ["TERM": "xterm", "NO_COLOR": ""],
      allowsColor: true,
      canRedraw: true
    ),
    Case(
      name: "CLICOLOR=0",
      environment: ["TERM": "xterm", "CLICOLOR": "0"],
      allowsColor: false,
      canRedraw: true
    ),
    Case(
      name: "forced in a pipe",
      isTerminal: false,
      environment: ["CLICOLOR_FORCE": "1"],
      allowsColor: true,
      canRedraw: false
    ),
    Case(
      name: "forced with 0",
      isTerminal: false,
      environment: ["CLICOLOR_FORCE": "0"],
      allowsColor: false,
      canRedraw: false
    ),
    Case(
      name: "NO_COLOR beats force",
      environment: ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"],
      allowsColor: false,
      canRedraw: false
    ),
  ])
  private func `colour follows the customs`(place: Case) {
    let device = OutputDevice(isTerminal: place.isTerminal, environment: place.environment)

    #expect(device.allowsColor == place.allowsColor)
    #expect(device.canRedraw == place.canRedraw)
  }

  @Test(
    arguments: [
      (120, "100", 120), (nil, "100", 100), (nil, "0", 80), (nil, "-3", 80), (nil, "wide", 80),
      (nil, "9223372036854775807", 1000), (nil, nil, 80),
    ] as [(Int?, String?, Int)]
  )
  func `the width is measured, else told, else 80`(measured: Int?, columns: String?, width: Int) {
    let device = OutputDevice(
      isTerminal: true,
      environment: columns.map { ["COLUMNS": $0] } ?? [:],
      measuredGrid: { measured.map { TerminalGrid(columns: $0) } }
    )

    #expect(device.width == width)
    #expect(device.fittingWidth == width)
  }

  @Test func `a pipe has no width to fit`() {
    #expect(OutputDevice(isTerminal: false, environment: ["COLUMNS": "40"]).fittingWidth == nil)
  }

  @Test func `a real terminal tells its width, and the new one when it is resized`() throws {
    let terminal = try PseudoTerminal(width: 132)
    let device = OutputDevice(descriptor: terminal.device, environment: ["TERM": "xterm"])

    #expect(device.isTerminal)
    #expect(device.canRedraw)
    #expect(device.width == 132)

    try terminal.resize(width: 40)
    #expect(device.width == 40)

    try terminal.resize(width: 0)
    #expect(device.width == 80)
  }

  @Test func `a file is no terminal`() throws {
    let descriptor = open("/dev/null", O_WRONLY)
    defer { close(descriptor) }

    #expect(!OutputDevice(descriptor: descriptor, environment: ["TERM": "xterm"]).isTerminal)
  }
}

/// A terminal without a screen.
private final class PseudoTerminal {
  /// The descriptor a program would have as its standard output.
  let device: Int32
  private let controller: Int32

  init(width: UInt16) throws {
    var ends: (controller: Int32, device: Int32) = (-1, -1)
    guard openpty(&ends.controller, &ends.device, nil, nil, nil) == 0 else {
      throw POSIXError(.ENODEV)
    }
    (controller, device) = ends
    try resize(width: width)
  }

  deinit {
    close(device)
    close(controller)
  }

  func resize(width: UInt16) throws {
    var size = winsize()
    size.ws_col = width
    size.ws_row = 24
    guard ioctl(controller, UInt(TIOCSWINSZ), &size) == 0 else { throw POSIXError(.ENODEV) }
  }
}
