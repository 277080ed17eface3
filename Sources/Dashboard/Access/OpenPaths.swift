/// What everybody may have: the page itself, which knows nothing, and the log-in.
enum OpenPaths {
  static func needToken(_ path: String) -> Bool {
    if path == "/metrics" { return true }
    return path.hasPrefix("/api/") && path != "/api/v1/login" && path != "/api/v1/openapi.yaml"
  }
}
