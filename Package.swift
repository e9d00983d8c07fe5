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
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    // Of the documentation's tests alone, which show how events become lines of a log.
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    // Libraries, lowest first.
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
      ]
    ),
    // SHA-256 from the system, as CryptoKit has it on Apple platforms.
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    // The kind of a file system, and a sync of one that tells of errors: Swift sees neither.
    .target(name: "CFileSystem"),
    .target(
      name: "SnippetBase",
      dependencies: [
        "CFileSystem",
        .target(name: "CCrypto", condition: .when(platforms: [.linux, .android])),
        .product(name: "SystemPackage", package: "swift-system"),
      ]
    ),
    // Tells what content is and decodes texts; knows no SQLite.
    .target(
      name: "SnippetRecognition",
      dependencies: ["SnippetBase", .product(name: "Yams", package: "Yams")]
    ),
    // SQLite's variadic configuration calls, out of Swift's reach.
    .target(name: "CSQLiteHardening", linkerSettings: [.linkedLibrary("sqlite3")]),
    // How far SQLite reads ahead, for which it has a structure of C functions.
    .target(name: "CReadAhead", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
      name: "SnippetStorage",
      dependencies: [
        "CFileSystem",
        "CReadAhead",
        "CSQLiteHardening",
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
      dependencies: [
        "SnippetBase",
        "SnippetStorage",
        .product(name: "HeapModule", package: "swift-collections"),
      ]
    ),
    // Tables and collections; empty where there is no UIKit.
    .target(name: "SnippetUIKit", dependencies: ["SnippetLoading", "SnippetStorage"]),
    // What a process does to its terminal, its heap and the programs that it starts, and that Swift
    // cannot: each function says why.
    .target(name: "CProcess"),
    // libvips takes variadic arguments only, libav is structures and macros, and both are called back
    // while they decode. They are loaded when they are first used, so nothing is linked with them;
    // of libav the headers are needed (libavformat-dev).
    .target(name: "CImageDecoding", cSettings: [.define("SNIPPET_MEDIA", builtWithMedia)]),
    .target(name: "CLibav", cSettings: [.define("SNIPPET_MEDIA", builtWithMedia)]),
    .target(name: "CWorkerProcess", dependencies: ["CProcess"]),
    .target(
      name: "SnippetMedia",
      dependencies: [
        "CImageDecoding", "CLibav", "CWorkerProcess", "SnippetBase", "SnippetLoading",
        "SnippetRecognition", "SnippetStorage",
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

    // What tests of apps need: scripted lists and blobs, simulated screens, replay.
    .target(
      name: "SnippetTesting",
      dependencies: ["SnippetBase", "SnippetLoading", "SnippetStorage"]
    ),

    // Command line.
    .target(name: "TerminalKit", dependencies: ["CProcess", "SnippetBase"]),
    .systemLibrary(
      name: "CChafa",
      pkgConfig: "chafa",
      providers: [.apt(["libchafa-dev"]), .brew(["chafa"])]
    ),
    // Draws pictures as cells of a terminal; in C because of the macros of libchafa and GLib.
    .target(
      name: "CTerminalPictures",
      dependencies: [.target(name: "CChafa", condition: withMedia)],
      cSettings: [.define("SNIPPET_MEDIA", builtWithMedia)]
    ),
    // What the programs share: where the store is, the sample library, decoding in processes of
    // their own, and how a command ends and tells of errors.
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
        "CTerminalPictures", "SnipCore", "SnippetBase", "SnippetLoading", "SnippetMedia",
        "SnippetRecognition", "SnippetStorage", "TerminalKit",
      ]
    ),
    .executableTarget(
      name: "snip",
      dependencies: [
        "CProcess",
        "SnipBrowser",
        "SnipCore",
        "SnippetBase",
        "SnippetLoading",
        "SnippetMedia",
        "SnippetRecognition",
        "SnippetStorage",
        "SnippetTesting",
        "TerminalKit",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
    ),
    // A window of GTK; without the trait it says how to build it.
    .executableTarget(
      name: "snip-window",
      dependencies: [
        .target(name: "CGTK", condition: withGTK), "SnipCore", "SnippetBase", "SnippetGTK",
        "SnippetLoading", "SnippetMedia", "SnippetStorage",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      resources: [
        .embedInCode("Interface/row.ui"),
        .embedInCode("Interface/style.css"),
        .embedInCode("Interface/tile.ui"),
        .embedInCode("Interface/window.ui"),
      ]
    ),

    // Tests.
    // Bounds how many tests run at once, before any Swift code runs.
    .target(name: "CTestWidth", path: "Tests/CTestWidth"),
    .target(
      name: "SnippetTestSupport",
      dependencies: [
        "CTestWidth", "SnippetBase", "SnippetLoading", "SnippetMedia", "SnippetRecognition",
        "SnippetStorage", "SnippetTesting", "TerminalKit",
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
        "CPageReads", "Migrations", "SnippetBase", "SnippetRecognition", "SnippetStorage",
        "SnippetTestSupport", "SnippetTesting",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
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
        "CStoreFaults", "Migrations", "SnippetBase", "SnippetStorage", "SnippetTestSupport",
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
    // Holds what CImageDecoding declares of libvips to the headers.
    .target(
      name: "CImageLibraryCheck",
      dependencies: [.target(name: "CVips", condition: withMedia)],
      path: "Tests/CImageLibraryCheck",
      cSettings: [.define("SNIPPET_MEDIA", builtWithMedia)]
    ),
    // The same for what CWorkerProcess declares of libseccomp.
    .target(name: "CFilterLibraryCheck", path: "Tests/CFilterLibraryCheck"),
    // What a decoder that was taken over would try.
    .target(name: "CForbiddenCalls", path: "Tests/CForbiddenCalls"),
    .testTarget(
      name: "SnippetLoadingTests",
      dependencies: ["SnippetBase", "SnippetLoading", "SnippetTestSupport", "SnippetTesting"]
    ),
    .testTarget(
      name: "SnippetMediaTests",
      dependencies: [
        "CFilterLibraryCheck", "CForbiddenCalls", "CImageLibraryCheck", "CWorkerProcess", "snip",
        "SnippetBase", "SnippetLoading", "SnippetMedia", "SnippetStorage", "SnippetTestSupport",
        "SnippetTesting",
      ]
    ),
    // Empty without the trait.
    .testTarget(
      name: "SnippetGTKTests",
      dependencies: [
        .target(name: "CGTK", condition: withGTK), "CSnippetGTK", "snip", "snip-window",
        "SnippetGTK", "SnippetLoading", "SnippetStorage", "SnippetTestSupport", "SnippetTesting",
      ]
    ),
    .testTarget(name: "TerminalKitTests", dependencies: ["SnippetTestSupport", "TerminalKit"]),
    // What README, the articles and the doc comments show, as an app would have it. The sources of
    // SnippetUIKit are compiled with it once more, beside declarations of what they call.
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "snip", "SnippetLoading", "SnippetMedia", "SnippetStorage", "SnippetTestSupport",
        "SnippetTesting", "SnippetUIKit", .product(name: "Logging", package: "swift-log"),
      ]
    ),
    .testTarget(
      name: "SnipTests",
      dependencies: [
        "snip", "SnipBrowser", "SnipCore", "SnippetLoading", "SnippetMedia", "SnippetStorage",
        "SnippetTestSupport", "SnippetTesting", "TerminalKit",
      ]
    ),
    .testTarget(
      name: "SnipBrowserTests",
      dependencies: [
        // Decodes for the browser, and runs it on a terminal.
        "snip", "SnipBrowser", "SnipCore", "SnippetBase", "SnippetLoading", "SnippetMedia",
        "SnippetStorage", "SnippetTestSupport", "SnippetTesting", "TerminalKit",
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

// The parsers under any bytes: tests, or with libFuzzer a program of its own (Tests/Fuzzing/run).
let fuzzedTargets: [Target.Dependency] = [
  "Migrations", "SnippetBase", "SnippetMedia", "SnippetRecognition", "SnippetStorage",
  "TerminalKit",
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

// Fewer tests to build, where only some are run: SNIPPET_TESTS='SnippetLoadingTests …'.
if let names = Context.environment["SNIPPET_TESTS"]?.split(separator: " ").map(String.init) {
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

// One place for what every Swift target is compiled with.
let targetsInC = [
  "CChafa", "CCrypto", "CFileSystem", "CFilterLibraryCheck", "CForbiddenCalls", "CGTK",
  "CImageDecoding", "CImageLibraryCheck", "CLibFuzzer", "CPageReads", "CProcess", "CReadAhead",
  "CSnippetGTK", "CLibav", "CSQLiteHardening", "CStoreFaults",
  "CTerminalPictures", "CTestWidth", "CVips", "CWorkerProcess",
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
  if target.name == "DocumentationTests" {
    target.swiftSettings?.append(.define("UIKIT_DECLARATIONS"))
  }
}
