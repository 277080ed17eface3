extension BeatGap.Reason {
  /// The HCI error code of the link end that represents a gap in a ledger made from a file of intervals: 0x08 for a link that
  /// was down, 0x00 (unknown) for lost beats, 0x1F (unspecified) for an overlap.
  package var code: UInt8 {
    switch self {
    case .linkDown: 0x08
    case .lost: 0x00
    case .overlap: 0x1F
    }
  }

  /// Creates the reason for a code; any other code is `linkDown`.
  package init(code: UInt8) {
    self = Self.allCases.first { $0.code == code } ?? .linkDown
  }
}
