import SnippetLoading
import Testing

struct RepeatedTitleTests {
  @Test(arguments: [
    ("Milk, eggs", "Milk", ", eggs"), ("Milkshake recipe", "Milk", "Milkshake recipe"),
    ("notebook", "note", "notebook"), ("note", "note", ""), ("# X A list", "X", " A list"),
    ("### X", "X", ""), ("####### X", "X", "####### X"), ("#X", "X", "#X"),
    ("# 1 is", "# 1", " is"), ("X", "", "X"), ("e\u{301}a \u{E9}", "\u{E9}a", " \u{E9}"),
    ("Cafe\u{301} x", "Cafe", "Cafe\u{301} x"), ("# # 1 is", "# 1", " is"), ("", "X", ""),
    ("Part 10", "Part 1", "Part 10"), ("日本語の", "日本語", "日本語の"),
  ])
  func `a text is shown without the title that it begins with, and no word is cut`(
    text: String,
    title: String,
    rest: String
  ) {
    #expect(text.dropping(title: title) == rest)
  }
}
