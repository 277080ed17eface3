import TachogramCore

/// The stored persons and straps.
struct GlanceDirectory: Sendable {
  var persons: Set<String> = []
  var straps: [KnownStrap] = []
}
