import HTTPServer
import Hummingbird
import TachogramCore

/// The routes of pairing. They need a full token, and TLS or loopback, because of the passkey.
struct PairingRoutes {
  /// The route that needs a full token even for reading, since it lists the straps in range.
  static let state: RouterPath = "/api/v1/pairing"

  let backend: any DashboardBackend
  let access: AccessControl

  func add(to router: Router<DashboardContext>) {
    router.get(Self.state) { request, context in
      try RequestReader(request: request, context: context).allow()
      try checkWay(context)
      guard let pairing = backend.pairing else { return try Responses.json(API.Pairing(.closed)) }
      return try Responses.json(await pairing.state())
    }
    router.post(Self.state) { request, context in
      try await change(request, context) { pairing, _ in try await pairing.begin() }
    }
    router.post("/api/v1/pairing/strap") { request, context in
      try await change(request, context) { pairing, reader in
        let choice = try await reader.body(API.PairingChoice.self)
        try await pairing.choose(try RequestReader.address(choice.address, .badRequest))
      }
    }
    router.post("/api/v1/pairing/answer") { request, context in
      try await change(request, context) { pairing, reader in
        try await pairing.answer(try await reader.body(API.PairingAnswer.self))
      }
    }
    router.delete(Self.state) { request, context in
      try await change(request, context) { pairing, _ in await pairing.end() }
    }
  }

  private func checkWay(_ context: DashboardContext) throws {
    guard access.isSecure || context.network.isLoopback else {
      throw HTTPError(.forbidden, message: "pairing needs TLS (https), because of the passkey.")
    }
  }

  /// Changes the pairing, and answers with its new state.
  private func change(
    _ request: Request, _ context: DashboardContext,
    _ body: (any PairingBackend, RequestReader) async throws -> Void
  ) async throws -> Response {
    let reader = RequestReader(request: request, context: context)
    try reader.allow()
    try checkWay(context)
    guard let pairing = backend.pairing else {
      throw DashboardError(.conflict, "no strap can be paired, because the station plays a capture.")
    }
    try await body(pairing, reader)
    return try Responses.json(await pairing.state())
  }
}
