/// The reason why a heart-rate notification in a capture is not used.
package enum LeftOutReason: String, Hashable, Sendable, CaseIterable {
  /// Its handle carried heart rate earlier, but the capture does not show what the handle carries at that time.
  case handleChangedMeaning
  /// Its handle is identified as heart rate only by a later discovery, and the capture shows that it was a different one
  /// before.
  case beforeDiscovery
  /// Its handle is not identified, although its values could be heart rate and its device is a strap.
  case unidentifiedHandle
  /// Its record has no time, or so many notifications share one time that it cannot be their time of arrival.
  case withoutTime
  /// It belongs to a strap that was not selected.
  case otherStrap
  /// Its intervals sum to more time than has passed, as happens when a stream is captured twice.
  case overlap
}

extension LeftOutReason {
  /// The reason in words, to be shown after a number of notifications.
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
