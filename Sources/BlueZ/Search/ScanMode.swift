/// How an adapter looks for straps.
package enum ScanMode: Hashable, Sendable {
  /// It listens only: it sends nothing, and links that are there are not disturbed.
  case passive
  /// It asks every device that it hears for more, as discovery does.
  case active
}
