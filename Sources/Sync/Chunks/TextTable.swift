/// Texts that a chunk refers to by their place, counted from 1; 0 stands for none.
struct TextTable {
  private(set) var texts: [String] = []
  private var places: [String: UInt64] = [:]

  /// Returns the place of a text, which is added if it is new.
  mutating func place(of text: String?) -> UInt64 {
    guard let text else { return 0 }
    if let place = places[text] { return place }
    append(text)
    return UInt64(texts.count)
  }

  mutating func append(_ text: String) {
    texts.append(text)
    places[text] = UInt64(texts.count)
  }

  /// Returns the text at a place, or `nil` for 0. Throws `failure` for a place that the table does not have.
  func text(at place: UInt64, _ failure: FormatFailure) throws(FormatFailure) -> String? {
    if place == 0 { return nil }
    guard place <= UInt64(texts.count) else { throw failure }
    return texts[Int(place) - 1]
  }
}
