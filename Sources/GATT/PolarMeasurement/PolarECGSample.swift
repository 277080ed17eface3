/// The voltage of an electrocardiogram at one time.
package struct PolarECGSample: Hashable, Sendable {
  /// What a strap adds to a sample of format 2. Polar does not say what the numbers mean.
  package struct Tags: Hashable, Sendable {
    /// 0 … 7.
    package let ecg: UInt8
    /// 0 … 7.
    package let pace: UInt8
  }

  /// The voltage in microvolts.
  package var microvolts: Int32
  /// `nil` in formats without tags.
  package var tags: Tags?

  /// Creates a sample.
  package init(microvolts: Int32, tags: Tags? = nil) {
    self.microvolts = microvolts
    self.tags = tags
  }
}
