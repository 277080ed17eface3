import Glances
import HTTPServer
import HTTPTypes
import Hummingbird
import NIOCore
import TachogramCore

/// The routes of glances.
struct GlanceRoutes {
  static let glance: RouterPath = "/glance/:file"
  /// The time for which a glance is kept by a browser, and after which a document shows the next one, in seconds.
  private static let seconds = 300

  let backend: any GlanceBackend

  func add(to router: Router<DashboardContext>) {
    router.get(Self.glance) { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow("look", "person", "strap")
      let (family, form) = try Self.kind(context.parameters.get("file") ?? "")
      let look = try reader.choice("look", default: GlanceLook.auto)
      let content = try await backend.content(of: try reader.readingChoice())
      return Self.answer(try Glance(content).text(family, form, look: look), form, request)
    }
  }

  /// Returns the family and form of a file name such as `small.svg`.
  private static func kind(_ file: String) throws -> (GlanceFamily, GlanceForm) {
    let parts = file.split(separator: ".", omittingEmptySubsequences: false)
    guard let name = parts.first, parts.count == 2, let family = GlanceFamily(rawValue: String(name)) else {
      throw DashboardError.notFound(
        "there is no such glance; there are \(names(GlanceFamily.allCases)), each with an ending.")
    }
    guard let form = GlanceForm(rawValue: String(parts[1])) else {
      throw DashboardError.notFound("a glance ends in .\(names(GlanceForm.allCases, separator: ", ."))")
    }
    return (family, form)
  }

  private static func names(_ values: [some RawRepresentable<String>], separator: String = ", ") -> String {
    values.map(\.rawValue).joined(separator: separator)
  }

  private static func answer(_ text: String, _ form: GlanceForm, _ request: Request) -> Response {
    var hash = ContentHash()
    hash.add(text.utf8)
    let tag = "\"\(hash.uuidText)\""
    var headers = HTTPFields()
    headers[.eTag] = tag
    headers[.cacheControl] = "private, max-age=\(seconds)"
    if RequestPreferences(headers: request.headers).has(tag) { return Response(status: .notModified, headers: headers) }
    headers[.contentType] = form.mediaType
    if form == .svg, let refresh = HTTPField.Name("Refresh") { headers[refresh] = "\(seconds)" }
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
