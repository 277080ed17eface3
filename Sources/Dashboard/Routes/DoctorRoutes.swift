import Hummingbird
import TachogramCore

/// The routes of the examination of the machine and the diagnosis of the station.
struct DoctorRoutes {
  /// The routes that need a full token even for reading, since they describe the machine.
  static let findings: RouterPath = "/api/v1/doctor"

  static let diagnosis: RouterPath = "/api/v1/diagnosis"

  let backend: any DashboardBackend

  func add(to router: Router<DashboardContext>) {
    router.get(Self.findings) { request, context in
      try RequestReader(request: request, context: context).allow()
      return try Responses.json(await backend.doctor?.findings() ?? .unexamined)
    }
    router.get(Self.diagnosis) { request, context in
      try RequestReader(request: request, context: context).allow()
      return try Responses.json(try await backend.diagnosis())
    }
    router.post("/api/v1/doctor/fix") { request, context in
      try RequestReader(request: request, context: context).allow()
      return try Responses.json(API.DoctorFix(steps: await backend.doctor?.fix() ?? []))
    }
  }
}
