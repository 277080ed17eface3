/// Why a heart-rate notification that a capture holds is not used.
package enum LeftOutReason: String, Hashable, Sendable, CaseIterable {
  /// Its handle carried heart rate before, and nothing says what the handle carries at that time.
  case handleChangedMeaning
  /// Only later discovery names its handle as heart rate, and something says that it was not so before.
  case beforeDiscovery
  /// Nothing names its handle, which could be heart rate by its values, and its device is a strap.
  case unidentifiedHandle
  /// Its record has no time, or so many notifications bear one instant that it is not that of their arrival.
  case withoutTime
  /// It is of a strap that was not asked for.
  case otherStrap
  /// It claims more time than has passed, as a stream that is captured twice does.
  case overlap
}

extension LeftOutReason {
  /// The reason behind a number, for people.
  package var words: String {
    switch self {
    case .handleChangedMeaning: "on a handle that may be another one since its services changed"
    case .beforeDiscovery: "from before the handle was discovered as heart rate"
    case .unidentifiedHandle: "on a handle that nothing names (--handle uses it)"
    case .withoutTime: "without a time of arrival"
    case .otherStrap: "of other straps"
    case .overlap: "that claim more time than had passed"
    }
  }
}
