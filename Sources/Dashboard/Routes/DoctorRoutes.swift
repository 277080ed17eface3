import Hummingbird
import TachogramCore

/// The routes of the examination of the machine.
struct DoctorRoutes {
  /// The route that needs a full token even for reading, since it describes the machine.
  static let findings: RouterPath = "/api/v1/doctor"

  let backend: any DashboardBackend

  func add(to router: Router<DashboardContext>) {
    router.get(Self.findings) { request, context in
      try RequestReader(request: request, context: context).allow()
      return try Responses.json(await backend.doctor?.findings() ?? .unexamined)
    }
    router.post("/api/v1/doctor/fix") { request, context in
      try RequestReader(request: request, context: context).allow()
      return try Responses.json(API.DoctorFix(steps: await backend.doctor?.fix() ?? []))
    }
  }
}
