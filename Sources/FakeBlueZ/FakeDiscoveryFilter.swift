import DBus

/// The filter of a discovering client, set by `SetDiscoveryFilter` (BlueZ 5.66, `src/adapter.c`).
package struct FakeDiscoveryFilter: Hashable, Sendable {
  /// The radios that a client wants to discover with.
  package enum Transport: String, Sendable {
    case auto, bredr, le
  }

  /// Whether the client has set a filter. Every reported advertisement then includes its strength.
  package private(set) var isSet = false
  /// The service UUIDs of which a device must offer one; if empty, any device matches.
  package private(set) var services: Set<String> = []
  /// The lowest accepted level of an advertisement, in dBm.
  package private(set) var signal: Int16?
  package private(set) var transport = Transport.auto
  /// `DuplicateData`: data is reported with every advertisement, changed or not.
  package private(set) var wantsDuplicates = false
  /// A prefix of an address or a name.
  package private(set) var pattern: String?

  /// No filter.
  package init() {}

  /// Reads the argument of `SetDiscoveryFilter`. Without entries there is no filter.
  /// - Throws: `InvalidArguments` for arguments that bluetoothd rejects: unknown entries, other types, levels outside −127 … 20
  ///   dBm, losses above 137 dB, and a level together with a loss.
  init(_ entries: [String: DBusValue]) throws(FakeBlueZError) {
    do {
      for (name, value) in entries { try read(name, value) }
    } catch {
      throw .invalidArguments
    }
    if entries["RSSI"] != nil && entries["Pathloss"] != nil { throw .invalidArguments }
    isSet = !entries.isEmpty
  }

  private static let signals: ClosedRange<Int16> = -127...20
  private static let largestLoss: UInt16 = 137

  private mutating func read(_ name: String, _ value: DBusValue) throws {
    switch name {
    case "UUIDs": services = Set(try value.asStrings().map(Self.fullUUID))
    case "RSSI":
      let level = try value.asInt16()
      guard Self.signals.contains(level) else { throw FakeBlueZError.invalidArguments }
      signal = level
    case "Pathloss":
      // Accepted without effect: the daemon compares the loss only together with a level, a combination that it rejects.
      guard try value.asUInt16() <= Self.largestLoss else { throw FakeBlueZError.invalidArguments }
    case "Transport":
      guard let wanted = Transport(rawValue: try value.asString()) else { throw FakeBlueZError.invalidArguments }
      transport = wanted
    case "DuplicateData": wantsDuplicates = try value.asBool()
    case "Discoverable": _ = try value.asBool()
    case "Pattern": pattern = try value.asString()
    default: throw FakeBlueZError.invalidArguments
    }
  }

  /// Returns the 128-bit text of a UUID, which clients may abbreviate to 16 or 32 bits.
  private static func fullUUID(_ text: String) throws(FakeBlueZError) -> String {
    let digits = text.hasPrefix("0x") ? String(text.dropFirst(2)) : text
    if digits.utf8.count <= 8, let short = UInt32(digits, radix: 16) { return FakeNames.uuid(wide: short) }
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    let areDigits = groups.allSatisfy { $0.allSatisfy { $0.isHexDigit && $0.isASCII } }
    guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12], areDigits else { throw .invalidArguments }
    return text.lowercased()
  }
}
