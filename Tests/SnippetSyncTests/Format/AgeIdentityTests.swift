import Foundation
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetSync

struct AgeIdentityTests {
  @Test func `a key is spelled as it was read, and so is its recipient`() throws {
    let identity = try FormatFixture.identity

    #expect(identity.text == FormatFixture.identityText)
    #expect(identity.recipient.text == FormatFixture.recipientText)
    #expect(
      Data(identity.secret).hexadecimal
        == "49132e657f3e8618c911af5e1d889dd2be4e8329507ff0eb937bdc0b82479bf1"
    )
  }

  @Test func `a new key is another each time, and can be read again`() throws {
    let identity = AgeIdentity()

    #expect(identity != AgeIdentity())
    #expect(try AgeIdentity(identity.text) == identity)
  }

  @Test(
    arguments: [
      "# created: today\n# public key: age1…\n\(FormatFixture.identityText)\n",
      "  \(FormatFixture.identityText)\t\r\n\r\n",
      "\n\n  # mine\n\(FormatFixture.identityText)",
      FormatFixture.identityText.lowercased(),
    ]
  )
  func `a key is found in the text of a key file`(text: String) throws {
    #expect(try AgeIdentity(text) == FormatFixture.identity)
  }

  @Test(arguments: hostileTexts.sorted { $0.key < $1.key })
  func `a text without a key is refused with a reason`(text: String, reason: String) {
    let error = syncError { try AgeIdentity(text) }

    #expect(error?.code == .invalidInput)
    #expect(error?.reason == reason)
    #expect(error?.recoverySuggestion?.hasPrefix("Copy the line") == true)
  }

  @Test func `every exchanged letter of a key is noticed`() {
    let letters = Array(FormatFixture.identityText)
    for place in letters.indices {
      for letter in "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L1BIO–é" where letter != letters[place] {
        var other = letters
        other[place] = letter
        #expect(syncError { try AgeIdentity(String(other)) } != nil)
      }
    }
  }

  @Test func `bytes of any number are spelled and read`() {
    for count in 0...70 {
      let bytes = Array(FormatFixture.bytes(count))
      #expect(Bech32.decode(Bech32.encode(bytes, prefix: "age"), prefix: "age") == bytes)
    }
  }

  @Test(.enabled(if: FormatFixture.has("age-keygen")))
  func `age-keygen finds the same recipient`() async throws {
    let identity = AgeIdentity()

    let output = try await Shell.run("age-keygen", ["-y"], input: Data(identity.text.utf8))

    #expect(output.standardOutput == identity.recipient.text + "\n")
  }

  @Test(.enabled(if: FormatFixture.has("age-keygen")))
  func `a key of age-keygen is read`() async throws {
    let output = try await Shell.run("age-keygen", [])

    let identity = try AgeIdentity(output.standardOutput)

    #expect(output.standardOutput.contains("# public key: \(identity.recipient.text)\n"))
  }

  private static var hostileTexts: [String: String] {
    let secret = [UInt8](repeating: 1, count: 32)
    let prefix = "age-secret-key-"
    let letters = "letters of it are wrong or missing"
    let start = "it does not begin with AGE-SECRET-KEY-1"
    let text = FormatFixture.identityText
    return [
      "": "it has 0 lines with a key, not one",
      "# only a comment": "it has 0 lines with a key, not one",
      "\(text)\n\(text)": "it has 2 lines with a key, not one",
      FormatFixture.recipientText: start,
      "AGE-SECRET-KEY-PQ-1XX76": start,
      "AGE-SECRET-KEY": start,
      Bech32.encode(secret, prefix: "age-secret-kez-"): start,
      // Mixed letters, though all are right.
      "age-secret-key-" + text.dropFirst(15): letters,
      text.dropLast() + "f": letters,
      String(text.dropLast()): letters,
      "\(text)Q": letters,
      // The sign of Kelvin, which equals a K in the eyes of Unicode.
      text.replacingOccurrences(of: "K", with: "\u{212A}"): letters,
      "AGE-SECRET-KEY-1": letters,
      "AGE-SECRET-KEY-1QQQQQ": letters,
      // Right in itself, but for a bit that means nothing.
      "AGE-SECRET-KEY-1FYFJUETL86RP3JG34A0PMZYA62LYAQEF2PLLP6UN00WQHQJ8N0C33J37CV": letters,
      // Right in themselves, and of another length.
      Bech32.encode(secret + [1], prefix: prefix): letters,
      Bech32.encode(Array(secret.dropLast()), prefix: prefix): letters,
      Bech32.encode([UInt8](repeating: 1, count: 100_000), prefix: prefix): letters,
      Bech32.encode([], prefix: prefix): letters,
    ]
  }
}
