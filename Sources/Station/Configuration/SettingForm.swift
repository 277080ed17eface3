/// The form of a value, for the page.
package enum SettingForm: Hashable, Sendable {
  case text
  case choice([String])
  case integer(ClosedRange<Int>)
  /// A length of time, such as 90s, 30m, 8h or 30d; `forever` where allowed.
  case span(allowsForever: Bool)
  /// true or false.
  case flag
}
