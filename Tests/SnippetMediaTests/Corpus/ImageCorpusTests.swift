import Foundation
import SnippetRecognition
import SnippetTestSupport
import Testing

@testable import SnippetMedia

/// Images as other programs make them: upright, and turned once.
@Suite(
  .enabled(if: MediaTools.areExpected, MediaTools.reason),
  .timeLimit(.minutes(30))
)
struct ImageCorpusTests {
  @Test(arguments: CorpusImage.all)
  func `an image has the facts and the thumbnail of its picture`(image: CorpusImage) async throws {
    let bytes = try await image.bytes
    let wanted = CorpusImage.original.displayed(orientation: image.orientation)
    let input = MediaInput(bytes)

    let content = try #require(try input.recognized())
    let thumbnail = try Decoder.sharedWorkers
      .thumbnail(of: input, as: ThumbnailRequest(maximumPixelSize: 64)) { false }

    #expect(content.type == image.type)
    #expect(content.facts.pixelWidth == wanted.width)
    #expect(content.facts.pixelHeight == wanted.height)
    #expect(thumbnail.pixelWidth == wanted.width && thumbnail.pixelHeight == wanted.height)
    if [.jpeg, .heic, .avif].contains(image.type) {
      #expect(content.dates.best == Date(timeIntervalSince1970: 1_769_855_696))
    }
    let found = [UInt8](thumbnail.bytes)
    // The middle of each block: their edges are soft.
    for y in stride(from: 8, to: wanted.height, by: 16) {
      for x in stride(from: 8, to: wanted.width, by: 16) {
        let place = (y * thumbnail.pixelWidth + x) * 4
        let distance = zip(found[place..<place + 4], wanted[x, y])
          .map { abs(Int($0) - Int($1)) }.max()
        #expect(
          try #require(distance) <= image.tolerance,
          "\(x), \(y): \(found[place..<place + 4])"
        )
      }
    }
  }
}
