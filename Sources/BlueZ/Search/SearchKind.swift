/// The target of a search of an adapter.
enum SearchKind: Hashable, Sendable {
  /// Straps to connect to. The given way is used first if the daemon offers it.
  case straps(ScanMode)
  /// Heart rates that straps broadcast, including repeated advertisements. Discovery runs with `DuplicateData`. A monitor in
  /// addition makes the kernel disable the controller's filter of duplicates. Older kernels, such as Linux 6.1.21, do this only
  /// during discovery, so the monitor alone is not sufficient.
  case broadcasts

  var patterns: [AdvertisementPattern] {
    switch self {
    case .straps: AdvertisementPattern.straps
    case .broadcasts: AdvertisementPattern.broadcasts
    }
  }
}
