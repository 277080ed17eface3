import Hummingbird
import TachogramCore

/// The routes that change stored sessions.
struct SessionEditRoutes {
  let backend: any SessionEditBackend

  func add(to router: Router<DashboardContext>) {
    router.patch("/api/v1/sessions/:id") { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow()
      let session = try reader.session()
      let change = try await reader.body(API.SessionChange.self)
      return try Responses.json(try await backend.change(session: session, change.edit))
    }
    router.post("/api/v1/sessions/:id/split") { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow()
      let session = try reader.session()
      let time = try await reader.body(API.Split.self).time
      return try Responses.json(
        API.Sessions(sessions: try await backend.split(session: session, at: time), next: nil))
    }
    router.post("/api/v1/sessions/:id/merge") { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow()
      let session = try reader.session()
      let other = try await reader.body(API.Merge.self).session
      return try Responses.json(try await backend.merge(session: session, with: other))
    }
    addMarkers(to: router)
  }

  private func addMarkers(to router: Router<DashboardContext>) {
    router.get("/api/v1/sessions/:id/markers") { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow()
      return try Responses.json(API.Markers(markers: try await backend.markers(of: try reader.session())))
    }
    router.post("/api/v1/sessions/:id/markers") { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow()
      let session = try reader.session()
      let marker = try await reader.body(API.NewMarker.self)
      return try Responses.json(try await backend.mark(session: session, marker.text, at: marker.time))
    }
    router.delete("/api/v1/sessions/:id/markers/:marker") { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow()
      let marker = context.parameters.get("marker") ?? ""
      guard RequestText.isIdentifier(marker) else {
        throw DashboardError.notFound("there is no marker \(marker.prefix(40)).")
      }
      try await backend.unmark(session: try reader.session(), marker: marker)
      return Responses.nothing
    }
  }
}
