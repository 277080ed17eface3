/// One value, rendered in the families and forms of glances. The same content is rendered to the same bytes on every machine.
package struct Glance: Hashable, Sendable {
  /// What is shown.
  package let content: GlanceContent
  /// The last 24 hours of the content.
  package let summary: GlanceSummary

  /// Creates a glance, and computes its summary.
  package init(_ content: GlanceContent) {
    self.content = content
    summary = GlanceSummary(content)
  }

  /// Returns the glance in a family and form, as UTF-8 text of the media type of the form. `look` applies to pictures only.
  /// Throws if JSON cannot be encoded, which no content leads to.
  package func text(_ family: GlanceFamily, _ form: GlanceForm, look: GlanceLook = .auto) throws -> String {
    switch form {
    case .svg: svg(family, look: look)
    case .json: try GlanceDocument(content, summary, family: family).json()
    case .txt: GlanceText(content: content, summary: summary).text(family)
    }
  }

  /// Returns the picture of a family: SVG 1.1 without scripts and external resources.
  package func svg(_ family: GlanceFamily, look: GlanceLook) -> String {
    GlancePicture(content: content, summary: summary, family: family, look: look).text
  }
}
