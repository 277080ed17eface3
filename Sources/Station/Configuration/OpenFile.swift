import Access
import FileSystem
import FoundationEssentials

/// The configuration of a station that `tachogram open` opened to the local network, in the file `open.yaml` beside its database.
/// The configuration file takes precedence.
package struct OpenFile: Sendable {
  /// The keys that it may contain.
  static let keys: Set = ["http.host", "http.certificate", "http.key"]

  package let path: String

  /// Creates the path beside `database`.
  package init(database: String) {
    path = AccessFolder.path(beside: database, "open.yaml")
  }

  /// Writes the file for a certificate. Returns whether that changed it.
  func write(host: String, certificate: String) throws -> Bool {
    let quoted = String(decoding: try JSONEncoder().encode(certificate), as: UTF8.self).replacing("\\/", with: "/")
    let text = """
      # Written by `tachogram open`; `tachogram close` deletes it. The configuration file takes precedence.
      http:
        host: "\(host)"
        certificate: \(quoted)
        key: \(quoted)

      """
    let bytes = Array(text.utf8)
    if try AtomicFile.read(path) == bytes { return false }
    try AtomicFile.write(bytes, to: path)
    return true
  }

  /// Deletes the file. Returns whether there was one.
  func remove() throws(AtomicFile.Failure) -> Bool { try AtomicFile.remove(path) }
}
