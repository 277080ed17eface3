import Sync

/// The address of a store: the path of a folder, or the URL of a sync server.
package enum StoreAddress: Hashable, Sendable {
  case folder(String)
  case server(String)

  /// Parses an address. A path is made absolute with `directory`. Returns `nil` for a URL of another scheme, and for no text.
  package init?(_ text: String, in directory: String) {
    if text.isEmpty { return nil }
    if text.hasPrefix("https://") || text.hasPrefix("http://") {
      self = .server(text)
    } else if let scheme = text.split(separator: ":").first, text.dropFirst(scheme.count).hasPrefix("://") {
      return nil
    } else {
      self = .folder(text.hasPrefix("/") ? text : "\(directory)/\(text)")
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
