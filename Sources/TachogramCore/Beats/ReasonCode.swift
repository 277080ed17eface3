extension BeatGap.Reason {
  /// The HCI error code by which the end of a link stands for such a gap in a ledger that was made of a file of intervals:
  /// 0x08 for a link that was down, 0x00 (nothing is known) for beats that were lost, 0x1F (unspecified) for an overlap.
  package var code: UInt8 {
    switch self {
    case .linkDown: 0x08
    case .lost: 0x00
    case .overlap: 0x1F
    }
  }

  /// The reason of a code; a link that was down for any other.
  package init(code: UInt8) {
    self = Self.allCases.first { $0.code == code } ?? .linkDown
  }
}
