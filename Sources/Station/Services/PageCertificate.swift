import Logging
import Synchronization
import TLS
import TachogramCore

/// The certificate of the page while the station runs. Replaced files are read again, and new connections use them; open
/// connections keep theirs. A certificate that ends soon is logged.
package final class PageCertificate: Sendable {
  /// What a person should know of a certificate.
  package struct Remark: Equatable {
    package let level: Logger.Level
    package let text: String
  }

  /// How long before its end a certificate is remarked on, in microseconds.
  private static let notice: Int64 = 14 * 86_400_000_000

  /// How often `renewIfReplaced` is to be called, so that a replaced certificate is served within a minute.
  package static let checkInterval = Duration.seconds(15)

  private struct Files {
    var paths: StationConfiguration.HTTP.TLS
    /// The versions of the files that were read last.
    var read: [TLSFileVersion?]
    /// The versions that the last check found.
    var found: [TLSFileVersion?]

    init(_ paths: StationConfiguration.HTTP.TLS) {
      let versions = Self.versions(paths)
      (self.paths, read, found) = (paths, versions, versions)
    }

    static func versions(_ paths: StationConfiguration.HTTP.TLS) -> [TLSFileVersion?] {
      [TLSFileVersion(of: paths.certificate), TLSFileVersion(of: paths.key)]
    }
  }

  package let identity: CurrentIdentity
  package let logger: Logger
  private let files: Mutex<Files>

  /// Reads the files. Throws `TLSFailure`.
  package init(_ paths: StationConfiguration.HTTP.TLS, logger: Logger) throws {
    // Before the files are read, so that what is replaced meanwhile is read again.
    files = Mutex(Files(paths))
    identity = CurrentIdentity(try Self.read(paths))
    self.logger = logger
  }

  private static func read(_ files: StationConfiguration.HTTP.TLS) throws(TLSFailure) -> TLSIdentity {
    try TLSIdentity(certificate: files.certificate, key: files.key)
  }

  /// What there is to say of a certificate that can be used with its key. Throws `TLSFailure` where it cannot.
  package static func check(_ files: StationConfiguration.HTTP.TLS, at now: WallTime) throws(TLSFailure) -> [Remark] {
    remarks(on: try read(files), at: now)
  }

  /// Reads the files again if they have been replaced. A certificate and its key are two files and replaced one after the other:
  /// they are read once two checks in a row have found the same versions.
  package func renewIfReplaced(at now: WallTime) {
    let replaced = files.withLock { files -> StationConfiguration.HTTP.TLS? in
      let versions = Files.versions(files.paths)
      defer { files.found = versions }
      return versions != files.read && versions == files.found ? files.paths : nil
    }
    if let replaced { renew(replaced, at: now) }
  }

  /// Reads the files again. Files that cannot be used are logged, and the certificate stays as it was.
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

  /// What there is to say of the time in which a certificate is valid.
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
