import CCurl
import HTTPTypes

/// A request executed by libcurl on the thread that waits for it.
final class Transfer {
  private let curl: tachogram_curl
  private let largestBody: Int
  private let cancellation: CancellationFlag
  private var headers = HTTPFields()
  private var body: [UInt8] = []
  private var isTooLarge = false

  private init(_ curl: tachogram_curl, _ largestBody: Int, _ cancellation: CancellationFlag) {
    self.curl = curl
    self.largestBody = largestBody
    self.cancellation = cancellation
  }

  /// libcurl, loaded by the first request of the process; `nil` where it is not installed.
  nonisolated(unsafe) static let library: tachogram_curl? = {
    var curl = tachogram_curl()
    return tachogram_curl_load(&curl) == 1 ? curl : nil
  }()

  static func perform(
    _ request: HTTPClient.Request, _ options: HTTPClient.Options, _ idle: IdleTransfers?,
    _ cancellation: CancellationFlag
  ) -> Result<HTTPClient.Response, HTTPClientError> {
    guard !cancellation.isSet else { return .failure(.cancelled) }
    guard let curl = library, let handle = idle?.removeOne() ?? curl.easy_init() else {
      return .failure(.failed(reason: "libcurl.so.4 cannot be used; install the package libcurl4"))
    }
    defer { if let idle { idle.append(handle, curl) } else { curl.easy_cleanup(handle) } }
    let transfer = Transfer(curl, options.largestBody, cancellation)
    let lines = HeaderLines(curl, request.headers)
    // libcurl calls back while `perform` runs, and never after.
    let outcome: CURLcode = withExtendedLifetime((transfer, lines)) {
      let code = transfer.prepare(handle, request, options, lines)
      return code == CURLE_OK ? curl.easy_perform(handle) : code
    }
    guard outcome == CURLE_OK else { return .failure(transfer.error(outcome)) }
    return .success(
      HTTPClient.Response(
        status: HTTPResponse.Status(code: Int(tachogram_curl_status(curl, handle))), headers: transfer.headers,
        body: transfer.body))
  }

  // MARK: - Preparing

  /// The headers of a request as libcurl holds them.
  private final class HeaderLines {
    private(set) var list: UnsafeMutablePointer<curl_slist>?
    private let curl: tachogram_curl

    init(_ curl: tachogram_curl, _ headers: HTTPFields) {
      self.curl = curl
      for field in headers { list = curl.slist_append(list, "\(field.name.rawName): \(field.value)") ?? list }
    }

    deinit { curl.slist_free_all(list) }
  }

