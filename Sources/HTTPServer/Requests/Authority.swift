/// A host with an optional port, as in the field Host and in absolute targets (RFC 9110, 7.2; RFC 3986, 3.2).
enum Authority {
  /// Whether `text` is a valid authority. A user before the host is invalid, since it could disguise the host (RFC 9110,
  /// 4.2.4).
  static func isValid(_ text: some Collection<UInt8>) -> Bool {
    let octets = Array(text)
    let host: ArraySlice<UInt8>
    let rest: ArraySlice<UInt8>
    if octets.first == UInt8(ascii: "[") {
      guard let end = octets.firstIndex(of: UInt8(ascii: "]")), isIPv6(octets[1..<end]) else { return false }
      (host, rest) = (octets[...end], octets[(end + 1)...])
    } else {
      let end = octets.firstIndex(of: HTTPOctets.colon) ?? octets.endIndex
      (host, rest) = (octets[..<end], octets[end...])
      guard host.allSatisfy(HTTPOctets.isHostName) else { return false }
    }
    return !host.isEmpty && (rest.isEmpty || isPort(rest))
  }

  private static func isIPv6(_ octets: ArraySlice<UInt8>) -> Bool {
    octets.contains(HTTPOctets.colon)
      && octets.allSatisfy {
        HTTPOctets.hexadecimal($0) != nil || $0 == HTTPOctets.colon || $0 == UInt8(ascii: ".")
      }
  }

  /// Whether `octets` are a colon and up to five digits. No digits mean the default port.
  private static func isPort(_ octets: ArraySlice<UInt8>) -> Bool {
    let digits = octets.dropFirst()
    guard octets.first == HTTPOctets.colon, digits.count <= 5, digits.allSatisfy(HTTPOctets.isDigit) else {
      return false
    }
    return digits.reduce(0) { $0 * 10 + Int($1) - 48 } <= 65_535
  }
}
