// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "snippets", path: "../.."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    // Counts how often memory is asked for, which only a program's own malloc can.
    .target(name: "CAllocationCount"),
    // The rows of a list, read as C would read them.
    .target(name: "CRows", linkerSettings: [.linkedLibrary("sqlite3")]),
    // A recording, read once as C would read it.
    .target(name: "CSounds", linkerSettings: [.linkedLibrary("sndfile")]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CAllocationCount",
        "CRows",
        "CSounds",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "SnippetLoading", package: "snippets"),
        .product(name: "SnippetMedia", package: "snippets"),
        .product(name: "SnippetStorage", package: "snippets"),
        .product(name: "SnippetTesting", package: "snippets"),
        // What is browsed with.
        .product(name: "snip", package: "snippets"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]
    ),
  ],
  swiftLanguageModes: [.v6]
)
