import Foundation
import SnippetTestSupport
import Testing

@testable import TerminalKit

struct ConsoleStreamTests {
  @Test func `short writes lose nothing`() throws {
    let sink = RecordingSink(bytesPerWrite: 3)
    let stream = ConsoleStream(name: "output", sink: sink, device: .pipe)
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }

    try stream.write("head ")
    try stream.write(contentsOf: bytes)
    try stream.write(contentsOf: Data("tail".utf8))
    try stream.flush()

    #expect(sink.bytes == Array("head ".utf8) + bytes + Array("tail".utf8))
  }

  @Test func `a pipe gets few large writes`() throws {
    let sink = RecordingSink()
    let stream = ConsoleStream(name: "output", sink: sink, device: .pipe)

    for _ in 0..<20_000 { try stream.writeLine("0123456789") }
    try stream.flush()

    #expect(sink.bytes.count == 220_000)
    #expect(sink.writes.count == 4)
  }

  @Test func `a terminal gets each line when it ends`() throws {
    let sink = RecordingSink()
    let stream = ConsoleStream(name: "output", sink: sink, device: .terminal(width: 80))

    try stream.write("one ")
    #expect(sink.text == "")

    try stream.writeLine("line")
    #expect(sink.text == "one line\n")
  }

  @Test func `a full disk is an error, at once and ever after`() throws {
    let sink = RecordingSink(capacity: 10)
    let stream = ConsoleStream(name: "standard output", sink: sink, device: .pipe)
    let full = ConsoleError(stream: "standard output", number: ENOSPC)

    try stream.write("0123456789abc")
    #expect(throws: full) { try stream.flush() }
    #expect(throws: full) { try stream.flush() }
    #expect(throws: full) { try stream.write(contentsOf: [UInt8](repeating: 0, count: 1 << 17)) }

    #expect(sink.text == "0123456789")
  }

  @Test func `messages that cannot be written are dropped`() {
    let sink = RecordingSink(capacity: 13, failure: EPIPE)
    let messages = MessageStream(sink: sink, device: .pipe)

    messages.writeLine("heard so far")
    messages.writeLine("nobody listens")
    messages.writeLine("still nobody")

    #expect(sink.text == "heard so far\n")
  }

  #if os(Linux)
  @Test func `a write error of the system is reported`() throws {
    let descriptor = open("/dev/full", O_WRONLY)
    defer { close(descriptor) }
    let stream = ConsoleStream(
      name: "output",
      sink: FileDescriptorSink(descriptor: descriptor),
      device: .pipe
    )

    try stream.write("data")

    #expect(throws: ConsoleError(stream: "output", number: ENOSPC)) { try stream.flush() }
  }
  #endif

  @Test func `a pipe nobody has read from is waited for, even if it does not block`() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (reader, writer) = (ends[0], ends[1])
    defer { close(reader) }
    _ = fcntl(writer, F_SETFL, O_NONBLOCK)
    let reading = Thread.reading(from: reader)
    let bytes = [UInt8](repeating: 7, count: 1 << 20)
    let stream = ConsoleStream(
      name: "output",
      sink: FileDescriptorSink(descriptor: writer),
      device: .pipe
    )

    try stream.write(contentsOf: bytes)
    close(writer)

    #expect(reading.result() == bytes.count)
  }
}

/// Reads a descriptor to its end on a thread of its own.
private final class Reading: Sendable {
  private let count = NumberGate()

  func run(_ descriptor: Int32) {
    var total = 0
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count <= 0 { break }
      total += count
    }
    count.open(with: total)
  }

  func result() -> Int { count.wait() }
}

extension Thread {
  fileprivate static func reading(from descriptor: Int32) -> Reading {
    let reading = Reading()
    Thread.detachNewThread { reading.run(descriptor) }
    return reading
  }
}
