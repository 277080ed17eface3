/// A version of BlueZ, such as 5.66.
struct BlueZVersion: Comparable, Hashable, Sendable {
  /// The version of Debian 12 and Raspberry Pi OS 12; older versions are not tested.
  static let oldest = BlueZVersion(major: 5, minor: 66)

  let major: Int
  let minor: Int

  init(major: Int, minor: Int) {
    self.major = major
    self.minor = minor
  }

  /// Parses a version such as `5.66`, optionally followed by a distribution's suffix.
  init?(_ text: String) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let major = Int(parts[0]), let minor = Int(parts[1].prefix { $0.isNumber && $0.isASCII })
    else { return nil }
    self.init(major: major, minor: minor)
  }

  static func < (left: BlueZVersion, right: BlueZVersion) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }
}
