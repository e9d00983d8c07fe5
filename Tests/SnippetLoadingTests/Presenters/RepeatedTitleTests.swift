import SnippetLoading
import Testing

struct RepeatedTitleTests {
  @Test(arguments: [
    ("Plan for the boat house", "Plan", "Plan for the boat house"),
    ("Plan  for the boat house", "Plan", "  for the boat house"),
    ("# Plan for the boat", "Plan", "# Plan for the boat"), ("## Plan  x", "Plan", "  x"),
    ("Milk, eggs", "Milk", "Milk, eggs"), ("Milkshake  recipe", "Milk", "Milkshake  recipe"),
    ("note", "note", ""), ("# note", "note", ""), ("####### X", "X", "####### X"),
    ("#X  y", "X", "#X  y"), ("# 1  is", "# 1", "  is"), ("# # 1  is", "# 1", "  is"),
    ("X", "", "X"), ("", "X", ""), ("e\u{301}a  \u{E9}", "\u{E9}a", "  \u{E9}"),
    ("Cafe\u{301}  x", "Cafe", "Cafe\u{301}  x"), ("日本語  の", "日本語", "  の"),
    ("日本語の", "日本語", "日本語の"), ("Plan\nfor", "Plan", "Plan\nfor"),
  ])
  func `an excerpt is shown without the title that is its first line, and no sentence is cut`(
    text: String,
    title: String,
    rest: String
  ) {
    #expect(text.dropping(title: title, lineEnds: .twoBlanks) == rest)
  }

  @Test(arguments: [
    ("Plan\nfor", "\nfor"), ("# Plan \t\r\n\nfor", " \t\r\n\nfor"), ("Plan  for", "Plan  for"),
    ("Plan", ""), ("Plan ", " "), ("Plan for\nit", "Plan for\nit"),
  ])
  func `a text with its own lines is shown without the title that is its first line`(
    text: String,
    rest: String
  ) {
    #expect(text.dropping(title: "Plan", lineEnds: .kept) == rest)
  }

  @Test(arguments: [
    ("Milk and eggs", "Milk", " and eggs"), ("# Milk and eggs", "Milk", " and eggs"),
    ("Milk, eggs", "Milk", "Milk, eggs"), ("Milk: two", "Milk", "Milk: two"),
    ("Milkshake", "Milk", "Milkshake"), ("Part 10", "Part 1", "Part 10"), ("note", "note", ""),
  ])
  func `a preview is shown without the title before a blank, which may be the end of a line`(
    text: String,
    title: String,
    rest: String
  ) {
    #expect(text.dropping(title: title) == rest)
  }
}
