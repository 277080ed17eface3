/// The HTTP version of a client, as far as the versions are handled differently (RFC 9110, 2.5).
enum HTTPVersion: Hashable, Sendable {
  case http10
  /// HTTP/1.1, or any later version of HTTP/1.
  case http11

  /// Reads the end of a request line.
  init(_ octets: ArraySlice<UInt8>) throws(RequestFailure) {
    let text = Array(octets)
    guard text.count == 8, text.starts(with: "HTTP/".utf8), text[6] == UInt8(ascii: "."),
      HTTPOctets.isDigit(text[5]), HTTPOctets.isDigit(text[7])
    else { throw .version }
    guard text[5] == UInt8(ascii: "1") else { throw .unsupportedVersion }
    self = text[7] == UInt8(ascii: "0") ? .http10 : .http11
  }
}
