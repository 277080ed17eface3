/// The looks of the pictures; the raw value is the value of the query item `look`.
package enum GlanceLook: String, Hashable, Sendable, CaseIterable, Codable {
  /// For light backgrounds.
  case light
  /// For dark backgrounds.
  case dark
  /// Light, or dark if the viewer prefers it: a picture with the media query `prefers-color-scheme`. Renderers that ignore
  /// media queries show the light look.
  case auto
  /// Black on white, for e-ink panels: categories differ by patterns.
  case eInk = "e-ink"
}
