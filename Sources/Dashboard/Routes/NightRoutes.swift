import HTTPTypes
import Hummingbird
import TachogramCore

/// The routes of nights.
struct NightRoutes {
  let backend: any NightBackend

  func add(to router: Router<DashboardContext>) {
    router.get("/api/v1/nights") { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow("person", "from", "to")
      return try Responses.json(
        try await backend.nights(
          of: try reader.text("person"), from: try reader.time("from"), to: try reader.time("to")))
    }
    router.post("/api/v1/nights") { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow()
      return try Responses.json(try await backend.begin(try await reader.body(API.NewNight.self)))
    }
    router.get("/api/v1/nights/:id") { request, context in
      try Responses.json(try await backend.night(try session(request, context)))
    }
    router.delete("/api/v1/nights/:id") { request, context in
      try await backend.forget(try session(request, context))
      return Responses.nothing
    }
    router.post("/api/v1/nights/:id/end") { request, context in
      try Responses.json(try await backend.end(try session(request, context)))
    }
  }

  private func session(_ request: Request, _ context: DashboardContext) throws -> String {
    let reader = RequestReader(request: request, context: context)
    try reader.allow()
    return try reader.session()
  }
}
