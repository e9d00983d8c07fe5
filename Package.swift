// swift-tools-version: 6.2

import PackageDescription

// The libraries that decode and draw pictures and sound. Elsewhere the system brings its own, which
// can take their place behind the same protocols.
let withMedia = TargetDependencyCondition.when(platforms: [.linux, .macOS], traits: ["Media"])
let withGTK = TargetDependencyCondition.when(traits: ["GTK"])
let builtWithGTK = BuildSettingCondition.when(traits: ["GTK"])
let builtWithMedia = BuildSettingCondition.when(platforms: [.linux, .macOS], traits: ["Media"])

let package = Package(
  name: "snippets",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "SnippetStorage", targets: ["SnippetStorage"]),
    .library(name: "SnippetLoading", targets: ["SnippetLoading"]),
    .library(name: "SnippetMedia", targets: ["SnippetMedia"]),
    .library(name: "SnippetExchange", targets: ["SnippetExchange"]),
    .library(name: "SnippetRescue", targets: ["SnippetRescue"]),
    .library(name: "SnippetSync", targets: ["SnippetSync"]),
    .library(name: "SnippetUIKit", targets: ["SnippetUIKit"]),
    .library(name: "SnippetGTK", targets: ["SnippetGTK"]),
    .library(name: "SnippetTesting", targets: ["SnippetTesting"]),
    .executable(name: "snip", targets: ["snip"]),
    .executable(name: "snip-window", targets: ["snip-window"]),
  ],
  traits: [
    .trait(
      name: "Media",
      description: "Decodes and draws pictures and sound, with libvips, libav and libchafa."
    ),
    .trait(
      name: "GTK",
      description: "Shows lists in GTK 4; builds snip-window.",
      enabledTraits: ["Media"]
    ),
    .default(enabledTraits: ["Media"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    // Of the documentation's tests alone, which show how events become lines of a log.
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    // MARK: - The core, lowest first
    //
    // What is kept and what is shown. No target here depends on one below the next heading.

    .target(
      name: "Migrations",
      path: "Migrations",
      resources: [
        .embedInCode("0001_create_blobs.sql"),
        .embedInCode("0002_create_changes.sql"),
        .embedInCode("0003_create_snippets.sql"),
        .embedInCode("0004_create_tags.sql"),
        .embedInCode("0005_create_search_index.sql"),
        .embedInCode("0006_create_derivatives.sql"),
        .embedInCode("0007_create_views.sql"),
        .embedInCode("0008_create_origins.sql"),
        .embedInCode("0009_create_synchronization.sql"),
      ]
    ),
    // SHA-256 from the system, as CryptoKit has it on Apple platforms.
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    // What the storage needs of the system and of SQLite and Swift cannot call: variadic functions,
    // a VFS, the kind of a file system.
    .target(name: "CStorage", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
      name: "SnippetBase",
      dependencies: [
        "CStorage",
        .target(name: "CCrypto", condition: .when(platforms: [.linux, .android])),
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    // Tells what content is and decodes texts; knows no SQLite.
    .target(name: "SnippetRecognition", dependencies: ["SnippetBase"]),
    .target(
      name: "SnippetStorage",
      dependencies: [
        "CStorage",
        "Migrations",
        "SnippetBase",
        "SnippetRecognition",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    .target(
      name: "SnippetLoading",
      dependencies: ["SnippetBase", "SnippetStorage"]
    ),

    // MARK: - Beside the core
    //
    // Each is a product on the core's public face and SnippetStorage's Seam.

    // What carries the objects of a repository and opens exports: zlib, and libcurl, libarchive and
    // libxml2, which are loaded when they are first used.
    .target(name: "CTransfer", linkerSettings: [.linkedLibrary("z")]),
    // Imports and exports files and vaults of notes; the one user of Yams.
    .target(
      name: "SnippetExchange",
      dependencies: [
        "CStorage", "CTransfer", "SnippetBase", "SnippetRecognition", "SnippetStorage",
        .target(name: "CCrypto", condition: .when(platforms: [.linux, .android])),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "SystemPackage", package: "swift-system"),
        .product(name: "Yams", package: "Yams"),
      ]
    ),
    // Repairs a store in place, and salvages what is readable of a damaged one.
    .target(
      name: "SnippetRescue",
      dependencies: [
        "SnippetBase", "SnippetRecognition", "SnippetStorage",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    // Several devices that edit apart and come together, over a folder or a bucket.
    .target(
      name: "SnippetSync",
      dependencies: [
        "CTransfer", "SnippetBase", "SnippetRecognition", "SnippetStorage",
        .target(name: "CCrypto", condition: .when(platforms: [.linux, .android])),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    // Tables and collections; empty where there is no UIKit.
    .target(name: "SnippetUIKit", dependencies: ["SnippetLoading", "SnippetStorage"]),
    // What a process does to its terminal, its heap, its rights and the programs that it starts, and
    // that Swift cannot: each function says why.
    .target(name: "CProcess"),
    // Pictures and sound. libvips takes variadic arguments only, libav is structures and macros, and
    // both call back while they decode; libchafa draws pictures in a terminal. All three are loaded
    // when they are first used, so nothing is linked with them; only the headers of libav are needed
    // (libavformat-dev).
    .target(name: "CMedia", cSettings: [.define("SNIPPET_MEDIA", builtWithMedia)]),
    .target(
      name: "SnippetMedia",
      dependencies: [
        "CMedia", "CProcess", "SnippetBase", "SnippetLoading", "SnippetRecognition",
        "SnippetStorage",
      ]
    ),

    // Lists in GTK; empty without the trait.
    .systemLibrary(
      name: "CGTK",
      pkgConfig: "gtk4",
      providers: [.apt(["libgtk-4-dev"]), .brew(["gtk4"])]
    ),
    // Types of GObject, and signals with any arguments: out of Swift's reach.
    .target(
      name: "CSnippetGTK",
      dependencies: [.target(name: "CGTK", condition: withGTK)],
      cSettings: [.define("SNIPPET_GTK", builtWithGTK)]
    ),
    .target(
      name: "SnippetGTK",
      dependencies: [
        .target(name: "CGTK", condition: withGTK), "CSnippetGTK", "SnippetLoading", "SnippetMedia",
        "SnippetStorage", .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),

    // What tests of apps need: scripted lists and blobs, simulated screens.
    .target(
      name: "SnippetTesting",
      dependencies: ["SnippetBase", "SnippetLoading", "SnippetStorage"]
    ),

    // MARK: - Clients

    .target(name: "TerminalKit", dependencies: ["CProcess", "SnippetBase"]),
    // What the programs share: where the store is, the sample library, and decoding in processes of
    // their own.
    .target(
      name: "SnipCore",
      dependencies: ["SnippetBase", "SnippetMedia", "SnippetStorage", "TerminalKit"],
      resources: [
        .embedInCode("DemoLibrary/balloon-over-meadow.webp"),
        .embedInCode("DemoLibrary/bird-chirp.mp3"),
        .embedInCode("DemoLibrary/drum-pattern.ogg"),
        .embedInCode("DemoLibrary/evening-bell.flac"),
        .embedInCode("DemoLibrary/garden-meeting-fr.txt"),
        .embedInCode("DemoLibrary/green-tea-zh.txt"),
        .embedInCode("DemoLibrary/haiku-ja.txt"),
        .embedInCode("DemoLibrary/how-a-list-recycles-its-cells.md"),
        .embedInCode("DemoLibrary/lighthouse-at-night.jpg"),
        .embedInCode("DemoLibrary/mint-tea-ar.txt"),
        .embedInCode("DemoLibrary/mountain-lake.jpg"),
        .embedInCode("DemoLibrary/picnic-packing-list.txt"),
        .embedInCode("DemoLibrary/potato-soup-de.txt"),
        .embedInCode("DemoLibrary/potted-cactus.bmp"),
        .embedInCode("DemoLibrary/rainy-day-ko.txt"),
        .embedInCode("DemoLibrary/rising-arpeggio.wav"),
        .embedInCode("DemoLibrary/sailing-boat.gif"),
        .embedInCode("DemoLibrary/sierpinski-triangle.sql"),
        .embedInCode("DemoLibrary/sunset-over-hills.png"),
        .embedInCode("DemoLibrary/week-in-emoji.txt"),
      ]
    ),
    // The browser in the terminal, and the pictures that it and `snip` draw.
    .target(
      name: "SnipBrowser",
      dependencies: [
        "CMedia", "SnipCore", "SnippetBase", "SnippetExchange", "SnippetLoading",
        "SnippetMedia", "SnippetStorage", "SnippetSync", "TerminalKit",
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    .executableTarget(
      name: "snip",
      dependencies: [
        "CProcess",
        "SnipBrowser",
        "SnipCore",
        "SnippetBase",
        "SnippetExchange",
        "SnippetLoading",
        "SnippetMedia",
        "SnippetRescue",
        "SnippetStorage",
        "SnippetSync",
        "TerminalKit",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
    ),
    // A window of GTK; without the trait it says how to build it.
    .executableTarget(
      name: "snip-window",
      dependencies: [
        .target(name: "CGTK", condition: withGTK), "SnipCore", "SnippetBase",
        "SnippetExchange", "SnippetGTK", "SnippetLoading", "SnippetMedia", "SnippetStorage",
        "SnippetSync", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      resources: [
        .embedInCode("Interface/about.ui"),
        .embedInCode("Interface/confirm.ui"),
        .embedInCode("Interface/failure.ui"),
        .embedInCode("Interface/icon.svg"),
        .embedInCode("Interface/keys.ui"),
        .embedInCode("Interface/row.ui"),
        .embedInCode("Interface/style.css"),
        .embedInCode("Interface/tile.ui"),
        .embedInCode("Interface/window.ui"),
      ]
    ),

    // MARK: - Tests

    // Bounds how many tests run at once, and sets SQLite up, before any Swift code runs.
    .target(
      name: "CTestWidth",
      path: "Tests/CTestWidth",
      linkerSettings: [.linkedLibrary("sqlite3")]
    ),
    .target(
      name: "SnippetTestSupport",
      dependencies: [
        "CTestWidth", "SnippetBase", "SnippetLoading", "SnippetMedia", "SnippetRecognition",
        "SnippetStorage", "SnippetSync", "SnippetTesting", "TerminalKit",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/SnippetTestSupport"
    ),
    .testTarget(
      name: "MigrationsTests",
      dependencies: [
        "Migrations", "SnippetBase", "SnippetStorage", "SnippetTestSupport", "SnippetTesting",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    // What SQLite reads of a file, which it tells nobody who does not stand in for its file system.
    .target(
      name: "CPageReads",
      path: "Tests/CPageReads",
      linkerSettings: [.linkedLibrary("sqlite3")]
    ),
    .testTarget(
      name: "SnippetRecognitionTests",
      dependencies: ["SnippetBase", "SnippetRecognition", "SnippetTestSupport"]
    ),
    .testTarget(
      name: "SnippetStorageTests",
      dependencies: [
        "CPageReads", "Migrations", "SnippetBase", "SnippetExchange", "SnippetRecognition",
        "SnippetRescue", "SnippetStorage", "SnippetTestSupport", "SnippetTesting",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    .testTarget(
      name: "SnippetExchangeTests",
      dependencies: [
        "CLibraryChecks", "SnippetBase", "SnippetExchange", "SnippetStorage", "SnippetTestSupport",
        "SnippetTesting",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    .testTarget(
      name: "SnippetRescueTests",
      dependencies: [
        "SnippetBase", "SnippetExchange", "SnippetRescue", "SnippetStorage", "SnippetTestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    .testTarget(
      name: "SnippetSyncTests",
      dependencies: [
        "CLibraryChecks", "SnippetBase", "SnippetExchange", "SnippetRescue", "SnippetStorage",
        "SnippetSync", "SnippetTestSupport", "SnippetTesting",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    // Stands between SQLite and its file system, so that every call can be recorded and can fail.
    .target(
      name: "CStoreFaults",
      path: "Tests/CStoreFaults",
      linkerSettings: [.linkedLibrary("sqlite3")]
    ),
    .testTarget(
      name: "StoreFaultTests",
      dependencies: [
        "CStoreFaults", "Migrations", "SnippetBase", "SnippetExchange", "SnippetRescue",
        "SnippetStorage", "SnippetSync", "SnippetTestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    .systemLibrary(
      name: "CVips",
      path: "Tests/CVips",
      pkgConfig: "vips",
      providers: [.apt(["libvips-dev"]), .brew(["vips"])]
    ),
    .systemLibrary(
      name: "CChafa",
      path: "Tests/CChafa",
      pkgConfig: "chafa",
      providers: [.apt(["libchafa-dev"]), .brew(["chafa"])]
    ),
    // Holds what CMedia, CProcess and CTransfer declare of libvips, libchafa, libseccomp, libcurl,
    // libarchive and what it unpacks with to the headers.
    .target(
      name: "CLibraryChecks",
      dependencies: [
        .target(name: "CChafa", condition: withMedia), .target(name: "CVips", condition: withMedia),
      ],
      path: "Tests/CLibraryChecks",
      cSettings: [.define("SNIPPET_MEDIA", builtWithMedia)]
    ),
    // What a decoder that was taken over would try.
    .target(name: "CForbiddenCalls", path: "Tests/CForbiddenCalls"),
    .testTarget(
      name: "SnippetLoadingTests",
      dependencies: [
        "SnippetBase", "SnippetLoading", "SnippetTestSupport", "SnippetTesting",
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    .testTarget(
      name: "SnippetMediaTests",
      dependencies: [
        "CForbiddenCalls", "CLibraryChecks", "CProcess", "snip", "SnippetBase", "SnippetLoading",
        "SnippetMedia", "SnippetStorage", "SnippetTestSupport",
        "SnippetTesting",
      ]
    ),
    // Empty without the trait.
    .testTarget(
      name: "SnippetGTKTests",
      dependencies: [
        .target(name: "CGTK", condition: withGTK), "CSnippetGTK", "snip-window", "SnippetGTK",
        "SnippetLoading", "SnippetStorage", "SnippetTestSupport", "SnippetTesting",
      ]
    ),
    .testTarget(name: "TerminalKitTests", dependencies: ["SnippetTestSupport", "TerminalKit"]),
    // What README, the articles and the doc comments show, as an app would have it. The sources of
    // SnippetUIKit, and the one of SnippetSync that calls CryptoKit, are compiled with it once more,
    // beside declarations of what they call.
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "snip", "SnippetExchange", "SnippetLoading", "SnippetMedia", "SnippetRescue",
        "SnippetStorage", "SnippetSync", "SnippetTestSupport", "SnippetTesting", "SnippetUIKit",
        .product(name: "Logging", package: "swift-log"),
      ]
    ),
    .testTarget(
      name: "SnipTests",
      dependencies: [
        "snip", "SnipBrowser", "SnipCore", "SnippetExchange", "SnippetLoading", "SnippetMedia",
        "SnippetRescue", "SnippetStorage", "SnippetSync", "SnippetTestSupport", "SnippetTesting",
        "TerminalKit",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),
    .testTarget(
      name: "SnipBrowserTests",
      dependencies: [
        // Decodes for the browser, and runs it on a terminal.
        "snip", "SnipBrowser", "SnipCore", "SnippetBase", "SnippetExchange", "SnippetLoading",
        "SnippetMedia", "SnippetStorage", "SnippetSync", "SnippetTestSupport", "SnippetTesting",
        "TerminalKit",
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

// The parsers under any bytes: tests, or with libFuzzer a program of its own (Tests/Fuzzing/run).
let fuzzedTargets: [Target.Dependency] = [
  "Migrations", "SnippetBase", "SnippetExchange", "SnippetLoading", "SnippetMedia",
  "SnippetRecognition", "SnippetStorage", "SnippetSync", "TerminalKit",
  .product(name: "GRDB", package: "GRDB.swift"),
]
if Context.environment["SNIPPET_FUZZ"] == nil {
  package.targets += [
    .testTarget(
      name: "FuzzingTests",
      dependencies: fuzzedTargets + ["SnippetTestSupport"],
      path: "Tests/Fuzzing/Sources",
      exclude: ["Entry"]
    )
  ]
} else {
  package.targets += [
    .systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzzing/CLibFuzzer"),
    .executableTarget(
      name: "Fuzzer",
      dependencies: fuzzedTargets + ["CLibFuzzer"],
      path: "Tests/Fuzzing/Sources",
      exclude: ["Tests"]
    ),
  ]
}

// Fewer tests to build, where only some are run: SNIPPET_TESTS='SnippetLoadingTests …', and of these
// only some files: SNIPPET_TEST_FILES='Tests/SnippetLoadingTests/Loads/LoadTableTests.swift …'.
if let names = Context.environment["SNIPPET_TESTS"]?.split(separator: " ").map(String.init) {
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}
if let files = Context.environment["SNIPPET_TEST_FILES"]?.split(separator: " ") {
  for target in package.targets where target.type == .test {
    let folder = "\(target.path ?? "Tests/\(target.name)")/"
    let own = files.filter { $0.hasPrefix(folder) }
    target.sources = own.map { String($0.dropFirst(folder.count)) }
  }
}

// One place for what every Swift target is compiled with.
let targetsInC = [
  "CChafa", "CCrypto", "CForbiddenCalls", "CGTK", "CLibFuzzer", "CLibraryChecks", "CMedia",
  "CPageReads", "CProcess", "CSnippetGTK", "CStorage", "CStoreFaults", "CTestWidth", "CTransfer",
  "CVips",
]
for target in package.targets where !targetsInC.contains(target.name) {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
  ]
  // Half of a build is the tests. Not optimized they compile in half the time, and take as long to
  // run: only the models of the loader compute for long themselves.
  if target.type == .test, target.name != "SnippetLoadingTests" {
    target.swiftSettings?.append(.unsafeFlags(["-Onone"]))
  }
  if target.name == "DocumentationTests" {
    target.swiftSettings? += [.define("CRYPTOKIT_DECLARATIONS"), .define("UIKIT_DECLARATIONS")]
  }
  // Compiles what uses URLSession, where the library does not.
  if target.name == "SnippetSyncTests" {
    target.swiftSettings?.append(.define("URLSESSION_TRANSFER"))
  }
}
