/// What an adapter listens for.
enum SearchKind: Hashable, Sendable {
  /// Straps to connect to, in the first way that is given where the daemon offers it.
  case straps(ScanMode)
  /// Heart rates that straps broadcast, each time anew. Only what is heard again and again is of use: so discovery runs
  /// with `DuplicateData`, and a monitor beside it makes the kernel switch the controller's own filter of repeats off
  /// (older ones, such as Linux 6.1.21, in discovery only, which is why the monitor alone is not enough).
  case broadcasts

  var patterns: [AdvertisementPattern] {
    switch self {
    case .straps: AdvertisementPattern.straps
    case .broadcasts: AdvertisementPattern.broadcasts
    }
  }
}
