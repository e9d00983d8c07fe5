import CImageLibraryCheck
import Foundation
import SnippetMedia
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(2)))
struct ImageLibraryTests {
  @Test func `what is called of libvips is there and declared as in its headers`() {
    // How each is declared was held to the headers when this was compiled.
    let count = snippet_image_library_checked_call_count()
    #expect((count > 0) == (MediaSupport.current.libvipsVersion != nil))
  }
}
