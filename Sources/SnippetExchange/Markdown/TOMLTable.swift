import Yams

/// A table of TOML while it is read, with what decides whether further lines may add to it.
final class TOMLTable {
  /// A value of a key.
  enum Value {
    case table(TOMLTable)
    /// The tables of `[[name]]`, to which further ones are added.
    case tables(List)
    /// A value that is whole: a scalar, an array or a table in braces.
    case whole(Node)
  }

  /// The origin of a table.
  enum Origin {
    /// The name of a table within it, as `a` of `[a.b]`.
    case inner
    /// A line with its name.
    case heading
    /// A key of several parts, as `a` of `a.b = 1`.
    case key
  }

  /// Tables in their order, which grow in place.
  final class List {
    var tables: [TOMLTable]

    init(_ first: TOMLTable) { tables = [first] }
  }

  var origin: Origin
  private var fields: [(name: String, value: Value)] = []
  /// The place of each name in the fields.
  private var places: [String: Int] = [:]

  init(_ origin: Origin) {
    self.origin = origin
  }

  var isEmpty: Bool { fields.isEmpty }

  /// Returns the value of a key; `nil` if it has none.
  subscript(name: String) -> Value? { places[name].map { fields[$0].value } }

  /// Sets the value of a key.
  func set(_ name: String, to value: Value) {
    if let place = places[name] {
      fields[place].value = value
    } else {
      places[name] = fields.count
      fields.append((name, value))
    }
  }

  /// The table as a mapping of YAML, in the order of its lines.
  var node: Node {
    let pairs = fields.map { name, value -> (Node, Node) in
      switch value {
      case .table(let table): (Node(name), table.node)
      case .tables(let list): (Node(name), .sequence(Node.Sequence(list.tables.map(\.node))))
      case .whole(let value): (Node(name), value)
      }
    }
    return .mapping(Node.Mapping(pairs))
  }
}
