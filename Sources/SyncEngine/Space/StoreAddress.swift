import Sync

/// The address of a store: the path of a folder, or the URL of a sync server.
package enum StoreAddress: Hashable, Sendable {
  case folder(String)
  case server(String)

  /// Hosts to which a token may go without TLS: it does not leave the machine.
  private static let ownHosts = ["127.0.0.1", "localhost", "[::1]"]

  /// Parses an address. A path is made absolute with `directory`. Returns `nil` for a URL of another scheme, for one without TLS of
  /// another machine, and for no text.
  package init?(_ text: String, in directory: String) {
    if text.isEmpty { return nil }
    if text.hasPrefix("https://") || text.hasPrefix("http://") {
      guard text.hasPrefix("https://") || Self.isOwn(text), !text.contains("@") else { return nil }
      self = .server(text)
    } else if let scheme = text.split(separator: ":").first, text.dropFirst(scheme.count).hasPrefix("://") {
      return nil
    } else {
      self = .folder(text.hasPrefix("/") ? text : "\(directory)/\(text)")
    }
  }

  private static func isOwn(_ url: String) -> Bool {
    let rest = url.dropFirst("http://".count)
    return ownHosts.contains { host in
      rest.hasPrefix(host) && [nil, ":", "/"].contains(rest.dropFirst(host.count).first)
    }
  }

  /// The text of the address.
  package var text: String {
    switch self {
    case .folder(let path): path
    case .server(let url): url
    }
  }
}
