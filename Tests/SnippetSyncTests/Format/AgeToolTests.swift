import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetSync

/// Opens the files of the program `age`, and has it open ours.
@Suite(.temporaryDirectory, .enabled(if: FormatFixture.has("age")))
struct AgeToolTests {
  static let sizes = [0, 1, 65_535, 65_536, 65_537, 200_000]

  @Test(arguments: sizes) func `age opens what is sealed here`(count: Int) async throws {
    let identity = AgeIdentity()
    let bytes = FormatFixture.bytes(count)
    try AgeFile.seal(bytes, to: identity.recipient).write(to: file("sealed"))

    // Without bytes, the program makes no file by itself.
    let output = try await Shell.run(
      "sh",
      [
        "-c", #"age -d -i "$0" "$1" >"$2""#, keyFile(identity), file("sealed").path,
        file("open").path,
      ]
    )

    #expect(output == Shell.Output(standardOutput: ""))
    #expect(try Data(contentsOf: file("open")) == bytes)
  }

  @Test(arguments: sizes) func `what age seals is opened here`(count: Int) async throws {
    let identity = AgeIdentity()
    let bytes = FormatFixture.bytes(count)
    try bytes.write(to: file("plain"))

    try await age("-r", identity.recipient.text, "-o", file("sealed").path, file("plain").path)

    let sealed = try Data(contentsOf: file("sealed"))
    #expect(try AgeFile.open(sealed, with: identity, name: "it") == bytes)
  }

  @Test func `each of several recipients opens a file`() async throws {
    let identities = (0..<3).map { _ in AgeIdentity() }
    let recipients = identities.flatMap { ["-r", $0.recipient.text] }
    try Data("Milk".utf8).write(to: file("plain"))

    try await age(recipients + ["-o", file("sealed").path, file("plain").path])

    let sealed = try Data(contentsOf: file("sealed"))
    for identity in identities {
      #expect(try AgeFile.open(sealed, with: identity, name: "it") == Data("Milk".utf8))
    }
    #expect(
      syncError { try AgeFile.open(sealed, with: AgeIdentity(), name: "it") }?.code == .wrongKey
    )
  }

  @Test(.enabled(if: FormatFixture.has("pigz")))
  func `two programs of every distribution print a log file`() async throws {
    let identity = AgeIdentity()
    let name = ObjectName.log(FormatFixture.device("a"), number: 42)
    let log = LogFile.sample(name)
    try log.sealed(with: RepositoryKey(identity)).write(to: file("sealed"))

    let output = try await Shell.run(
      "sh",
      ["-c", #"age -d -i "$0" "$1" | pigz -dz"#, keyFile(identity), file("sealed").path]
    )

    let lines = output.standardOutput.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(output.status == 0)
    #expect(lines.count == 5)
    #expect(
      lines[0]
        == #"{"devices":["\#(name.rawValue.split(separator: "/")[1])"],"knows":[41],"#
        + #""name":"laptop","object":"\#(name.rawValue)","wrote":1732000000000}"#
    )
    #expect(lines[1...2].map { Data($0.utf8) } == log.entries)
    #expect(lines[3].hasPrefix(#"{"mac":""#))
    #expect(lines[4] == "")
  }

  private func file(_ name: String) -> URL { TemporaryDirectory.file(name) }

  private func keyFile(_ identity: AgeIdentity) throws -> String {
    try Data("# a comment\n\(identity.text)\n".utf8).write(to: file("key"))
    return file("key").path
  }

  private func age(_ arguments: String...) async throws { try await age(arguments) }

  private func age(_ arguments: [String]) async throws {
    let output = try await Shell.run("age", arguments)
    guard output.status == 0 else { throw Shell.Failure(output: output) }
  }
}
