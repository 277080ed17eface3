import Hummingbird
import TachogramCore

/// The routes of the snapshots of the database, and of databases that were replaced by one.
struct SnapshotRoutes {
  /// The routes that need a full token even for reading.
  static let restricted: [RouterPath] = [list, one, replaced]

  private static let list: RouterPath = "/api/v1/snapshots"
  private static let one: RouterPath = "/api/v1/snapshots/:id"
  private static let replaced: RouterPath = "/api/v1/replaced/:id"
  private static let longestName = 300

  let backend: any SnapshotBackend

  func add(to router: Router<DashboardContext>) {
    router.get(Self.list) { request, context in
      try RequestReader(request: request, context: context).allow()
      return try Responses.json(try await backend.snapshots())
    }
    router.get(Self.one) { request, context in
      try RequestReader(request: request, context: context).allow()
      return try Responses.json(try await backend.preview(snapshot: try name(context)))
    }
    router.post("/api/v1/snapshots/:id/restore") { request, context in
      try RequestReader(request: request, context: context).allow()
      try await backend.restore(snapshot: try name(context))
      return Responses.nothing
    }
    router.get(Self.replaced) { request, context in
      try RequestReader(request: request, context: context).allow()
      return try Responses.json(try await backend.preview(replaced: try name(context)))
    }
    router.post("/api/v1/replaced/:id/copy") { request, context in
      try RequestReader(request: request, context: context).allow()
      return try Responses.json(try await backend.copySessions(ofReplaced: try name(context)))
    }
  }

  private func name(_ context: DashboardContext) throws -> String {
    let name = context.parameters.get("id") ?? ""
    guard (1...Self.longestName).contains(name.utf8.count), !name.contains("/") else {
      throw DashboardError.notFound("there is no such file.")
    }
    return name
  }
}
