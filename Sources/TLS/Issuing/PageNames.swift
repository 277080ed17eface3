/// The names and addresses of a certificate for the page.
package struct PageNames: Hashable, Sendable {
  /// Names of hosts, such as `raspberrypi.local`.
  package let hosts: [String]
  /// Addresses in text form, such as `192.168.1.5` or `fd00::5`.
  package let addresses: [String]

  package init(hosts: [String], addresses: [String]) {
    self.hosts = hosts
    self.addresses = addresses
  }

  /// The text form of the extension subjectAltName (OpenSSL, x509v3_config). Names and addresses with other characters than
  /// they may have are left out, so that none can contain another.
  var extensionText: String {
    (hosts.filter(Self.isHost).map { "DNS:\($0)" } + addresses.filter(Self.isAddress).map { "IP:\($0)" })
      .joined(separator: ",")
  }

  private static func isHost(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { isDigit($0) || isLetter($0) || $0 == 45 || $0 == 46 }
  }

  private static func isAddress(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { isDigit($0) || (97...102).contains($0) || $0 == 46 || $0 == 58 }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
  private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte) }
}
