import CLibFuzzer
import Foundation

/// Gives one target the bytes that libFuzzer finds.
///
/// `SNIPPET_FUZZ_TARGET` names the target; the arguments are those of libFuzzer
/// (https://llvm.org/docs/LibFuzzer.html#options).
@main
enum Fuzzer {
  private static let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["SNIPPET_FUZZ_TARGET"] ?? ""
    if let target = FuzzTarget.all.first(where: { $0.name == name }) { return target }
    let names = FuzzTarget.all.map(\.name).joined(separator: " ")
    FileHandle.standardError.write(Data("SNIPPET_FUZZ_TARGET must be one of \(names)\n".utf8))
    exit(64)
  }()

  static func main() {
    // Not before the first bytes it would be told that there is no such target.
    _ = target
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(LLVMFuzzerRunDriver(&count, &arguments) { Fuzzer.check($0, $1) })
  }

  private static func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
      try target.check(UnsafeRawBufferPointer(start: start, count: count))
    } catch {
      fatalError("\(error)")
    }
    return 0
  }
}
