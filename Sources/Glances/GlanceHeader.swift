/// The first line of `medium` and `large`: the name on the left, the state on the right.
struct GlanceHeader {
  let wording: GlanceWording
  /// The width of the picture.
  let width: Double

  func draw(on canvas: inout GlanceCanvas) {
    let (left, right) = (17.0, width - 17)
    let isCurrent = wording.content.state == .current
    let used = canvas.text(
      right, 27, wording.statusLine, size: 11, style: isCurrent ? "muted" : "notice", isStrong: !isCurrent, anchor: .end
    )
    if let name = wording.content.name {
      canvas.name(left, 27, name, size: 13, width: right - left - used - 10)
    } else {
      canvas.text(left, 27, "Stress", size: 13, style: "muted", isStrong: true)
    }
  }
}
