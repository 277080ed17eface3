import Foundation

/// Certificates of an authority that exists for one test, made by OpenSSL: for a broker at `localhost` and 127.0.0.1, and for a
/// client. The files are deleted with this object.
package final class TestCertificates: Sendable {
  private static let script = """
    cd "$1" || exit 1
    quiet() { openssl "$@" >>log 2>&1; }
    request() { quiet req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -subj "/CN=$1" "$2" "$3" "$4"; }
    authority() { request "$1" -x509 -out "$1.pem"; }
    signed() {
      request "$1" -new -out "$1.csr" && printf '%s' "$2" > "$1.ext" &&
        quiet x509 -req -in "$1.csr" -CA authority.pem -CAkey authority.key -CAcreateserial -days 2 \\
          -extfile "$1.ext" -out "$1.pem"
    }
    authority authority && authority stranger && signed broker 'subjectAltName=DNS:localhost,IP:127.0.0.1' &&
      signed elsewhere 'subjectAltName=DNS:elsewhere.example' && signed client 'extendedKeyUsage=clientAuth' &&
      chmod 644 *.key && echo made || echo failed
    read -r end
    rm -rf "$1"
    """

  /// Where the files are.
  package let folder: String
  private let guardian: GuardedShell

  package init() async throws {
    folder = try TestFolder.make("certificates")
    guardian = try GuardedShell(Self.script, [folder])
    guard await guardian.nextLine() == "made" else {
      throw MosquittoFailure(description: "openssl failed in \(folder)")
    }
  }

  /// The authority that signed `broker` and `client`.
  package var authority: String { "\(folder)/authority.pem" }
  /// An authority that signed nothing here.
  package var stranger: String { "\(folder)/stranger.pem" }
  /// A certificate for clients, and its key.
  package var clientCertificate: String { "\(folder)/client.pem" }
  package var clientKey: String { "\(folder)/client.key" }
  /// The certificate of `broker`, `elsewhere` or `client`.
  package func certificate(_ name: String) -> String { "\(folder)/\(name).pem" }
  /// The key of `broker`, `elsewhere` or `client`.
  package func key(_ name: String) -> String { "\(folder)/\(name).key" }
}
