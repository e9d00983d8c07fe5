import CLibraryChecks
import Foundation
import SnippetMedia
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ImageLibraryTests {
  // How each is declared was held to the headers when this was compiled. A machine may be without
  // them; CI is not.
  @Test(.enabled(if: count > 0 || ProcessInfo.processInfo.environment["CI"] != nil))
  func `what is called of libvips is there and declared as in its headers`() {
    #expect((Self.count > 0) == (MediaSupport.current.libvipsVersion != nil))
  }

  @Test(.enabled(if: chafaCount > 0 || ProcessInfo.processInfo.environment["CI"] != nil))
  func `libchafa is declared as in its headers`() {
    #expect(Self.chafaCount > 0)
  }

  private static let chafaCount = snippet_chafa_library_checked_call_count()
  private static let count = snippet_image_library_checked_call_count()
}
