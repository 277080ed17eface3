import GATT
import TachogramTestKit
import Testing

/// What must hold for every error of a decoder: it points into the value.
enum PolarErrorCheck {
  /// Runs `decode` on the bytes, and requires that its error, if any, points into them.
  static func check(
    _ bytes: [UInt8], _ decode: ([UInt8]) throws(GATTDecodingError) -> Void
  ) throws {
    do throws(GATTDecodingError) {
      try decode(bytes)
    } catch {
      try #require(ErrorPlace.isInside(error, bytes), "\(bytes): \(error)")
    }
  }
}
