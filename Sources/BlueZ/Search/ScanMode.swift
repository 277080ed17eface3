/// The way in which an adapter searches for straps.
package enum ScanMode: Hashable, Sendable {
  /// The adapter only listens. It does not transmit, and existing links are not disturbed.
  case passive
  /// The adapter requests more data from every device in range, as in discovery.
  case active
}
