import Hummingbird
import NIOCore
import TachogramCore

/// The routes of stored data.
struct StoredRoutes {
  static let export: RouterPath = "/api/v1/sessions/:id/export"
  static let exportOfRange: RouterPath = "/api/v1/export"

  let backend: any DashboardBackend
  let access: AccessControl

  func add(to router: Router<DashboardContext>) {
    addSessions(to: router)
    addExportOfRange(to: router)
    addSeries(to: router)
    addDeletions(to: router)
    router.get("/api/v1/persons") { request, context in
      try RequestReader(request: request, context: context).allow()
      return try Responses.json(API.Persons(persons: try await backend.persons()))
    }
    router.get("/api/v1/formats") { request, context in
      try RequestReader(request: request, context: context).allow()
      return try Responses.json(API.Formats(backend.exportFormats))
    }
    router.get("/api/v1/baseline") { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow("person")
      return Responses.json(text: try await backend.baseline(of: try reader.text("person")))
    }
    router.get("/api/v1/trends") { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow("person", "period", "end")
      let question = TrendQuery(
        person: try reader.text("person"), period: try reader.choice("period", default: .week),
        end: try reader.day("end"))
      return try Responses.json(try await backend.trends(question))
    }
  }

  private func addSessions(to router: Router<DashboardContext>) {
    router.get("/api/v1/sessions") { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow("person", "from", "to", "limit", "cursor")
      let question = SessionQuery(
        person: try reader.text("person"), from: try reader.time("from"), to: try reader.time("to"),
        limit: try reader.integer("limit", in: 1...200, default: 50), cursor: try reader.text("cursor", most: 40))
      return try Responses.json(try await backend.sessions(question))
    }
    router.get("/api/v1/sessions/:id") { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow()
      return try Responses.json(try await backend.session(try reader.session()))
    }
    router.get(Self.export) { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow("format")
      return try await export(
        try reader.session(), try reader.choice("format", of: backend.exportFormats, \.name), context)
    }
  }

  private func addExportOfRange(to router: Router<DashboardContext>) {
    router.get(Self.exportOfRange) { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow("format", "person", "from", "to")
      let from = try reader.time("from") ?? WallTime(microseconds: .min)
      let to = try reader.time("to") ?? WallTime(microseconds: .max)
      guard from <= to else { throw DashboardError.badRequest("from is after to.") }
      let selection = ExportQuery(
        format: try reader.choice("format", of: backend.exportFormats, \.name), person: try reader.text("person"),
        range: from...to)
      try await backend.checkExport(selection)
      return file("tachogram.zip", "application/zip", context) { [backend] write in
        try backend.export(selection, to: write)
      }
    }
  }

  private func addSeries(to router: Router<DashboardContext>) {
    router.get("/api/v1/sessions/:id/beats") { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow("points")
      let points = try reader.integer("points", in: 10...20_000, default: 2000)
      return try Responses.json(try await backend.beats(of: try reader.session(), points: points))
    }
    router.get("/api/v1/sessions/:id/poincare") { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow()
      return try Responses.json(try await backend.poincare(of: try reader.session()))
    }
    router.get("/api/v1/sessions/:id/windows") { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow("length")
      let length =
        try reader.text("length") == nil
        ? WindowLength.fiveMinutes : reader.choice("length", of: WindowLength.recorded) { "\($0.seconds)" }
      return try Responses.json(try await backend.windows(of: try reader.session(), length: length))
    }
    router.get("/api/v1/sessions/:id/stress") { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow()
      return try Responses.json(try await backend.stress(of: try reader.session()))
    }
  }

  private func addDeletions(to router: Router<DashboardContext>) {
    router.post("/api/v1/deletions/preview") { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow()
      let (selection, category) = try await reader.deletion()
      return try Responses.json(try await backend.previewDeletion(selection, category))
    }
    router.post("/api/v1/deletions") { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow()
      let (selection, category) = try await reader.deletion()
      return try Responses.json(try await backend.delete(selection, category))
    }
  }

  /// Returns the exported file, which is written on a separate thread and sent piece by piece, as fast as it is read.
  private func export(
    _ session: String, _ format: ExportFormat, _ context: DashboardContext
  ) async throws -> Response {
    // Reports a missing or unsuitable session as an error instead of sending an empty file.
    try await backend.checkExport(session, format)
    return file("tachogram-\(session.prefix(8)).\(format.fileExtension)", format.mediaType, context) {
      [backend] write in
      try backend.export(session, format, to: write)
    }
  }

  /// How often it is looked whether the token of a download is still valid.
  private static let checkInterval = Duration.milliseconds(500)

  /// Returns a file that `body` writes on a separate thread. When the token is revoked, the file is cut off.
  private func file(
    _ name: String, _ mediaType: String, _ context: DashboardContext,
    _ body: @escaping @Sendable (_ write: ([UInt8]) throws -> Void) throws -> Void
  ) -> Response {
    var headers = HTTPFields()
    headers[.contentType] = mediaType
    headers[.cacheControl] = "no-store"
    headers[.contentDisposition] = "attachment; filename=\"\(name)\""
    let grant = context.grant
    let content = ResponseBody { [access] writer in
      var checked = ContinuousClock.now
      for try await piece in ExportPipe.pieces(body) {
        let now = ContinuousClock.now
        if now - checked >= Self.checkInterval {
          checked = now
          guard access.isValid(grant) else { throw HTTPError(.unauthorized, message: "the token was revoked.") }
        }
        try await writer.write(piece)
      }
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: headers, body: content)
  }
}
