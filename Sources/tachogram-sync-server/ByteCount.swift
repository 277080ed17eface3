import ArgumentParser

/// A number of bytes, as `1500`, `500M` or `2G`, in powers of 1024.
struct ByteCount: ExpressibleByArgument, CustomStringConvertible {
  private static let units: [(letter: Character, bytes: Int64)] = [
    ("T", 1 << 40), ("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10),
  ]

  let bytes: Int64

  init(_ bytes: Int64) {
    self.bytes = bytes
  }

  init?(argument: String) {
    let unit = Self.units.first { argument.uppercased().hasSuffix(String($0.letter)) }
    let digits = unit == nil ? argument[...] : argument.dropLast()
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int64(digits) else {
      return nil
    }
    let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit?.bytes ?? 1)
    guard !isTooLarge else { return nil }
    self.bytes = bytes
  }

  /// The number in the largest unit of which there is one, with a decimal digit.
  var description: String {
    guard let unit = Self.units.first(where: { bytes >= $0.bytes }) else { return "\(bytes)" }
    let tenths = bytes / (unit.bytes / 10)
    return tenths % 10 == 0 || tenths >= 100
      ? "\(tenths / 10)\(unit.letter)" : "\(tenths / 10).\(tenths % 10)\(unit.letter)"
  }
}
