import ServiceLifecycle
import TLS
import UnixSignals

/// Reads the certificate again on SIGHUP, after it was renewed. Open connections keep the one that they have. Without a certificate,
/// the signal does nothing.
struct CertificateReload: Service {
  let identity: CurrentIdentity?
  let certificate: String?
  let key: String?
  let log: IncidentLog

  func run() async throws {
    for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
      guard let identity, let certificate, let key else { continue }
      do throws(TLSFailure) {
        identity.value = try TLSIdentity(certificate: certificate, key: key)
        log.write("the certificate was read again")
      } catch {
        log.write("the certificate stays as it was: \(error)")
      }
    }
  }
}