  /// Sets the options of the request. Returns the first error.
  private func prepare(
    _ handle: UnsafeMutableRawPointer, _ request: HTTPClient.Request, _ options: HTTPClient.Options,
    _ lines: HeaderLines,
  ) -> CURLcode {
    let context = Unmanaged.passUnretained(self).toOpaque()
    var steps: [CURLcode] = [
      tachogram_curl_set_text(curl, handle, CURLOPT_URL, request.url),
      tachogram_curl_set_text(curl, handle, CURLOPT_PROTOCOLS_STR, "http,https"),
      tachogram_curl_set_text(curl, handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https"),
      tachogram_curl_set_text(curl, handle, CURLOPT_USERAGENT, "tachogram"),
      tachogram_curl_set_long(curl, handle, CURLOPT_NOSIGNAL, 1),
      tachogram_curl_set_long(curl, handle, CURLOPT_TIMEOUT_MS, Self.milliseconds(request.timeout ?? options.timeout)),
      tachogram_curl_set_long(
        curl, handle, CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(options.connectTimeout)),
      tachogram_curl_set_long(curl, handle, CURLOPT_FOLLOWLOCATION, options.redirects > 0 ? 1 : 0),
      tachogram_curl_set_long(curl, handle, CURLOPT_MAXREDIRS, options.redirects),
      tachogram_curl_set_long(
        curl, handle, CURLOPT_POSTREDIR, Int(CURL_REDIR_POST_301 | CURL_REDIR_POST_302 | CURL_REDIR_POST_303)),
      tachogram_curl_set_pointer(curl, handle, CURLOPT_HTTPHEADER, lines.list),
      tachogram_curl_set_pointer(curl, handle, CURLOPT_WRITEDATA, context),
      tachogram_curl_set_receiver(curl, handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        return Transfer.of(context).receive(UnsafeRawBufferPointer(start: bytes, count: size * count))
      },
      tachogram_curl_set_pointer(curl, handle, CURLOPT_HEADERDATA, context),
      tachogram_curl_set_receiver(curl, handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        return Transfer.of(context).receiveHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
      },
      tachogram_curl_set_pointer(curl, handle, CURLOPT_XFERINFODATA, context),
      tachogram_curl_set_progress(curl, handle) { context, _, _, _, _ in
        guard let context else { return 0 }
        return Transfer.of(context).cancellation.isSet ? 1 : 0
      },
      tachogram_curl_set_long(curl, handle, CURLOPT_NOPROGRESS, 0),
    ]
    if !options.usesProxies { steps.append(tachogram_curl_set_text(curl, handle, CURLOPT_NOPROXY, "*")) }
    if let authorities = options.authorities {
      steps.append(tachogram_curl_set_text(curl, handle, CURLOPT_CAINFO, authorities))
    }
    steps += prepareMethod(handle, request)
    return steps.first { $0 != CURLE_OK } ?? CURLE_OK
  }

  private static func milliseconds(_ time: Duration) -> Int {
    let (seconds, attoseconds) = time.components
    return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
  }

  private func prepareMethod(
    _ handle: UnsafeMutableRawPointer, _ request: HTTPClient.Request
  ) -> [CURLcode] {
    switch request.method {
    case .get where request.body.isEmpty: return [tachogram_curl_set_long(curl, handle, CURLOPT_HTTPGET, 1)]
    case .head: return [tachogram_curl_set_long(curl, handle, CURLOPT_NOBODY, 1)]
    default: break
    }
    var steps = [
      tachogram_curl_set_long(curl, handle, CURLOPT_POST, 1),
      tachogram_curl_set_size(curl, handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count)),
      request.body.withUnsafeBytes { bytes in
        tachogram_curl_set_pointer(
          curl, handle, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress.map { UnsafeMutableRawPointer(mutating: $0) })
      },
    ]
    if request.method != .post {
      steps.append(tachogram_curl_set_text(curl, handle, CURLOPT_CUSTOMREQUEST, request.method.rawValue))
    }
    return steps
  }

  private static func of(_ context: UnsafeMutableRawPointer) -> Transfer {
    Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
  }

  // MARK: - Receiving

  /// Returns the number of bytes accepted. If it is less than the number received, libcurl ends the transfer.
  private func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard bytes.count <= largestBody - body.count else {
      isTooLarge = true
      return 0
    }
    body += bytes
    return bytes.count
  }

  /// Handles a header line of this response, or of a redirect before it.
  private func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
    let line = String(decoding: bytes, as: UTF8.self)
    if line.hasPrefix("HTTP/") {
      headers = HTTPFields()
      body = []
    } else if let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) {
      let value = line[line.index(after: colon)...].drop { " \t".contains($0) }.prefix { !$0.isNewline }
      if headers.count < 1000 { headers.append(HTTPField(name: name, value: String(value))) }
    }
    return bytes.count
  }

  private func error(_ code: CURLcode) -> HTTPClientError {
    switch code {
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT: return .invalidAddress
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: return .hostNotFound
    case CURLE_COULDNT_CONNECT: return .unreachable
    case CURLE_OPERATION_TIMEDOUT: return .timedOut
    case CURLE_TOO_MANY_REDIRECTS: return .tooManyRedirects
    case CURLE_ABORTED_BY_CALLBACK: return .cancelled
    case CURLE_WRITE_ERROR where isTooLarge: return .bodyTooLarge
    default: break
    }
    let reason = curl.easy_strerror(code).map { String(cString: $0) } ?? "libcurl does not say why"
    let ofTLS = [
      CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
    ]
    return ofTLS.contains(code) ? .tls(reason: reason) : .failed(reason: reason)
  }
}
