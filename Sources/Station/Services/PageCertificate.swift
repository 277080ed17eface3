import Logging
import TLS
import TachogramCore

/// The certificate of the page while the station runs: read again when it was renewed, and watched as it nears its end.
package struct PageCertificate: Sendable {
  /// What a person should know of a certificate.
  package struct Remark: Equatable {
    package let level: Logger.Level
    package let text: String
  }

  /// How long before its end a certificate is remarked on, in microseconds.
  private static let notice: Int64 = 14 * 86_400_000_000

  package let identity: CurrentIdentity
  package let logger: Logger

  /// Reads the files. Throws `TLSFailure`.
  package init(_ files: StationConfiguration.HTTP.TLS, logger: Logger) throws {
    identity = CurrentIdentity(try Self.read(files))
    self.logger = logger
  }

  private static func read(_ files: StationConfiguration.HTTP.TLS) throws(TLSFailure) -> TLSIdentity {
    try TLSIdentity(certificate: files.certificate, key: files.key)
  }

  /// What there is to say of a certificate that can be used with its key. Throws `TLSFailure` where it cannot.
  package static func check(_ files: StationConfiguration.HTTP.TLS, at now: WallTime) throws(TLSFailure) -> [Remark] {
    remarks(on: try read(files), at: now)
  }

  /// Reads the files again; what cannot be used leaves the earlier certificate.
  package func renew(_ files: StationConfiguration.HTTP.TLS, at now: WallTime) {
    do {
      let renewed = try Self.read(files)
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
      level: .warning, text: "the page's certificate expires soon; replace it and reload the station")
  }
}
