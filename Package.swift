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

/// A module with the settings of every module.
func module(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// A program with the settings of every module.
func program(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// A test target with the settings of every module.
func tests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// Products of other packages.
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let dequeModule: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let grdbSQLite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let heapModule: Target.Dependency = .product(name: "HeapModule", package: "swift-collections")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTPTypes: Target.Dependency = .product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let serviceLifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let serviceLifecycleTestKit: Target.Dependency = .product(
  name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle")
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess")
let systemPackage: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let unixSignals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")

let package = Package(
  name: "tachogram",
  products: [
    .executable(name: "tachogram", targets: ["tachogram"]),
    .executable(name: "tachogram-sync-server", targets: ["tachogram-sync-server"]),
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
    module("StressKit", "Statistics"),

    // The values between stages.
    module("TachogramCore", "StressKit"),

    .systemLibrary(name: "CFileSystem"),
    module("FileSystem", "CFileSystem"),
    // A lock that the thread sanitizer understands, and threads that wait for descriptors.
    .systemLibrary(name: "CThreads"),
    module("Threads", "CThreads"),

    // The stages. None imports another, except Capture, which encodes and decodes GATT values, and IntervalFiles, which
    // converts files of other programs to such ledgers and uses the input of Capture.
    module("GATT", "TachogramCore"),
    module("Capture", "TachogramCore", "Statistics", "FileSystem", "GATT"),
    module("IntervalFiles", "TachogramCore", "Statistics", "GATT", "Capture"),
    .target(name: "Beats", dependencies: ["TachogramCore", "Statistics"], swiftSettings: computing),
    .target(name: "HRV", dependencies: ["TachogramCore", "Statistics"], swiftSettings: computing),
    module("Stress", "TachogramCore", "StressKit", "Statistics"),
    // End-to-end encrypted sync between stations: keys, chunks, logs, members, edits and stores.
    module("Sync", "TachogramCore", "StressKit", "FileSystem", "CZlib", crypto),
    // Nights: stages by networks with embedded weights, and metrics.
    .target(name: "CSleepModels"),
    .target(
      name: "Sleep", dependencies: ["TachogramCore", "Statistics", "CSleepModels"], swiftSettings: computing),
    module("Pipeline", "TachogramCore", "StressKit", "GATT", "Beats", "HRV", "Stress"),

    // A facade of the stages for other packages.
    .target(
      name: "HeartRateKit", dependencies: ["TachogramCore", "GATT", "Capture", "HRV", "Pipeline"], swiftSettings: strict
    ),

    // The adapters.
    module("Repository", "TachogramCore", "StressKit", "Statistics", "FileSystem", grdb, grdbSQLite),

    // Live sessions: from the events of a source to the ledger.
    module(
      "Recording", "TachogramCore", "StressKit", "Statistics", "GATT", "Pipeline", "Repository", "Sleep", "Stress"),

    // Values and wording for page, terminal, reports and programs.
    module("SyncEngine", "TachogramCore", "StressKit", "FileSystem", "Sync", "Repository", "Recording", "Pipeline"),
    module("Presentation", "TachogramCore", "StressKit", "GATT", "Pipeline", "Recording", "Stress"),

    .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    .systemLibrary(name: "CBluetooth", providers: [.apt(["libbluetooth-dev"])]),
    module("DBus", "CDBus", "Threads", heapModule),
    // Facts about Bluetooth from the kernel that the daemon does not report: management and monitor sockets, rfkill.
    module("BluetoothKernel", "TachogramCore", "Threads", "CBluetooth"),
    module("BlueZ", "TachogramCore", "StressKit", "GATT", "Threads", "DBus", "BluetoothKernel"),

    // The basis of commands: standard streams, signals, failures and exit codes.
    module("CommandProcess", "Capture", "IntervalFiles", "Repository", "Presentation"),

    // Sessions of captures and stored sessions: replaying, recognising and deriving again.
    module(
      "Sessions", "TachogramCore", "StressKit", "FileSystem", "Stress", "Capture", "Pipeline", "Repository",
      "Recording", "Presentation", "CommandProcess"),

    // The formats of exports and imports.
    module(
      "Exchange", "TachogramCore", "StressKit", "FileSystem", "GATT", "Capture", "IntervalFiles", "Pipeline",
      "Repository", "Sleep", "Recording", "Presentation", "CommandProcess", "Sessions", "Reports", "CZlib", "COpenSSL"),

    // Reports of inputs, sessions and persons: sections, text, pages with plots.
    module(
      "Reports", "TachogramCore", "StressKit", "Statistics", "GATT", "Capture", "IntervalFiles", "HRV", "Stress",
      "Pipeline", "Recording", "Presentation", "Sessions"),

    // The selection of straps and their source: a radio, or a capture in its place.
    module(
      "Listening", "TachogramCore", "GATT", "Capture", "DBus", "BluetoothKernel", "BlueZ", "Repository", "Recording",
      "Presentation", "CommandProcess", "Sessions"),

    // Live views in a terminal.
    module(
      "TerminalUI", "TachogramCore", "StressKit", "GATT", "BlueZ", "Repository", "Recording", "Presentation",
      "CommandProcess", "Reports", "Listening"),

    // The examination of the machine.
    module(
      "Doctor", "TachogramCore", "FileSystem", "Repository", "DBus", "BluetoothKernel", "BlueZ", "Listening",
      "Dashboard", "Station", "Presentation"),

    // The page and its server.
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CDashboardFiles"),
    // The system's OpenSSL, whose security updates need no new release of this package.
    .systemLibrary(name: "COpenSSL", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),
    module("TLS", "TachogramCore", "COpenSSL", nioCore),
    .systemLibrary(name: "CQRCode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    // Access to the page: tokens and login codes, in files beside the database.
    module("Access", "TachogramCore", "FileSystem", "COpenSSL"),
    // HTTP/1.1 and TLS for the page and for the sync server: strict parsing, and limits of connections and requests.
    module(
      "HTTPServer", "TachogramCore", "TLS", hummingbird, hummingbirdCore, httpTypes, nioCore, nioPosix, nioHTTPTypes,
      logging, serviceLifecycle),
    module(
      "Dashboard", "TachogramCore", "StressKit", "TLS", "HTTPServer", "Access", "CDashboardFiles", "CZlib", "Glances",
      hummingbird, hummingbirdCore, httpTypes, nioCore, nioHTTPTypes, logging, serviceLifecycle),

    // Requests to other hosts, by the system's libcurl.
    // Only the headers are used at build time.
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    module("HTTPClient", "CCurl", httpTypes),

    // MQTT 3.1.1. The library is loaded when the client is created; its header is not needed.
    .systemLibrary(name: "CMosquitto", providers: [.apt(["libmosquitto1"])]),
    module("MQTT", "CMosquitto", "Threads", dequeModule),
    // Topics, states and device discovery of Home Assistant.
    module("HomeAssistant"),

    // Live values for other systems: the seam, and an outlet in each folder.
    module(
      "Outlets", "TachogramCore", "StressKit", "MQTT", "HomeAssistant", "HTTPClient", crypto, dequeModule, httpTypes),

    // The live values and the last day in a small picture, as JSON or as text.
    module("Glances", "TachogramCore", "StressKit", "Statistics"),

    // The client and the server of a store of sealed chunks. libpq is loaded where it is used; its header is not needed.
    module("SyncHTTPStore", "Sync", "HTTPClient", httpTypes),
    .systemLibrary(name: "CPostgreSQL"),
    module(
      "SyncServer", "TachogramCore", "Sync", "TLS", "HTTPServer", "CPostgreSQL", grdb, hummingbird, httpTypes, nioCore,
      logging, serviceLifecycle),

    // The daemon: configuration, services, maintenance, and the answers to its page.
    module(
      "Station", "TachogramCore", "StressKit", "Statistics", "Stress", "GATT", "DBus", "BlueZ", "Repository",
      "Recording", "Sync", "SyncEngine", "SyncHTTPStore", "Presentation", "CommandProcess", "Sessions", "Reports",
      "Exchange", "Listening", "FileSystem", "TLS", "Access", "CQRCode", "MQTT", "Outlets", "Dashboard", "Glances",
      "HTTPClient", httpTypes, logging, serviceLifecycle, subprocess, systemPackage, unixSignals, yams),

    // The command line and the composition root.
    .executableTarget(
      name: "tachogram",
      dependencies: [
        "TachogramCore", "StressKit", "FileSystem", "GATT", "Capture", "IntervalFiles", "HRV", "Pipeline", "Repository",
        "Sleep", "Recording", "Presentation", "CommandProcess", "Sessions", "Exchange", "Reports", "Listening",
        "TerminalUI",
        "Station", "Doctor", "Access", "Dashboard", "TLS", "Sync", "SyncEngine", "DBus", "BluetoothKernel", "BlueZ",
        argumentParser,
        logging,
      ], swiftSettings: strict,
      // The program exports no symbols, so that unused code is removed.
      linkerSettings: [.unsafeFlags(["-Xlinker", "--no-export-dynamic"], .when(configuration: .release))]),

    // The sync server as a program.
    .executableTarget(
      name: "tachogram-sync-server",
      dependencies: [
        "TachogramCore", "TLS", "SyncServer", argumentParser,
        logging,
        serviceLifecycle,
        unixSignals,
      ], swiftSettings: strict,
      linkerSettings: [.unsafeFlags(["-Xlinker", "--no-export-dynamic"], .when(configuration: .release))]),

    // Simulated straps and captures, and independent computations, for tests and tools. Contract suites are for tests.
    module("TachogramTestKit", "TachogramCore", "GATT", "Capture", "CFaultVFS"),
    // A fake Bluetooth daemon on a private bus, for tests and tools.
    module("FakeBlueZ", "TachogramCore", "GATT", "Capture", "DBus", "TachogramTestKit"),
    // A failing disk below SQLite.
    .target(name: "CFaultVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
    module("TachogramContracts", "TachogramCore", "StressKit", "Sync", "Outlets"),
    // Stores that lie and fail, and the sync server with its databases, for tests.
    module(
      "SyncTestKit", "TachogramCore", "FileSystem", "TLS", "Sync", "SyncHTTPStore", "SyncServer", "TachogramTestKit",
      logging, serviceLifecycle),
    // An MQTT broker, for tests.
    module("MosquittoTestKit"),
    program("tachogram-fixtures", "TachogramTestKit"),
    // The page's server without a network, and a simulated station, for tests and tools.
    module(
      "DashboardTestKit", "TachogramCore", "StressKit", "HTTPServer", "Access", "Dashboard", "Glances",
      "TachogramTestKit", hummingbird, httpTypes, logging, nioCore, nioEmbedded, nioPosix),
    // The page with a simulated station, as a program.
    program("tachogram-mock-page", "TachogramCore", "Dashboard", "DashboardTestKit", argumentParser, logging),
    // The fuzz targets, and a program that runs them with or without a fuzzer.
    module(
      "TachogramFuzz", "TachogramCore", "StressKit", "GATT", "Capture", "IntervalFiles", "HRV", "Pipeline", "DBus",
      "BluetoothKernel", "BlueZ", "Station", "HTTPServer", "Dashboard", "Sync", "TachogramTestKit", "DashboardTestKit",
      httpTypes, nioCore),
    program("tachogram-fuzz", "TachogramFuzz", "TachogramTestKit"),
    program("tachogram-fake-bluez", "DBus", "FakeBlueZ", "TachogramTestKit", argumentParser),
    program(
      "tachogram-trials", "TachogramCore", "StressKit", "GATT", "Pipeline", "Repository", "Recording", "Station",
      "Dashboard", "DBus", "BlueZ", "FakeBlueZ", "TachogramTestKit", argumentParser),
    program("tachogram-nights", "TachogramCore", "Sleep"),
    program("tachogram-bench-dbus", "DBus", "BlueZ"),
    program(
      "tachogram-bench-sync", "TachogramCore", "GATT", "StressKit", "Pipeline", "Repository", "Sync", "SyncHTTPStore",
      "TachogramTestKit"),
    program("tachogram-bench", "TachogramCore", "StressKit", "IntervalFiles", "HRV", "Pipeline", "TachogramTestKit"),

    tests("StatisticsTests", "Statistics", "TachogramTestKit"),
    tests("TachogramCoreTests", "TachogramCore"),
    tests("DBusTests", "CDBus", "DBus", "TachogramTestKit"),
    tests("BluetoothKernelTests", "TachogramCore", "BluetoothKernel", "TachogramTestKit"),
    tests(
      "BlueZTests", "TachogramCore", "StressKit", "GATT", "Threads", "DBus", "BluetoothKernel", "BlueZ", "FakeBlueZ",
      "TachogramTestKit", "TachogramContracts"),
    tests("FakeBlueZTests", "TachogramCore", "GATT", "DBus", "FakeBlueZ", "TachogramTestKit"),
    tests("TachogramTestKitTests", "TachogramTestKit"),
    tests("TachogramFuzzTests", "TachogramFuzz", "TachogramTestKit"),
    tests("HeartRateKitTests", "HeartRateKit", "TachogramTestKit"),
    tests("GATTTests", "TachogramCore", "GATT", "TachogramTestKit"),
    tests("CaptureTests", "TachogramCore", "GATT", "Capture", "TachogramTestKit", "TachogramContracts"),
    tests("IntervalFilesTests", "TachogramCore", "GATT", "Capture", "IntervalFiles", "TachogramTestKit"),
    tests("BeatsTests", "TachogramCore", "Beats", "TachogramTestKit"),
    tests("HRVTests", "TachogramCore", "HRV", "TachogramTestKit"),
    tests("StressKitTests", "StressKit", "TachogramContracts"),
    tests("SleepTests", "TachogramCore", "Sleep", "TachogramTestKit"),
    tests("StressTests", "TachogramCore", "StressKit", "Stress"),
    // Fills a folder store until it is killed.
    program("tachogram-sync-writer", "Sync"),
    tests(
      "SyncTests", "Sync", "SyncTestKit", "TachogramContracts", "tachogram-sync-writer", "TachogramCore", "FileSystem",
      "CZlib", crypto),
    tests(
      "SyncServerTests", "TachogramCore", "Sync", "TLS", "HTTPClient", "SyncHTTPStore", "SyncServer",
      "TachogramContracts", "SyncTestKit", "TachogramTestKit", "tachogram", "tachogram-sync-server", httpTypes),
    tests("PipelineTests", "TachogramCore", "StressKit", "GATT", "HRV", "Stress", "Pipeline", "TachogramTestKit"),
    tests(
      "RepositoryTests", "TachogramCore", "StressKit", "Repository", "TachogramContracts", "TachogramTestKit", grdb,
      grdbSQLite),
    tests(
      "RecordingTests", "TachogramCore", "StressKit", "GATT", "Pipeline", "Repository", "Sleep", "Recording",
      "TachogramTestKit"),
    tests(
      "SyncEngineTests", "TachogramCore", "StressKit", "Pipeline", "Repository", "Sync", "Recording", "SyncEngine",
      "SyncTestKit", "TachogramTestKit"),
    tests(
      "OutletsTests", "TachogramCore", "StressKit", "MQTT", "HomeAssistant", "Outlets", "MosquittoTestKit",
      "TachogramTestKit", "TachogramContracts"),
    tests("MQTTTests", "CommandProcess", "MQTT", "MosquittoTestKit"),
    tests("HomeAssistantTests", "HomeAssistant", "MQTT", "MosquittoTestKit"),
    .testTarget(
      name: "GlancesTests", dependencies: ["TachogramCore", "StressKit", "Glances"], exclude: ["References"],
      swiftSettings: strict),
    tests("PresentationTests", "TachogramCore", "Presentation"),
    tests(
      "DoctorTests", "TachogramCore", "DBus", "BluetoothKernel", "BlueZ", "Presentation", "Doctor", "TachogramTestKit"),
    tests("CommandProcessTests", "Capture", "CommandProcess"),
    tests(
      "SessionsTests", "TachogramCore", "StressKit", "GATT", "Capture", "Repository", "CommandProcess", "Sessions",
      "TachogramTestKit", "tachogram"),
    tests(
      "ExchangeTests", "TachogramCore", "StressKit", "Repository", "Recording", "CommandProcess", "Sessions",
      "Exchange", "CZlib", "TachogramTestKit", "TachogramFuzz", "tachogram"),
    tests("ReportsTests", "TachogramCore", "Pipeline", "Presentation", "Reports", "TachogramTestKit", "tachogram"),
    tests("ListeningTests", "TachogramCore", "BlueZ", "CommandProcess", "Listening"),
    tests(
      "TerminalUITests", "TachogramCore", "StressKit", "GATT", "BlueZ", "Pipeline", "Recording", "Presentation",
      "CommandProcess", "Reports", "TerminalUI", "TachogramTestKit"),
    tests(
      "StationTests", "TachogramCore", "StressKit", "GATT", "DBus", "BlueZ", "FakeBlueZ", "Pipeline", "Repository",
      "Recording", "Presentation", "Listening", "CommandProcess", "FileSystem", "Access", "Dashboard", "Glances", "TLS",
      "HTTPClient", "Station", "Outlets", "TachogramTestKit", logging, serviceLifecycle, serviceLifecycleTestKit, grdb),
    tests("AccessTests", "TachogramCore", "FileSystem", "Access", "TachogramTestKit"),
    tests("TLSTests", "TachogramCore", "TLS", "COpenSSL", "TachogramTestKit", nioCore, nioEmbedded),
    tests("HTTPClientTests", "HTTPClient", "TachogramTestKit", httpTypes),
    tests(
      "HTTPServerTests", "TachogramCore", "TLS", "HTTPServer", "TachogramTestKit", httpTypes, nioCore, nioEmbedded,
      nioHTTPTypes),
    tests(
      "DashboardTests", "TachogramCore", "StressKit", "HTTPServer", "Access", "Dashboard", "Glances",
      "TachogramTestKit", "DashboardTestKit", httpTypes, nioCore, nioEmbedded, nioHTTPTypes, yams),
    tests("TachogramTrialsTests", "TachogramCore", "tachogram-trials"),
    // Tests that run the program; its modules are not imported.
    tests(
      "TachogramTests", "TachogramCore", "StressKit", "DBus", "BlueZ", "Repository", "Presentation", "FakeBlueZ",
      "TachogramTestKit", "tachogram"),
  ],
  // #embed.
  cLanguageStandard: .gnu2x
)
