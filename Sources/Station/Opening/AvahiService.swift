import FileSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The announcement of the page in the local network: a file of avahi-daemon, the mDNS service of Debian (avahi.service(5)).
package struct AvahiService: Sendable {
  package static let systemFolder = "/etc/avahi/services"

  private let folder: String

  /// `folder` contains the services of avahi-daemon.
  package init(folder: String = Self.systemFolder) {
    self.folder = folder
  }

  package var path: String { "\(folder)/tachogram.service" }

  /// Whether avahi-daemon is installed.
  package var isAvailable: Bool { access(folder, F_OK) == 0 }

  /// Announces the page at a port.
  package func announce(port: Int) throws(AtomicFile.Failure) {
    try AtomicFile.write(Array(Self.text(port: port).utf8), to: path, mode: 0o644)
  }

  /// Ends the announcement. Returns whether there was one.
  @discardableResult
  package func withdraw() throws(AtomicFile.Failure) -> Bool { try AtomicFile.remove(path) }

  private static func text(port: Int) -> String {
    """
    <?xml version="1.0" standalone='no'?>
    <!DOCTYPE service-group SYSTEM "avahi-service.dtd">
    <!-- Written by `tachogram open`; `tachogram close` deletes it. -->
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
