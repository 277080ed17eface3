import FileSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The announcement of the page in the local network: a file of avahi-daemon, the mDNS service of Debian (avahi.service(5)).
package struct AvahiService: Sendable {
  package static let systemFolder = "/etc/avahi/services"

  /// The reason why the page is not announced.
  package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file was not written by `tachogram open`.
    case foreignFile(String)

    package var description: String {
      switch self {
      case .foreignFile(let path):
        "\(path) was not written by tachogram and stays as it is; rename it to announce the page"
      }
    }
  }

  private static let mark = "Written by `tachogram open`"
  private static let socket = "/run/avahi-daemon/socket"

  private let folder: String
  private let socket: String

  /// `folder` contains the services of avahi-daemon, and `socket` is its socket.
  package init(folder: String = Self.systemFolder, socket: String = Self.socket) {
    self.folder = folder
    self.socket = socket
  }

  package var path: String { "\(folder)/tachogram.service" }

  /// Whether avahi-daemon is installed.
  package var isAvailable: Bool { access(folder, F_OK) == 0 }

  /// Whether avahi-daemon runs, so that others find the name of this machine.
  package var isRunning: Bool { isAvailable && access(socket, F_OK) == 0 }

  /// Announces the page at a port. Throws `Failure` or `AtomicFile.Failure`.
  package func announce(port: Int) throws {
    guard try !isForeign() else { throw Failure.foreignFile(path) }
    try AtomicFile.write(Array(Self.text(port: port).utf8), to: path, mode: 0o644)
  }

  /// Ends the announcement. Returns whether there was one.
  @discardableResult
  package func withdraw() throws(AtomicFile.Failure) -> Bool {
    guard try !isForeign() else { return false }
    return try AtomicFile.remove(path)
  }

  /// Whether somebody else wrote the file.
  private func isForeign() throws(AtomicFile.Failure) -> Bool {
    guard let bytes = try AtomicFile.read(path) else { return false }
    return !String(decoding: bytes, as: UTF8.self).contains(Self.mark)
  }

  private static func text(port: Int) -> String {
    """
    <?xml version="1.0" standalone='no'?>
    <!DOCTYPE service-group SYSTEM "avahi-service.dtd">
    <!-- \(mark); `tachogram close` deletes it. -->
    <service-group>
      <name replace-wildcards="yes">Tachogram on %h</name>
      <service>
        <type>_https._tcp</type>
        <port>\(port)</port>
        <txt-record>path=/</txt-record>
      </service>
    </service-group>

    """
  }
}
