// swift-tools-version: 6.2
import PackageDescription

/// From a checkout the package beside it; with TACHOGRAM_GIT_URL, as other packages do, a release of that repository.
let tachogram: Package.Dependency =
  if let url = Context.environment["TACHOGRAM_GIT_URL"] {
    .package(url: url, from: "0.2.0")
  } else {
    .package(name: "tachogram", path: "..")
  }

let heartRateKit: Target.Dependency = .product(name: "HeartRateKit", package: "tachogram")
let blueZ: Target.Dependency = .product(name: "BlueZ", package: "tachogram")
let stressKit: Target.Dependency = .product(name: "StressKit", package: "tachogram")

let package = Package(
  name: "examples",
  dependencies: [tachogram],
  targets: [
    .executableTarget(name: "decode", dependencies: [heartRateKit]),
    .executableTarget(name: "analyze", dependencies: [heartRateKit]),
    .executableTarget(name: "replay", dependencies: [heartRateKit]),
    .executableTarget(name: "live", dependencies: [blueZ, heartRateKit]),
    .executableTarget(name: "dashboard", dependencies: [stressKit]),
  ])
