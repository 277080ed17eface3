/// The classes of octets that HTTP/1.1 messages are made of (RFC 9110, 5.5 and 5.6; RFC 3986, 2).
enum HTTPOctets {
  static let tab: UInt8 = 9
  static let lineFeed: UInt8 = 10
  static let carriageReturn: UInt8 = 13
  static let space: UInt8 = 32
  static let colon: UInt8 = 58

  /// `tchar`: what methods and the names of fields have.
  static func isToken(_ octet: UInt8) -> Bool {
    isAlphanumeric(octet) || "!#$%&'*+-.^_`|~".utf8.contains(octet)
  }

  /// What the value of a field has: visible characters, octets above ASCII, space and tab.
  static func isFieldContent(_ octet: UInt8) -> Bool {
    octet == tab || (octet >= space && octet != 127)
  }

  /// What a request target has: visible ASCII without `#`, since a fragment stays with the browser.
  static func isTarget(_ octet: UInt8) -> Bool {
    octet > space && octet < 127 && octet != UInt8(ascii: "#")
  }

  /// What means the same encoded or not (RFC 3986, 2.3).
  static func isUnreserved(_ octet: UInt8) -> Bool { isAlphanumeric(octet) || "-._~".utf8.contains(octet) }

  /// What a name of a host has: `unreserved`, `sub-delims` and the percent sign.
  static func isHostName(_ octet: UInt8) -> Bool {
    isAlphanumeric(octet) || "-._~!$&'()*+,;=%".utf8.contains(octet)
  }

  static func isDigit(_ octet: UInt8) -> Bool { octet >= 48 && octet <= 57 }

  private static func isAlphanumeric(_ octet: UInt8) -> Bool {
    isDigit(octet) || (octet | 32 >= 97 && octet | 32 <= 122)
  }

  /// The value of a hexadecimal digit; `nil` for any other octet.
  static func hexadecimal(_ octet: UInt8) -> Int? {
    switch octet {
    case 48...57: Int(octet) - 48
    case 65...70, 97...102: Int(octet | 32) - 87
    default: nil
    }
  }

  static func isBlank(_ octet: UInt8) -> Bool { octet == space || octet == tab }

  /// Without spaces and tabs at both ends.
  static func trimmed(_ octets: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = octets.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}
