import Testing

/// What the documentation shows is compiled with this target, as it stands there.
@Suite struct SampleTests {
  @Test(arguments: CodeBlock.all(of: "swift"))
  func `every Swift sample is compiled`(sample: CodeBlock) {
    let isCompiled = SampleFile.all.contains { $0.holds(sample) }

    #expect(isCompiled, "\(advice(on: sample))")
  }

  @Test(arguments: SampleFile.all)
  func `every compiled sample stands in the documentation`(file: SampleFile) {
    #expect(
      CodeBlock.all(of: "swift").contains { file.holds($0) },
      "No documentation shows what Samples/\(file.name) holds. Delete the file."
    )
  }

  @Test(arguments: CodeBlock.all)
  func `every block says what it is written in`(block: CodeBlock) {
    #expect(["cron", "ini", "json", "sh", "sql", "swift", "text"].contains(block.language))
  }

  /// What to do about a sample that is nowhere.
  private func advice(on sample: CodeBlock) -> String {
    let places = SampleFile.all.map { (file: $0, place: $0.nearest(to: sample)) }
    var advice = """
      The code at \(sample.file):\(sample.line) is not compiled by the tests. Copy it as it stands \
      into a file of Tests/DocumentationTests/Samples, inside whatever function or type it needs.
      """
    let nearest = places.max { $0.place.agreement < $1.place.agreement }
    if let (file, place) = nearest, place.agreement > 0 {
      let (imports, code) = sample.importsAndCode
      let missing = imports.filter { !file.lines.contains($0) }
      let rest = code.dropFirst(place.agreement).first
      advice += "\nSamples/\(file.name):\(place.line) begins like it, but lacks "
      advice += "`\(rest?.trimmingPrefix(while: \.isWhitespace).description ?? missing.joined())`"
      if rest != nil { advice += " in line \(place.line + place.agreement)" }
      advice += "."
    }
    return advice
  }
}
