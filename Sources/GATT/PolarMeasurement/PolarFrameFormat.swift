/// The format of the samples in a frame: a number whose meaning depends on the measurement, and whether they are compressed.
package struct PolarFrameFormat: RawRepresentable, Hashable, Sendable {
  private static let compression: UInt8 = 0x80

  /// The byte of the frame: the number in bits 0–6, compression in bit 7.
  package let rawValue: UInt8

  /// Creates a format from the byte of a frame.
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Returns the format of a number below 128 with whole samples.
  package static func raw(_ number: UInt8) -> Self {
    Self(rawValue: number & ~compression)
  }

  /// Returns the format of a number below 128 with a reference sample and differences.
  package static func compressed(_ number: UInt8) -> Self {
    Self(rawValue: number | compression)
  }

  package var isCompressed: Bool { rawValue & Self.compression != 0 }
}
