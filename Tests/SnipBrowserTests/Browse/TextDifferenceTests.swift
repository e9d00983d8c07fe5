import SnipCore
import Testing

struct TextDifferenceTests {
  /// The numbers of lines, one a line.
  private func lines(_ numbers: ClosedRange<Int>, end: String = "\n") -> String {
    numbers.map(String.init).joined(separator: end)
  }

  @Test func `short texts are shown whole`() {
    let difference = TextDifference("a\nmine", "a\ntheirs\n")
    #expect(difference.first == "a\nmine" && difference.second == "a\ntheirs\n")
    #expect(difference.place.isEmpty)
  }

  @Test(arguments: ["\n", "\r\n"])
  func `of long texts the lines that differ are shown, with some around them`(end: String) {
    let (above, below) = (lines(1...50, end: end) + end, end + lines(52...99, end: end))
    let difference = TextDifference(above + "mine" + below, above + "51\(end)and" + below)

    let before = lines(48...50, end: end) + end
    let after = (end + lines(52...54, end: end))
    #expect(difference.first.hasPrefix(before + "mine" + after), "\(difference.first)")
    #expect(difference.second.hasPrefix(before + "51\(end)and" + after), "\(difference.second)")
    #expect(difference.first.utf8.count <= (before + "mine" + after).utf8.count + 1)
    #expect(difference.place == " (47 equal lines above, 45 equal lines below left out)")
  }

  @Test(arguments: [("", "a"), ("a", ""), ("a\na\na\na\na", "a\na\na\na"), ("", "\n\n\n\n\n\n")])
  func `lines that were only added or removed are a difference`(one: String, other: String) {
    for (first, second) in [(one, other), (other, one)] {
      let difference = TextDifference(first, second)
      #expect(first.contains(difference.first) || difference.first.isEmpty)
      #expect(!difference.first.utf8.elementsEqual(difference.second.utf8))
    }
  }

  @Test func `letters that only look the same differ`() {
    let difference = TextDifference("\u{E9}", "e\u{301}")
    #expect(!difference.first.utf8.elementsEqual(difference.second.utf8))
  }
}
