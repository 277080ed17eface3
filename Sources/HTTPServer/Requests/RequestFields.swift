import HTTPTypes

/// The header fields of a request as they arrive, line by line (RFC 9112, 5).
package struct RequestFields {
  static let mostFields = 64
  /// The maximum length of one line, in octets.
  static let longestField = 8 * 1024
  /// The maximum length of all lines together, in octets.
  static let longestAll = 16 * 1024

  /// All fields except Host.
  private(set) var fields = HTTPFields()
  private(set) var hosts: [String] = []
  private(set) var contentLengths: [String] = []
  private(set) var transferEncodings: [String] = []
  private(set) var connection: Set<String> = []
  private(set) var expectations: [String] = []

  private var count = 0
  private var size = 0

  /// The maximum length of the next line, in octets.
  var room: Int { min(Self.longestField, Self.longestAll - size) }

  /// Appends a line, without its end.
  mutating func append(_ line: [UInt8]) throws(RequestFailure) {
    count += 1
    size += line.count + 2
    guard count <= Self.mostFields, size <= Self.longestAll else { throw .fieldsTooLarge }
    if let first = line.first, HTTPOctets.isBlank(first) { throw .foldedField }
    guard let colon = line.firstIndex(of: HTTPOctets.colon), colon > 0,
      line[..<colon].allSatisfy(HTTPOctets.isToken),
      let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
    else { throw .fieldName }
    let octets = HTTPOctets.trimmed(line[(colon + 1)...])
    guard octets.allSatisfy(HTTPOctets.isFieldContent) else { throw .fieldValue(name: name.rawName) }
    append(name, String(decoding: octets, as: UTF8.self))
  }

  private mutating func append(_ name: HTTPField.Name, _ value: String) {
    switch name.canonicalName {
    // The request stores the host separately.
    case "host": return hosts.append(value)
    case "content-length": contentLengths.append(value)
    case "transfer-encoding": transferEncodings.append(value)
    case "connection": connection.formUnion(Self.elements(value))
    case "expect": expectations += Self.elements(value)
    default: break
    }
    fields.append(HTTPField(name: name, value: value))
  }

  /// Returns the elements of a list, in lower case. Empty elements are ignored (RFC 9110, 5.6.1).
  package static func elements(_ list: String) -> [String] {
    list.utf8.split(separator: UInt8(ascii: ",")).map { element in
      String(decoding: HTTPOctets.trimmed(ArraySlice(Array(element))), as: UTF8.self).lowercased()
    }.filter { !$0.isEmpty }
  }

  /// Returns the requested host and port (RFC 9110, 7.2). They are optional in HTTP/1.0.
  func authority(_ target: RequestTarget, _ version: HTTPVersion) throws(RequestFailure) -> String? {
    guard hosts.count <= 1 else { throw .repeatedHost }
    if let host = hosts.first {
      guard Authority.isValid(host.utf8) else { throw .host }
    } else if version == .http11 {
      throw .missingHost
    }
    return target.authority ?? hosts.first
  }
}
