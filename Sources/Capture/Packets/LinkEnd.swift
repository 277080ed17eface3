/// One of the two ends of a link: the capturing host or the peer in HCI captures, the central or the peripheral on the air.
enum LinkEnd {
  /// The capturing host, or the central.
  case near
  /// The peer, or the peripheral.
  case far
}
