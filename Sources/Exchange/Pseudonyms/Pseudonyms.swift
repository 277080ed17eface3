import COpenSSL
import Capture
import CommandProcess
import FoundationEssentials
import TachogramCore

/// Replaces what identifies a person by codes and offsets that depend only on a secret key: the same each time, and not to be
/// reversed without the key.
///
/// Codes are HMAC-SHA-256 (RFC 2104) of the replaced text with its kind. All dates of a person are moved into the past by the
/// same whole number of weeks, so that weekdays, times of day and distances are kept.
package struct Pseudonyms: Sendable {
  /// The least and the greatest length of a key, in bytes.
  static let keyLength = 16...4096
  private static let weeks: UInt64 = 52
  private static let mostWeeks: UInt64 = 520
  private static let microsecondsPerWeek: Int64 = 604_800_000_000
  /// The characteristics that describe a model: body sensor location, model number, revisions, manufacturer.
  private static let characteristics: Set<UInt16> = [0x2A24, 0x2A26, 0x2A27, 0x2A28, 0x2A29, 0x2A38]

  private let key: [UInt8]

  /// Creates pseudonyms. `key` has 16 to 4096 bytes.
  init(key: [UInt8]) {
    self.key = key
  }

  /// Reads the key from a file, without the line ends at its end.
  package init(keyFile path: String) throws {
    guard let bytes = try InputFile(path: path).contents(upTo: Self.keyLength.upperBound) else {
      throw CommandFailure("\(path): a key has up to \(Self.keyLength.upperBound) bytes", code: .badInput)
    }
    let key = Array(bytes.reversed().drop { $0 == 10 || $0 == 13 }.reversed())
    guard Self.keyLength.contains(key.count) else {
      throw CommandFailure(
        "\(path): a key has at least \(Self.keyLength.lowerBound) bytes; make one with: openssl rand -hex 32 > \(path)",
        code: .badInput)
    }
    self.key = key
  }

  // MARK: - Codes

  /// Returns 32 bytes for a text of a kind.
  private func digest(_ kind: String, _ text: some Sequence<UInt8>) -> [UInt8] {
    let message = Array(kind.utf8) + [0] + text
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    var length = UInt32(digest.count)
    HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &digest, &length)
    return digest
  }

  private func number(_ kind: String, _ text: String) -> UInt64 {
    digest(kind, text.utf8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns the code of a person, such as P-3F8A01C24B.
  func person(_ name: String?) -> String? { name.map { "P-" + code("person", $0) } }

  private func code(_ kind: String, _ text: String) -> String {
    digest(kind, text.utf8).prefix(5).map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count < 2 ? "0" + digits : digits
    }.joined()
  }

  /// Returns an identifier with the form of a UUID.
  func identifier(_ kind: String, _ text: String) -> String {
    var bytes = Array(digest(kind, text.lowercased().utf8).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    var hash = ""
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { hash += "-" }
      let digits = String(byte, radix: 16)
      hash += digits.count < 2 ? "0" + digits : digits
    }
    return hash
  }

  /// Returns a static random address in place of an address; the unknown address stays.
  func address(_ address: BluetoothAddress) -> BluetoothAddress {
    guard address != .unknown else { return address }
    let bytes = digest("address", address.littleEndianBytes).prefix(6)
    // The two highest bits of a static random address are set.
    return BluetoothAddress(value: bytes.reduce(0) { $0 << 8 | UInt64($1) } | 0xC000_0000_0000, kind: .random)
  }

  /// Returns the name of a strap.
  func strap(_ address: BluetoothAddress) -> String { "S-" + code("strap", "\(address)") }

  // MARK: - Dates

  /// Returns the duration by which the dates of a person are moved; negative.
  func shift(of person: String?) -> Duration {
    let weeks = Self.weeks + number("dates", person ?? "") % (Self.mostWeeks - Self.weeks)
    return .microseconds(-Int64(weeks) * Self.microsecondsPerWeek)
  }

  // MARK: - Sessions

  /// Returns a session without names, label and identifying characteristics. Its monotonic axis begins with it: the clock of one
  /// machine would relate the dates of different persons.
  func session(_ session: SessionDescription) -> SessionDescription {
    let strap = StrapIdentity(
      address: address(session.strap.address),
      characteristics: session.strap.characteristics.filter { Self.characteristics.contains($0.key) })
    return SessionDescription(
      id: identifier("session", session.id), strap: strap, origin: session.origin, person: person(session.person),
      madeFrom: session.madeFrom, deviceID: session.deviceID.map { identifier("device", $0) },
      start: session.start.advanced(by: shift(of: session.person)), monotonicStart: MonotonicTime(microseconds: 0))
  }
}
