/// The numbers by which entries name devices: within a file, or within a store.
struct DeviceTable: Sendable {
  private(set) var devices: [Int: DeviceID] = [:]
  private var numbers: [DeviceID: Int] = [:]
  private var next = 1

  /// Numbers devices from 1 on.
  init(_ devices: [DeviceID] = []) {
    for device in devices { add(device, next) }
  }

  /// Takes devices with their numbers.
  init(numbered devices: [(number: Int, device: DeviceID)]) {
    for (number, device) in devices { add(device, number) }
  }

  subscript(number: Int) -> DeviceID? { devices[number] }

  /// Returns the number of a device; a device without one gets the next.
  mutating func number(of device: DeviceID) -> Int {
    if let number = numbers[device] { return number }
    let number = next
    add(device, number)
    return number
  }

  private mutating func add(_ device: DeviceID, _ number: Int) {
    devices[number] = device
    numbers[device] = number
    // A damaged store may give any number.
    next = max(next, number &+ 1)
  }
}
