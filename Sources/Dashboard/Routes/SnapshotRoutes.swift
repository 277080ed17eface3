import Hummingbird
import TachogramCore

/// The routes of the snapshots of the database.
struct SnapshotRoutes {
  /// The routes that need a full token even for reading.
  static let restricted: [RouterPath] = [list, one]

  private static let list: RouterPath = "/api/v1/snapshots"
  private static let one: RouterPath = "/api/v1/snapshots/:id"
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
  }

  private func name(_ context: DashboardContext) throws -> String {
    let name = context.parameters.get("id") ?? ""
    guard (1...Self.longestName).contains(name.utf8.count), !name.contains("/") else {
      throw DashboardError.notFound("there is no such snapshot.")
    }
    return name
  }
}
