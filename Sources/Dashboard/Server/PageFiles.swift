import CDashboardFiles
import Hummingbird
import NIOCore
import TachogramCore

/// The files of the page, which are embedded in the program. Each is held both plain and compressed, with a tag that identifies
/// its version.
struct PageFiles: Sendable {
  private struct File: Sendable {
    let plain: ByteBuffer
    let gzip: ByteBuffer?
    let type: String
    let tag: String
  }

  private let files: [String: File]

  init() {
    var files: [String: File] = [:]
    for index in 0..<dashboard_file_count {
      let file = dashboard_file_at(index).pointee
      let path = String(cString: file.path)
      let bytes = UnsafeBufferPointer(start: file.bytes, count: file.count)
      var hash = ContentHash()
      hash.add(Array(bytes))
      files[path] = File(
        plain: ByteBuffer(bytes: bytes), gzip: Gzip.compressed(bytes).map { ByteBuffer(bytes: $0) },
        type: Self.type(path), tag: "\"\(hash.uuidText)\"")
    }
    self.files = files
  }

  /// The number of bytes that a browser loads for the whole page, compressed.
  var transferSize: Int {
    files.filter { $0.key != Self.document }.values.reduce(0) { $0 + ($1.gzip ?? $1.plain).readableBytes }
  }

  private static let document = "openapi.yaml"

  /// The routes of the files, with their names.
  private var places: [(route: RouterPath, file: String)] {
    files.keys.filter { $0 != Self.document }.map { (RouterPath("/" + $0), $0) } + [
      ("/", "index.html"), ("/api/v1/openapi.yaml", Self.document),
    ]
  }

  var routes: [RouterPath] { places.map(\.route) }

  func add(to router: Router<DashboardContext>) {
    for (route, file) in places { router.get(route) { request, _ in answer(file, request) } }
  }

  private func answer(_ path: String, _ request: Request) -> Response {
    guard let file = files[path] else { return Responses.failure(.notFound, "there is no \(path).") }
    var headers = HTTPFields()
    headers[.eTag] = file.tag
    // Browsers revalidate the file each time, so that a new version appears at once.
    headers[.cacheControl] = "no-cache"
    headers[.vary] = "Accept-Encoding"
    let preferences = RequestPreferences(headers: request.headers)
    if preferences.has(file.tag) { return Response(status: .notModified, headers: headers) }
    headers[.contentType] = file.type
    var body = file.plain
    if let gzip = file.gzip, preferences.acceptsGzip {
      headers[.contentEncoding] = "gzip"
      body = gzip
    }
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
  }

  /// Returns a file as text; empty if there is none.
  func text(of path: String) -> String { files[path].map { String(buffer: $0.plain) } ?? "" }

  private static func type(_ path: String) -> String {
    switch path.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "webmanifest": "application/manifest+json"
    case "yaml": "application/yaml"
    default: "text/plain; charset=utf-8"
    }
  }
}
