// swift-tools-version: 6.2
import PackageDescription

/// The settings of every module: Swift 6 mode, explicit `any`, no member without its import, warnings are errors.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
  // The stages are small functions in many modules, which would not be inlined otherwise.
  .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
]
/// The settings of stages with much computation per beat: without optimisation, tests that replay whole sessions would take
/// minutes. Runtime checks stay enabled.
let computing = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// A test target with the settings of every module.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
  name: "tachogram",
  products: [
    .executable(name: "tachogram", targets: ["tachogram"]),
    // For other packages: decoding, HRV and the replay of captures.
    .library(name: "HeartRateKit", targets: ["HeartRateKit"]),
    // For other packages on Linux: straps received through the Bluetooth daemon.
    .library(name: "BlueZ", targets: ["BlueZ"]),
    // The contracts and models of the StressMonitor apps.
    .library(name: "StressKit", targets: ["StressKit"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
  ],
  targets: [
    // Quantiles and moments of samples; standard library only.
    .target(name: "Statistics", swiftSettings: strict),

    // The contracts, models, stress level and baseline that are shared with the StressMonitor apps.
    .target(name: "StressKit", dependencies: ["Statistics"], swiftSettings: strict),

    // The values between stages.
    .target(name: "TachogramCore", dependencies: ["StressKit"], swiftSettings: strict),

    .systemLibrary(name: "CFileSystem"),
    .target(name: "FileSystem", dependencies: ["CFileSystem"], swiftSettings: strict),

    // The stages. None imports another, except Capture, which encodes and decodes GATT values, and IntervalFiles, which
    // converts files of other programs to such ledgers and uses the input of Capture.
    .target(name: "GATT", dependencies: ["TachogramCore"], swiftSettings: strict),
    .target(
      name: "Capture", dependencies: ["TachogramCore", "Statistics", "FileSystem", "GATT"], swiftSettings: strict),
    .target(
      name: "IntervalFiles", dependencies: ["TachogramCore", "Statistics", "GATT", "Capture"], swiftSettings: strict),
    .target(name: "Beats", dependencies: ["TachogramCore", "Statistics"], swiftSettings: computing),
    .target(name: "HRV", dependencies: ["TachogramCore", "Statistics"], swiftSettings: computing),
    .target(name: "Stress", dependencies: ["TachogramCore", "StressKit", "Statistics"], swiftSettings: strict),
    // End-to-end encrypted sync between stations: keys, chunks, logs, members, edits and stores. No program uses it yet.
    .target(
      name: "Sync",
      dependencies: [
        "TachogramCore", "FileSystem", "CZlib", .product(name: "Crypto", package: "swift-crypto"),
      ], swiftSettings: strict),
    // Nights: stages by networks with embedded weights, and metrics.
    .target(name: "CSleepModels"),
    .target(
      name: "Sleep", dependencies: ["TachogramCore", "Statistics", "CSleepModels"], swiftSettings: computing),
    .target(
      name: "Pipeline", dependencies: ["TachogramCore", "StressKit", "GATT", "Beats", "HRV", "Stress"],
      swiftSettings: strict),

    // A facade of the stages for other packages.
    .target(
      name: "HeartRateKit", dependencies: ["TachogramCore", "GATT", "Capture", "HRV", "Pipeline"], swiftSettings: strict
    ),

    // The adapters.
    .target(
      name: "Repository",
      dependencies: [
        "TachogramCore", "StressKit", "Statistics", "FileSystem", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ], swiftSettings: strict),

    // Live sessions: from the events of a source to the ledger.
    .target(
      name: "Recording",
      dependencies: ["TachogramCore", "StressKit", "Statistics", "GATT", "Pipeline", "Repository", "Sleep", "Stress"],
      swiftSettings: strict),

    // Values and wording for page, terminal, reports and programs.
    .target(
      name: "Presentation", dependencies: ["TachogramCore", "StressKit", "GATT", "Pipeline", "Recording", "Stress"],
      swiftSettings: strict),

    .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    .systemLibrary(name: "CBluetooth", providers: [.apt(["libbluetooth-dev"])]),
    .target(
      name: "DBus", dependencies: ["CDBus", .product(name: "HeapModule", package: "swift-collections")],
      swiftSettings: strict),
    // Facts about Bluetooth from the kernel that the daemon does not report: management and monitor sockets, rfkill.
    .target(name: "BluetoothKernel", dependencies: ["TachogramCore", "CBluetooth"], swiftSettings: strict),
    .target(
      name: "BlueZ", dependencies: ["TachogramCore", "StressKit", "GATT", "DBus", "BluetoothKernel"],
      swiftSettings: strict),

    // The basis of commands: standard streams, signals, failures and exit codes.
    .target(
      name: "CommandProcess", dependencies: ["Capture", "IntervalFiles", "Repository", "Presentation"],
      swiftSettings: strict),

    // Sessions of captures and stored sessions: replaying, recognising and deriving again.
    .target(
      name: "Sessions",
      dependencies: [
        "TachogramCore", "StressKit", "Stress", "Capture", "Pipeline", "Repository", "Recording", "Presentation",
        "CommandProcess",
      ], swiftSettings: strict),

    // The formats of exports and imports.
    .target(
      name: "Exchange",
      dependencies: [
        "TachogramCore", "StressKit", "FileSystem", "GATT", "Capture", "IntervalFiles", "Pipeline", "Repository",
        "Sleep", "Recording", "Presentation", "CommandProcess", "Sessions", "Reports", "CZlib", "COpenSSL",
      ], swiftSettings: strict),

    // Reports of inputs, sessions and persons: sections, text, pages with plots.
    .target(
      name: "Reports",
      dependencies: [
        "TachogramCore", "StressKit", "Statistics", "GATT", "Capture", "IntervalFiles", "HRV", "Stress", "Pipeline",
        "Recording", "Presentation", "Sessions",
      ], swiftSettings: strict),

    // The selection of straps and their source: a radio, or a capture in its place.
    .target(
      name: "Listening",
      dependencies: [
        "TachogramCore", "GATT", "Capture", "DBus", "BluetoothKernel", "BlueZ", "Repository", "Recording",
        "Presentation",
        "CommandProcess", "Sessions",
      ], swiftSettings: strict),

    // Live views in a terminal.
    .target(
      name: "TerminalUI",
      dependencies: [
        "TachogramCore", "StressKit", "GATT", "BlueZ", "Repository", "Recording", "Presentation", "CommandProcess",
        "Reports",
      ], swiftSettings: strict),

    // The examination of the machine.
    .target(
      name: "Doctor",
      dependencies: [
        "TachogramCore", "Repository", "DBus", "BluetoothKernel", "BlueZ", "Listening", "Dashboard", "Station",
        "Presentation",
      ], swiftSettings: strict),

    // The page and its server.
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CDashboardFiles"),
    // The system's OpenSSL, whose security updates need no new release of this package.
    .systemLibrary(name: "COpenSSL", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),
    .target(
      name: "TLS", dependencies: ["TachogramCore", "COpenSSL", .product(name: "NIOCore", package: "swift-nio")],
      swiftSettings: strict),
    .systemLibrary(name: "CQRCode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    // Access to the page: tokens and login codes, in files beside the database.
    .target(name: "Access", dependencies: ["TachogramCore", "FileSystem", "COpenSSL"], swiftSettings: strict),
    .target(
      name: "Dashboard",
      dependencies: [
        "TachogramCore", "StressKit", "TLS", "Access", "CDashboardFiles", "CZlib",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"), .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"), .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ], swiftSettings: strict),

    // Requests to other hosts, by the system's libcurl.
    // Only the headers are used at build time.
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .target(
      name: "HTTPClient", dependencies: ["CCurl", .product(name: "HTTPTypes", package: "swift-http-types")],
      swiftSettings: strict),

    // The daemon: configuration, services, maintenance, and the answers to its page.
    .target(
      name: "Station",
      dependencies: [
        "TachogramCore", "StressKit", "Statistics", "Stress", "GATT", "DBus", "BlueZ", "Repository", "Recording",
        "Presentation",
        "CommandProcess", "Reports", "Exchange", "Listening", "FileSystem", "TLS", "Access", "CQRCode", "Dashboard",
        "HTTPClient",
        .product(name: "HTTPTypes", package: "swift-http-types"), .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"), .product(name: "Yams", package: "Yams"),
      ], swiftSettings: strict),

    // The command line and the composition root.
    .executableTarget(
      name: "tachogram",
      dependencies: [
        "TachogramCore", "StressKit", "FileSystem", "GATT", "Capture", "IntervalFiles", "HRV", "Pipeline", "Repository",
        "Sleep", "Recording", "Presentation", "CommandProcess", "Sessions", "Exchange", "Reports", "Listening",
        "TerminalUI",
        "Station", "Doctor", "Access", "Dashboard", "TLS", "DBus", "BluetoothKernel", "BlueZ",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ], swiftSettings: strict,
      // The program exports no symbols, so that unused code is removed.
      linkerSettings: [.unsafeFlags(["-Xlinker", "--no-export-dynamic"], .when(configuration: .release))]),

    // Simulated straps and captures, and independent computations, for tests and tools. Contract suites are for tests.
    .target(
      name: "TachogramTestKit", dependencies: ["TachogramCore", "GATT", "Capture", "CFaultVFS"],
      swiftSettings: strict),
    // A fake Bluetooth daemon on a private bus, for tests and tools.
    .target(
      name: "FakeBlueZ", dependencies: ["TachogramCore", "GATT", "Capture", "DBus", "TachogramTestKit"],
      swiftSettings: strict),
    // A failing disk below SQLite.
    .target(name: "CFaultVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "TachogramContracts", dependencies: ["TachogramCore", "StressKit"], swiftSettings: strict),
    .executableTarget(name: "tachogram-fixtures", dependencies: ["TachogramTestKit"], swiftSettings: strict),
    // The page's server without a network, and a simulated station, for tests and tools.
    .target(
      name: "DashboardTestKit",
      dependencies: [
        "TachogramCore", "StressKit", "Access", "Dashboard", "TachogramTestKit",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"), .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ], swiftSettings: strict),
    // The page with a simulated station, as a program.
    .executableTarget(
      name: "tachogram-mock-page",
      dependencies: [
        "TachogramCore", "Dashboard", "DashboardTestKit",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ], swiftSettings: strict),
    // The fuzz targets, and a program that runs them with or without a fuzzer.
    .target(
      name: "TachogramFuzz",
      dependencies: [
        "TachogramCore", "StressKit", "GATT", "Capture", "IntervalFiles", "HRV", "Pipeline", "DBus", "BluetoothKernel",
        "BlueZ",
        "Station", "Dashboard", "TachogramTestKit", "DashboardTestKit",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
      ], swiftSettings: strict),
    .executableTarget(
      name: "tachogram-fuzz", dependencies: ["TachogramFuzz", "TachogramTestKit"], swiftSettings: strict),
    .executableTarget(
      name: "tachogram-fake-bluez",
      dependencies: [
        "DBus", "FakeBlueZ", "TachogramTestKit", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict),
    .executableTarget(
      name: "tachogram-trials",
      dependencies: [
        "TachogramCore", "StressKit", "GATT", "Pipeline", "Repository", "Recording", "Station", "Dashboard", "DBus",
        "BlueZ",
        "FakeBlueZ", "TachogramTestKit",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict),
    .executableTarget(name: "tachogram-nights", dependencies: ["TachogramCore", "Sleep"], swiftSettings: strict),
    .executableTarget(
      name: "tachogram-bench-dbus", dependencies: ["DBus", "BlueZ"], swiftSettings: strict),
    .executableTarget(
      name: "tachogram-bench",
      dependencies: ["TachogramCore", "StressKit", "IntervalFiles", "HRV", "Pipeline", "TachogramTestKit"],
      swiftSettings: strict),

    tests("StatisticsTests", ["Statistics", "TachogramTestKit"]),
    tests("TachogramCoreTests", ["TachogramCore"]),
    tests("DBusTests", ["CDBus", "DBus", "TachogramTestKit"]),
    tests("BluetoothKernelTests", ["TachogramCore", "BluetoothKernel", "TachogramTestKit"]),
    tests(
      "BlueZTests",
      [
        "TachogramCore", "StressKit", "GATT", "DBus", "BluetoothKernel", "BlueZ", "FakeBlueZ", "TachogramTestKit",
        "TachogramContracts",
      ]),
    tests("FakeBlueZTests", ["TachogramCore", "GATT", "DBus", "FakeBlueZ", "TachogramTestKit"]),
    tests("TachogramTestKitTests", ["TachogramTestKit"]),
    tests("TachogramFuzzTests", ["TachogramFuzz", "TachogramTestKit"]),
    tests("HeartRateKitTests", ["HeartRateKit", "TachogramTestKit"]),
    tests("GATTTests", ["TachogramCore", "GATT", "TachogramTestKit"]),
    tests("CaptureTests", ["TachogramCore", "GATT", "Capture", "TachogramTestKit", "TachogramContracts"]),
    tests("IntervalFilesTests", ["TachogramCore", "GATT", "Capture", "IntervalFiles", "TachogramTestKit"]),
    tests("BeatsTests", ["TachogramCore", "Beats", "TachogramTestKit"]),
    tests("HRVTests", ["TachogramCore", "HRV", "TachogramTestKit"]),
    tests("StressKitTests", ["StressKit", "TachogramContracts"]),
    tests("SleepTests", ["TachogramCore", "Sleep", "TachogramTestKit"]),
    tests("StressTests", ["TachogramCore", "StressKit", "Stress"]),
    // Fills a folder store until it is killed.
    .executableTarget(
      name: "tachogram-sync-writer", dependencies: ["Sync"], swiftSettings: strict),
    tests(
      "SyncTests",
      [
        "Sync", "tachogram-sync-writer", "TachogramCore", "FileSystem", "CZlib",
        .product(name: "Crypto", package: "swift-crypto"),
      ]),
    tests("PipelineTests", ["TachogramCore", "StressKit", "GATT", "HRV", "Stress", "Pipeline", "TachogramTestKit"]),
    tests(
      "RepositoryTests",
      [
        "TachogramCore", "StressKit", "Repository", "TachogramContracts", "TachogramTestKit",
        .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),
    tests(
      "RecordingTests",
      [
        "TachogramCore", "StressKit", "GATT", "Pipeline", "Repository", "Sleep", "Recording", "TachogramTestKit",
      ]),
    tests("PresentationTests", ["TachogramCore", "Presentation"]),
    tests(
      "DoctorTests",
      [
        "TachogramCore", "DBus", "BluetoothKernel", "BlueZ", "Presentation", "Doctor", "TachogramTestKit",
      ]),
    tests("CommandProcessTests", ["Capture", "CommandProcess"]),
    tests(
      "SessionsTests",
      [
        "TachogramCore", "StressKit", "GATT", "Capture", "Repository", "CommandProcess", "Sessions", "TachogramTestKit",
        "tachogram",
      ]),
    tests(
      "ExchangeTests",
      [
        "TachogramCore", "StressKit", "Repository", "Recording", "CommandProcess", "Sessions", "Exchange", "CZlib",
        "TachogramTestKit", "TachogramFuzz", "tachogram",
      ]),
    tests("ReportsTests", ["TachogramCore", "Pipeline", "Presentation", "Reports", "TachogramTestKit", "tachogram"]),
    tests("ListeningTests", ["TachogramCore", "BlueZ", "CommandProcess", "Listening"]),
    tests(
      "TerminalUITests",
      [
        "TachogramCore", "StressKit", "GATT", "BlueZ", "Pipeline", "Recording", "Presentation", "CommandProcess",
        "Reports", "TerminalUI", "TachogramTestKit",
      ]),
    tests(
      "StationTests",
      [
        "TachogramCore", "StressKit", "GATT", "DBus", "BlueZ", "FakeBlueZ", "Pipeline", "Repository", "Recording",
        "Presentation", "Listening", "CommandProcess", "FileSystem", "Access", "Dashboard", "TLS", "HTTPClient",
        "Station", "TachogramTestKit", .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    tests("AccessTests", ["TachogramCore", "FileSystem", "Access", "TachogramTestKit"]),
    tests(
      "TLSTests",
      [
        "TachogramCore", "TLS", "COpenSSL", "TachogramTestKit", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ]),
    tests(
      "HTTPClientTests",
      [
        "HTTPClient", "TachogramTestKit", .product(name: "HTTPTypes", package: "swift-http-types"),
      ]),
    tests(
      "DashboardTests",
      [
        "TachogramCore", "StressKit", "Access", "Dashboard", "TachogramTestKit", "DashboardTestKit",
        .product(name: "HTTPTypes", package: "swift-http-types"), .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"), .product(name: "Yams", package: "Yams"),
      ]),
    tests("TachogramTrialsTests", ["TachogramCore", "tachogram-trials"]),
    // Tests that run the program; its modules are not imported.
    tests(
      "TachogramTests",
      [
        "TachogramCore", "StressKit", "DBus", "BlueZ", "Repository", "Presentation", "FakeBlueZ", "TachogramTestKit",
        "tachogram",
      ]),
  ],
  // #embed.
  cLanguageStandard: .gnu2x
)
