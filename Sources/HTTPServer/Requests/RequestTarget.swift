import HTTPTypes

/// The target of a request (RFC 9112, 3.2).
struct RequestTarget: Equatable {
  private static let percent = UInt8(ascii: "%")

  /// The host and port of a target in absolute form, which take precedence over the field Host.
  let authority: String?
  /// The path with its query; `*` for the server as a whole. Percent-encoded unreserved characters of the path are decoded,
  /// which does not change the path (RFC 3986, 6.2.2.2).
  let path: String

  init(_ octets: ArraySlice<UInt8>, _ method: HTTPRequest.Method) throws(RequestFailure) {
    guard octets.allSatisfy(HTTPOctets.isTarget) else { throw .target }
    let text = String(decoding: octets, as: UTF8.self)
    if text == "*" {
      guard method == .options else { throw .target }
      (authority, path) = (nil, text)
    } else if text.hasPrefix("/") {
      (authority, path) = (nil, Self.normalised(text[...]))
    } else {
      let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, ["http", "https"].contains(parts[0].lowercased()) else { throw .target }
      let authority = parts[1].prefix { $0 != "/" && $0 != "?" }
      guard Authority.isValid(authority.utf8) else { throw .host }
      let rest = parts[1].dropFirst(authority.count)
      self.authority = String(authority)
      if rest.isEmpty {
        path = method == .options ? "*" : "/"
      } else {
        path = rest.hasPrefix("/") ? Self.normalised(rest) : "/" + rest
      }
    }
  }

  /// Decodes the unreserved characters of the path. The result is not decoded again, so that `%2568` stays. Slashes stay
  /// encoded, since they would divide the path. Dots are decoded and have no special meaning.
  private static func normalised(_ target: Substring) -> String {
    let octets = Array(target.utf8)
    let end = octets.firstIndex(of: UInt8(ascii: "?")) ?? octets.count
    guard octets[..<end].contains(percent) else { return String(target) }
    var result: [UInt8] = []
    var index = 0
    while index < end {
      if octets[index] == percent, index + 2 < end, let high = HTTPOctets.hexadecimal(octets[index + 1]),
        let low = HTTPOctets.hexadecimal(octets[index + 2]), HTTPOctets.isUnreserved(UInt8(high << 4 | low))
      {
        result.append(UInt8(high << 4 | low))
        index += 3
      } else {
        result.append(octets[index])
        index += 1
      }
    }
    return String(decoding: result + octets[end...], as: UTF8.self)
  }
}
