extension String {
  /// The text, filled up with blanks.
  func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

  /// The text behind as many blanks as fill it up.
  func leftPadding(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}

extension Double {
  /// Rounded to some decimals.
  func rounded(toPlaces places: Int) -> Double {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    return (self * scale).rounded() / scale
  }
}
