import SnippetTestSupport
import Testing

@testable import TerminalKit

struct TableTests {
  private let table = sampleTable()

  private func lines(fitting width: Int) -> [String] { Array(table.lines(fitting: width)) }

  @Test func `a table that fits is as wide as its cells`() {
    #expect(
      lines(fitting: 80) == [
        "ID  KIND   TITLE               SIZE  PREVIEW",
        " 1  text   Milk, eggs          12 B  buy them",
        "12  image  漢字のとても長い  1.2 MB",
        " 3  voice  👩\u{200D}👩\u{200D}👧 family           9 kB  before dinner",
      ]
    )
  }

  @Test func `flexible columns give way until the line fits`() {
    #expect(
      lines(fitting: 40) == [
        "ID  KIND   TITLE         SIZE  PREVIEW",
        " 1  text   Milk, eggs    12 B  buy them",
        "12  image  漢字のと…   1.2 MB",
        " 3  voice  👩\u{200D}👩\u{200D}👧 family     9 kB  before d…",
      ]
    )
  }

  @Test func `a terminal that is too narrow for the fixed columns cuts the line`() {
    #expect(
      lines(fitting: 14) == [
        "ID  KIND   TI…", " 1  text   Mi…", "12  image  漢…", " 3  voice  👩\u{200D}👩\u{200D}👧…",
      ]
    )
  }

  @Test(arguments: 0...60) func `no line is wider than the terminal`(width: Int) {
    #expect(lines(fitting: width).allSatisfy { $0.displayWidth <= width })
  }

  @Test func `in a pipe nothing is cut`() {
    var table = Table(columns: [
      TableColumn("A", sizing: .flexible(minimum: 1)),
      TableColumn("B", sizing: .flexible(minimum: 1)),
    ])
    let long = String(repeating: "long ", count: 100) + "end"
    table.append([long, long])

    #expect(Array(table.lines(fitting: nil)).last == "\(long)  \(long)")
  }

  @Test func `control characters and line ends in cells do nothing`() {
    var table = Table(columns: [TableColumn("A"), TableColumn("B")])
    table.append(["one\n\ttwo", "\u{1B}[31mred\u{202E}"])

    #expect(Array(table.lines(fitting: 80)) == ["A        B", "one two  ␛[31mred<U+202E>"])
  }

  @Test func `random tables fit, line up and keep their minimum`() {
    var texts = TroublesomeTexts()
    for _ in 0..<300 {
      var table = Table(columns: [
        TableColumn("N", alignment: .trailing), TableColumn("T", sizing: .flexible(minimum: 4)),
        TableColumn("P", sizing: .flexible(minimum: 4)),
      ])
      for number in 0..<5 { table.append(["\(number)", texts.next(), texts.next()]) }
      let width = texts.number(in: 14...60)

      let lines = Array(table.lines(fitting: width))

      let seed: Comment = "seed \(SeededGenerator.runSeed)"
      #expect(lines.allSatisfy { $0.displayWidth <= width }, seed)
      #expect(lines.allSatisfy { $0.last != " " }, seed)
    }
  }

  @Test func `on a stream the header stands out if colour is allowed`() throws {
    let (colored, plain) = (RecordingSink(), RecordingSink())
    let terminal = ConsoleStream(
      name: "terminal",
      sink: colored,
      device: .terminal(width: 20, environment: ["NO_COLOR": ""])
    )
    let pipe = ConsoleStream(name: "pipe", sink: plain, device: .pipe)

    try terminal.write(table)
    try pipe.write(table)
    try pipe.flush()

    #expect(colored.text.hasPrefix("\u{1B}[1mID  KIND   TITLE   …\u{1B}[0m\n 1  text"))
    #expect(plain.text == table.lines(fitting: nil).map { $0 + "\n" }.joined())
  }
}

private func sampleTable() -> Table {
  var table = Table(columns: [
    TableColumn("ID", alignment: .trailing),
    TableColumn("KIND"),
    TableColumn("TITLE", sizing: .flexible(minimum: 5)),
    TableColumn("SIZE", alignment: .trailing),
    TableColumn("PREVIEW", sizing: .flexible(minimum: 5)),
  ])
  table.append(["1", "text", "Milk, eggs", "12 B", "buy them"])
  table.append(["12", "image", "漢字のとても長い", "1.2 MB", ""])
  table.append(["3", "voice", "👩\u{200D}👩\u{200D}👧 family", "9 kB", "before dinner"])
  return table
}
