import ArgumentParser

/// What a session can be exported as.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
  /// Beats and gaps, a row each.
  case csv
  /// Everything, as one object.
  case json
  /// One interval in ms a line.
  case rr
  /// A capture that Wireshark opens and `replay` replays.
  case btsnoop
}
