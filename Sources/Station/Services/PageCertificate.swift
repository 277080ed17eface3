import FileSystem
import Logging
import Synchronization
import TLS
import TachogramCore

/// The certificate of the page while the station runs. Replaced files are read again, and new connections use them; open
/// connections keep theirs. A certificate that ends soon is logged.
package final class PageCertificate: Sendable {
  /// A message about a certificate.
  package struct Remark: Equatable {
    package let level: Logger.Level
    package let text: String
  }

  /// The time before its end at which a certificate is reported, in microseconds.
  private static let notice: Int64 = 14 * 86_400_000_000

  /// The interval in which `renewIfReplaced` is called, so that a replaced certificate is served within a minute.
  package static let checkInterval = Duration.seconds(15)

  private struct Files {
    var paths: StationConfiguration.HTTP.TLS
    /// The versions of the files that were read last.
    var read: [FileVersion?]
    /// The versions that the last check found.
    var found: [FileVersion?]

    init(_ paths: StationConfiguration.HTTP.TLS) {
      let versions = Self.versions(paths)
      (self.paths, read, found) = (paths, versions, versions)
    }

    static func versions(_ paths: StationConfiguration.HTTP.TLS) -> [FileVersion?] {
      [FileVersion(of: paths.certificate), FileVersion(of: paths.key)]
    }
  }

  package let identity: CurrentIdentity
  package let logger: Logger
  private let files: Mutex<Files>

  /// Reads the files. Throws `TLSFailure`.
  package init(_ paths: StationConfiguration.HTTP.TLS, logger: Logger) throws {
    // Before the files are read, so that files replaced meanwhile are read again.
    files = Mutex(Files(paths))
    identity = CurrentIdentity(try Self.read(paths))
    self.logger = logger
  }

  private static func read(_ files: StationConfiguration.HTTP.TLS) throws(TLSFailure) -> TLSIdentity {
    try TLSIdentity(certificate: files.certificate, key: files.key)
  }

  /// Returns messages about a usable certificate and key. Throws `TLSFailure` if they are not usable.
  package static func check(_ files: StationConfiguration.HTTP.TLS, at now: WallTime) throws(TLSFailure) -> [Remark] {
    remarks(on: try read(files), at: now)
  }

  /// Reads the files again if they have been replaced. A certificate and its key are two files that are replaced one after the
  /// other, so they are read after two checks in a row have found the same versions.
  package func renewIfReplaced(at now: WallTime) {
    let replaced = files.withLock { files -> StationConfiguration.HTTP.TLS? in
      let versions = Files.versions(files.paths)
      defer { files.found = versions }
      return versions != files.read && versions == files.found ? files.paths : nil
    }
    if let replaced { renew(replaced, at: now) }
  }

  /// Reads the files again. If they are not usable, this is logged and the earlier certificate is kept.
  package func renew(_ paths: StationConfiguration.HTTP.TLS, at now: WallTime) {
    files.withLock { $0 = Files(paths) }
    do {
      let renewed = try Self.read(paths)
      identity.value = renewed
      logger.notice("the page's certificate was read again", metadata: ["ends": "\(Timestamp.text(renewed.expiry))"])
      watch(now)
    } catch {
      logger.error("the page keeps its earlier certificate", metadata: ["problem": "\(error)"])
    }
  }

  /// Logs that the certificate is not valid yet, ends soon, or has ended, and that its chain is not in order.
  package func watch(_ now: WallTime) {
    let identity = identity.value
    for remark in Self.remarks(on: identity, at: now) {
      logger.log(
        level: remark.level, "\(remark.text)",
        metadata: ["begins": "\(Timestamp.text(identity.start))", "ends": "\(Timestamp.text(identity.expiry))"])
    }
  }

  private static func remarks(on identity: TLSIdentity, at now: WallTime) -> [Remark] {
    let order =
      identity.isChainInOrder
      ? nil
      : Remark(
        level: .warning,
        text:
          "the chain behind the page's certificate is not in order; each of its certificates issues the one before it")
    return [remark(from: identity.start, to: identity.expiry, at: now), order].compactMap(\.self)
  }

  /// Returns a message about the validity of a certificate, or `nil`.
  package static func remark(from start: WallTime, to expiry: WallTime, at now: WallTime) -> Remark? {
    guard expiry > now else {
      return Remark(level: .error, text: "the page's certificate has ended; browsers refuse it")
    }
    guard start <= now else {
      return Remark(
        level: .warning,
        text: "the page's certificate is not valid yet, or the clock of this machine is wrong; browsers refuse it")
    }
    let (left, isFar) = expiry.microseconds.subtractingReportingOverflow(now.microseconds)
    guard !isFar, left < notice else { return nil }
    return Remark(
      level: .warning, text: "the page's certificate expires soon; replace it")
  }
}
