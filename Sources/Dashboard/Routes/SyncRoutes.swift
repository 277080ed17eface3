import Hummingbird
import TachogramCore

/// The route of the synchronisation with other stations.
struct SyncRoutes {
  /// It names the stations of a person and where they meet, and needs a full token.
  static let state: RouterPath = "/api/v1/sync"

  let backend: any DashboardBackend

  func add(to router: Router<DashboardContext>) {
    router.get(Self.state) { request, context in
      try RequestReader(request: request, context: context).allow()
      return try Responses.json(try await backend.syncState())
    }
  }
}
