import Hummingbird
import TachogramCore

/// The routes of the settings that can be changed on the page.
struct SettingsRoutes {
  private static let settings: RouterPath = "/api/v1/settings"

  let backend: any DashboardBackend

  func add(to router: Router<DashboardContext>) {
    router.get(Self.settings) { request, context in
      try RequestReader(request: request, context: context).allow()
      return try Responses.json(API.Settings(settings: try await backend.settings()))
    }
    router.patch(Self.settings) { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow()
      try await backend.change(settings: try await reader.body(API.SettingChanges.self).values)
      return try Responses.json(API.Settings(settings: try await backend.settings()))
    }
  }
}
