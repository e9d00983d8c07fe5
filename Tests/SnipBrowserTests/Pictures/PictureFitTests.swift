import TerminalKit
import Testing

@testable import SnipBrowser

struct PictureFitTests {
  private func size(
    _ width: Int,
    _ height: Int,
    _ form: PictureForm = .symbols(.direct),
    in room: BoxSize = BoxSize(columns: 80, lines: 16),
    cell: CellShape = .usual
  ) -> BoxSize {
    PictureFit(form, in: room, cell: cell).size(pixelWidth: width, pixelHeight: height)
  }

  @Test func `a picture fills the room to one side, in its proportions`() {
    #expect(size(1600, 1200) == BoxSize(columns: 43, lines: 16))
    #expect(size(1200, 1600) == BoxSize(columns: 24, lines: 16))
    #expect(size(4000, 500) == BoxSize(columns: 80, lines: 5))
    #expect(size(1000, 1000, in: .inRow) == BoxSize(columns: 6, lines: 3))
  }

  @Test func `a strip is never less than a cell`() {
    #expect(size(10_000, 1) == BoxSize(columns: 80, lines: 1))
    #expect(size(1, 10_000) == BoxSize(columns: 1, lines: 16))
  }

  @Test func `a pixel is not made larger than a character is wide`() {
    #expect(size(1, 1) == BoxSize(columns: 1, lines: 1))
    #expect(size(8, 8) == BoxSize(columns: 8, lines: 4))
    #expect(size(24, 12) == BoxSize(columns: 24, lines: 6))
  }

  @Test func `true pixels are made twice as large at most`() {
    #expect(size(20, 20, .kitty) == BoxSize(columns: 4, lines: 2))
    #expect(size(20, 20, .sixels) == BoxSize(columns: 4, lines: 2))
    #expect(size(3000, 3000, .kitty) == BoxSize(columns: 32, lines: 16))
  }

  @Test func `cells of another shape make other sizes`() throws {
    let square = try #require(CellShape(measuredWidth: 12, height: 12))

    #expect(size(1000, 1000, cell: square) == BoxSize(columns: 16, lines: 16))
  }

  @Test(arguments: [(0, 0), (1, 20), (9, 0), (300, 20), (50, 5), (2, 100)])
  func `a shape that no cell has is not believed`(width: Int, height: Int) {
    #expect(CellShape(measuredWidth: width, height: height) == nil)
  }
}
