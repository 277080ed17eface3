import COpenSSL
import TachogramCore

/// A certificate of OpenSSL.
final class IssuedCertificate {
  private let pointer: OpaquePointer

  /// Creates an unsigned certificate of a subject.
  init(
    _ subject: String, _ key: PrivateKey, from now: WallTime, validity: Duration, leeway: Duration
  ) throws(TLSFailure) {
    guard let made = X509_new() else { throw IssuingFailure.last() }
    pointer = made
    let (start, end) = (now.advanced(by: .zero - leeway), now.advanced(by: validity - leeway))
    // The text is UTF-8, and its length in bytes is given with -1 as that of a C string.
    guard X509_set_version(made, 2) == 1, tachogram_tls_set_random_serial(made) == 1,
      ASN1_TIME_set(X509_getm_notBefore(made), time_t(start.microseconds / 1_000_000)) != nil,
      ASN1_TIME_set(X509_getm_notAfter(made), time_t(end.microseconds / 1_000_000)) != nil,
      X509_NAME_add_entry_by_NID(
        X509_get_subject_name(made), NID_commonName, MBSTRING_UTF8, Array(subject.utf8.prefix(64)),
        Int32(min(64, subject.utf8.count)), -1, 0) == 1,
      X509_set_pubkey(made, key.pointer) == 1
    else { throw IssuingFailure.last() }
  }

  init(pem: [UInt8]) throws(TLSFailure) {
    let input = try MemoryBuffer(pem)
    guard let read = PEM_read_bio_X509(input.bio, nil, nil, nil) else { throw IssuingFailure.last() }
    pointer = read
  }

  deinit {
    X509_free(pointer)
  }

  func add(_ identifier: Int32, _ value: String, issuer: IssuedCertificate) throws(TLSFailure) {
    guard tachogram_tls_add_extension(pointer, issuer.pointer, identifier, value) == 1 else {
      throw IssuingFailure.last()
    }
  }

  func sign(issuer: IssuedCertificate, _ key: PrivateKey) throws(TLSFailure) {
    guard X509_set_issuer_name(pointer, X509_get_subject_name(issuer.pointer)) == 1,
      X509_sign(pointer, key.pointer, EVP_sha256()) > 0
    else { throw IssuingFailure.last() }
  }

  func hasKey(_ key: PrivateKey) -> Bool {
    defer { ERR_clear_error() }
    return X509_check_private_key(pointer, key.pointer) == 1
  }

  func isSigned(by key: PrivateKey) -> Bool {
    defer { ERR_clear_error() }
    return X509_verify(pointer, key.pointer) == 1
  }

  func pem() throws(TLSFailure) -> [UInt8] {
    let output = try MemoryBuffer()
    guard PEM_write_bio_X509(output.bio, pointer) == 1 else { throw IssuingFailure.last() }
    return output.bytes()
  }

  /// The SHA-256 fingerprint in hexadecimal digits, two by two.
  func fingerprint() throws(TLSFailure) -> String {
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    guard X509_digest(pointer, EVP_sha256(), &digest, &count) == 1 else { throw IssuingFailure.last() }
    return digest.prefix(Int(count)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
      .joined(separator: ":")
  }

  func expiry() throws(TLSFailure) -> WallTime {
    let seconds = tachogram_tls_seconds(X509_get0_notAfter(pointer))
    let (microseconds, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000_000)
    guard seconds != .min, !isTooFar else { throw .unavailable(reason: "the end of a certificate is not a time") }
    return WallTime(microseconds: microseconds)
  }

  /// The alternative names in OpenSSL's text form, or an empty text.
  func names() -> String {
    guard let output = try? MemoryBuffer(), tachogram_tls_write_names(pointer, output.bio) == 1 else { return "" }
    return String(decoding: output.bytes(), as: UTF8.self)
  }
}
