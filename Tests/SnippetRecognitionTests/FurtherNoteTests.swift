import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetRecognition

/// The descriptions in a file besides the one that becomes its note.
struct FurtherNoteTests {
  private func flac(_ entries: String...) throws -> RecognizedContent {
    let listed = entries.flatMap { little(UInt32($0.utf8.count)) + Array($0.utf8) }
    let comments = little(UInt32(0)) + little(UInt32(entries.count)) + listed
    return try #require(try recognize(TitledFile.flac(comments)))
  }

  @Test func `a comment besides the description of a FLAC is named`() throws {
    let both = try flac("COMMENT=By the sea", "description=The sea")
    #expect(both.note == "The sea" && both.unreadTexts == [.further(name: "COMMENT")])
    #expect(both.unreadTexts.first?.reason.contains("“COMMENT”") == true)

    let comments = try flac("COMMENT=The sea", "Comment=The wind", "COMMENT=The shore")
    #expect(comments.note == "The sea" && comments.unreadTexts == [.further(name: "COMMENT")])
  }

  @Test func `what the note or the title already says is not named`() throws {
    #expect(try flac("COMMENT=The sea", "DESCRIPTION=The sea at noon").unreadTexts == [])
    #expect(try flac("TITLE=Waves", "COMMENT=Waves", "DESCRIPTION=The sea").unreadTexts == [])
    // Nor is what a program writes by itself.
    #expect(try flac("DESCRIPTION=The sea", "COMMENT=Lavc58.54.100").unreadTexts == [])
  }

  @Test func `the first date of a FLAC that is a day counts`() throws {
    #expect(
      try flac("DATE=2019", "DATE=2020-01-02", "DATE=2021-01-02").dates.best
        == RecordingDate.date("2020-01-02")
    )
  }
}
