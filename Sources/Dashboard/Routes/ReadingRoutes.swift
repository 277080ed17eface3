import Hummingbird
import TachogramCore

/// The routes of measurements of some minutes.
struct ReadingRoutes {
  let backend: any ReadingBackend

  func add(to router: Router<DashboardContext>) {
    router.get("/api/v1/readings") { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow("person", "kind", "limit")
      let kind = try reader.text("kind") == nil ? nil : reader.choice("kind", of: HRVReading.Kind.allCases, \.rawValue)
      return try Responses.json(
        try await backend.readings(
          of: try reader.text("person"), kind: kind, limit: try reader.integer("limit", in: 1...1000, default: 60)))
    }
    router.delete("/api/v1/readings/:id") { request, context in
      try await backend.delete(reading: try id(request, context))
      return Responses.nothing
    }
    router.post("/api/v1/readings/running") { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow()
      return try Responses.json(try await backend.begin(try await reader.body(API.NewReading.self)))
    }
    router.get("/api/v1/readings/running/:id") { request, context in
      try Responses.json(try await backend.running(try id(request, context)))
    }
    router.delete("/api/v1/readings/running/:id") { request, context in
      try await backend.cancel(try id(request, context))
      return Responses.nothing
    }
  }

  private func id(_ request: Request, _ context: DashboardContext) throws -> String {
    try RequestReader(request: request, context: context).allow()
    let id = context.parameters.get("id") ?? ""
    guard RequestText.isIdentifier(id) else { throw DashboardError.notFound("there is no reading \(id.prefix(40)).") }
    return id
  }
}
