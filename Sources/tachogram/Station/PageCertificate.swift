import Logging
import Station
import TLS
import TachogramCore

/// The certificate of the page while the station runs: read again when it was renewed, and watched as it nears its end.
struct PageCertificate: Sendable {
  /// How long before its end a certificate is remarked on, in microseconds.
  private static let notice: Int64 = 14 * 86_400_000_000

  let identity: CurrentIdentity
  let logger: Logger

  /// Reads the files. Throws `TLSFailure`.
  init(_ files: StationConfiguration.HTTP.TLS, logger: Logger) throws {
    identity = CurrentIdentity(try Self.read(files))
    self.logger = logger
  }

  private static func read(_ files: StationConfiguration.HTTP.TLS) throws(TLSFailure) -> TLSIdentity {
    try TLSIdentity(certificate: files.certificate, key: files.key)
  }

  /// Whether a certificate and its key can be used. Throws `TLSFailure`.
  static func check(_ files: StationConfiguration.HTTP.TLS) throws(TLSFailure) {
    _ = try read(files)
  }

  /// Reads the files again; what cannot be used leaves the earlier certificate.
  func renew(_ files: StationConfiguration.HTTP.TLS) {
    do {
      let renewed = try Self.read(files)
      identity.value = renewed
      logger.notice("the page's certificate was read again", metadata: ["ends": "\(Timestamp.text(renewed.expiry))"])
    } catch {
      logger.error("the page keeps its earlier certificate", metadata: ["problem": "\(error)"])
    }
  }

  /// Logs that the certificate ends soon, or has ended.
  func watch(_ now: WallTime) {
    let expiry = identity.value.expiry
    guard let remark = Self.remark(on: expiry, at: now) else { return }
    logger.log(level: remark.level, "\(remark.text)", metadata: ["ends": "\(Timestamp.text(expiry))"])
  }

  static func remark(on expiry: WallTime, at now: WallTime) -> (level: Logger.Level, text: String)? {
    guard expiry > now else { return (.error, "the page's certificate has ended; browsers refuse it") }
    let (left, isFar) = expiry.microseconds.subtractingReportingOverflow(now.microseconds)
    guard !isFar, left < notice else { return nil }
    return (.warning, "the page's certificate ends soon; put a new one in its place and reload the station")
  }
}
