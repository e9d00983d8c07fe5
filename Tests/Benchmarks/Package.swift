// swift-tools-version: 6.2

import PackageDescription

let withGTK = TargetDependencyCondition.when(traits: ["GTK"])

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  traits: [.trait(name: "GTK", description: "Measures snip-window too.")],
  dependencies: [
    .package(
      name: "snippets",
      path: "../..",
      traits: [.defaults, .trait(name: "GTK", condition: .when(traits: ["GTK"]))]
    ),
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
    // A list in GTK, as C would write it.
    .systemLibrary(name: "CBenchmarkGTK", pkgConfig: "gtk4"),
    .executableTarget(
      name: "PlainList",
      dependencies: [.target(name: "CBenchmarkGTK", condition: withGTK)],
      cSettings: [.define("BENCHMARK_GTK", .when(traits: ["GTK"]))]
    ),
    // The table, and what needs nothing but the core.
    .target(
      name: "CoreBenchmarks",
      dependencies: [
        "CAllocationCount",
        "CRows",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "SnippetLoading", package: "snippets"),
        .product(name: "SnippetStorage", package: "snippets"),
        .product(name: "SnippetTesting", package: "snippets"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]
    ),
    .executableTarget(
      name: "ShortBenchmarks",
      dependencies: ["CoreBenchmarks"],
      swiftSettings: [.treatAllWarnings(as: .error)]
    ),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CoreBenchmarks",
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
        // What is looked at.
        .product(name: "snip-window", package: "snippets"),
        "PlainList",
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]
    ),
  ],
  swiftLanguageModes: [.v6]
)
