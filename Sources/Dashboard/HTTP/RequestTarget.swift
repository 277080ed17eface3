import HTTPTypes

/// What a request is for (RFC 9112, 3.2).
struct RequestTarget: Equatable {
  /// Host and port of the absolute form, which stand in place of what the field Host says.
  let authority: String?
  /// The path with its query; `*` for the server as a whole.
  let path: String

  init(_ octets: ArraySlice<UInt8>, _ method: HTTPRequest.Method) throws(RequestFailure) {
    guard octets.allSatisfy(HTTPOctets.isTarget) else { throw .target }
    let text = String(decoding: octets, as: UTF8.self)
    if text == "*" {
      guard method == .options else { throw .target }
      (authority, path) = (nil, text)
    } else if text.hasPrefix("/") {
      (authority, path) = (nil, text)
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
        path = rest.hasPrefix("/") ? String(rest) : "/" + rest
      }
    }
  }
}
