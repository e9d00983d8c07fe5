/// A folder that Joplin has exported.
struct JoplinTree {
  let tree: FileTree

  init(_ name: String) throws {
    tree = try FileTree(name)
  }

  static func id(_ number: Int) -> String {
    String(repeating: "0", count: 31) + String(number, radix: 16)
  }

  func item(_ number: Int, _ type: Int, _ text: String, _ fields: [String] = []) throws {
    let head = text.isEmpty ? "" : text + "\n\n"
    let lines = ["id: \(Self.id(number))"] + fields + ["type_: \(type)"]
    try tree.add("\(Self.id(number)).md", head + lines.joined(separator: "\n"))
  }
}
