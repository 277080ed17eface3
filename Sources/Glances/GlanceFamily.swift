/// The families of glances: the three widgets and the three watch complications of the StressMonitor apps.
package enum GlanceFamily: String, Hashable, Sendable, CaseIterable, Codable {
  /// The stress level in a ring, and the heart rate.
  case small
  /// `small`, with the chart and the trend of the last 6 hours.
  case medium
  /// `small`, with HRV, the charts of the last 24 hours, and averages, minima and maxima.
  case large
  /// A ring with the stress level.
  case circular
  /// A ring with the stress level, and up to four lines of text.
  case rectangular
  /// One line of text.
  case inline

  /// The width of the picture, in user units; 1 unit is 1 px at the original size.
  package var width: Double {
    switch self {
    case .small: 170
    case .medium, .large: 364
    case .circular: 120
    case .rectangular: 240
    case .inline: 320
    }
  }

  /// The height of the picture, in user units.
  package var height: Double {
    switch self {
    case .small, .medium: 170
    case .large: 382
    case .circular: 120
    case .rectangular: 100
    case .inline: 32
    }
  }

  /// The number of hours whose points the family includes; 0 if it includes none.
  package var hours: Int {
    switch self {
    case .medium: 6
    case .large: 24
    case .small, .circular, .rectangular, .inline: 0
    }
  }
}
