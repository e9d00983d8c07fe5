import Foundation
import Testing

@testable import SnippetSync

struct ObjectNameTests {
  @Test(arguments: names.sorted { $0.key < $1.key })
  func `a name is spelled and read`(text: String, name: ObjectName) throws {
    #expect(name.rawValue == text)
    #expect(ObjectName(rawValue: text) == name)
    #expect(
      try JSONDecoder().decode([ObjectName].self, from: JSONEncoder().encode([name])) == [name]
    )
  }

  @Test func `a name is a string in JSON`() throws {
    #expect(try JSONEncoder().encode([ObjectName.format]) == Data(#"["format"]"#.utf8))
  }

  @Test(arguments: foreignNames) func `a foreign name is none`(text: String) {
    #expect(ObjectName(rawValue: text) == nil)
  }

  @Test(arguments: ["", "a", device + "0", device.uppercased(), "../" + device.dropFirst(3)])
  func `a device has a name of 32 small digits`(text: String) {
    #expect(DeviceID(rawValue: text) == nil)
    #expect(DeviceID(rawValue: DeviceID().rawValue) != nil)
    #expect(DeviceID() != DeviceID())
  }

  private static let device = String(repeating: "a", count: 32)
  private static let id = String(repeating: "0123", count: 8)

  private static var names: [String: ObjectName] {
    let writer = FormatFixture.device("a")
    return [
      "format": .format,
      "device/\(device)": .head(writer),
      "device/\(device).given": .notice(writer),
      "log/\(device)/00000001": .log(writer, number: 1),
      "log/\(device)/99999999": .log(writer, number: 99_999_999),
      "log/\(device)/100000000": .log(writer, number: 100_000_000),
      "log/\(device)/9223372036854775807": .log(writer, number: .max),
      "blob/01/\(id).0-0": .blob(id: id, generation: 0, part: 0),
      "blob/01/\(id).12-131072": .blob(id: id, generation: 12, part: 131_072),
      "thumb/01/\(id)-\(device)": .thumb(id: id, recipe: device),
    ]
  }

  private static let foreignNames = [
    "", "/", "formats", "format/", "/format", "Format", "format (1)", "format.tmp", ".stfolder",
    "device", "device/", "device/\(device)/", "device//\(device)", "device/\(device.uppercased())",
    "device/\(device).sync-conflict-20260101-120000-ABCDEFG", "device/\(device) (1)",
    "device/\(device).given.tmp", "device/\(device)-given", "device/\(device).taken",
    "device/.\(device).icloud", "device/../format", "device/\(device)\n", "device/\(device)\0",
    "log/\(device)", "log/\(device)/", "log/\(device)/1", "log/\(device)/00000000",
    "log/\(device)/0000001", "log/\(device)/000000001", "log/\(device)/-0000001",
    "log/\(device)/+0000001", "log/\(device)/0000000a", "log/\(device)/00000001 (1)",
    "log/\(device)/00000001.tmp", "log/\(device)/00000001/", "log/\(device)/٠٠٠٠٠٠٠١",
    "log/\(device)/9223372036854775808", "log/..//00000001",
    "blob/01/\(id)", "blob/01/\(id).1", "blob/01/\(id).1-", "blob/01/\(id).01-0",
    "blob/01/\(id).1-00", "blob/02/\(id).1-0", "blob/01/\(id)-1.0", "blob/01/\(id).1--1",
    "blob/01/\(id).-1-1", "blob/01/0123.1-0", "blob/01/\(id)..1-0", "blob/\(id).1-0",
    "thumb/01/\(id)", "thumb/01/\(id)-", "thumb/01/\(id)-x", "thumb/01/\(id).\(device)",
    "run/\(device)/00000001-00000002-0123", "keys/laptop.age",
  ]
}
