extension String {
  /// Returns the text padded with trailing blanks.
  func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

  /// Returns the text padded with leading blanks.
  func leftPadding(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}

extension Double {
  /// Returns the number rounded to a number of decimals.
  func rounded(toPlaces places: Int) -> Double {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    return (self * scale).rounded() / scale
  }
}
