import HTTPTypes

/// The first line of a request (RFC 9112, 3).
struct RequestLine {
  /// The known methods: those of RFC 9110, PATCH and QUERY. Each route supports some of them.
  private static let methods: Set = [
    "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "QUERY",
  ]
  /// The maximum length of a method, in octets. It exceeds that of all known methods.
  static let longestMethod = 32
  /// The longest target, in octets (RFC 9112, 3, recommends 8000 for the line).
  static let longestTarget = 8192
  /// The longest line that may be valid, without its end.
  static let longest = longestMethod + 1 + longestTarget + 1 + "HTTP/1.1".utf8.count

  let method: HTTPRequest.Method
  let target: RequestTarget
  let version: HTTPVersion

  init(_ line: [UInt8]) throws(RequestFailure) {
    let parts = line.split(separator: HTTPOctets.space, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(HTTPOctets.isToken), !parts[1].isEmpty else {
      throw .requestLine
    }
    version = try HTTPVersion(parts[2])
    let name = String(decoding: parts[0], as: UTF8.self)
    if name == "CONNECT" { throw .connect }
    guard Self.methods.contains(name), let method = HTTPRequest.Method(name) else { throw .unknownMethod }
    guard parts[1].count <= Self.longestTarget else { throw .targetTooLong(limit: Self.longestTarget) }
    self.method = method
    target = try RequestTarget(parts[1], method)
  }

  /// Throws an error if a line cannot be valid because of its beginning, instead of waiting for its end.
  static func check(beginning: some Collection<UInt8>) throws(RequestFailure) {
    guard let first = beginning.first else { return }
    let isEmptyLine = first == HTTPOctets.carriageReturn || first == HTTPOctets.lineFeed
    guard isEmptyLine || HTTPOctets.isToken(first) else { throw .requestLine }
    let method = beginning.prefix(longestMethod + 1)
    if method.count > longestMethod, method.allSatisfy(HTTPOctets.isToken) { throw .unknownMethod }
  }
}
