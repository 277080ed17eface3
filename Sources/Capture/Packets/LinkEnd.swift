/// One of the two ends of a link: in HCI captures the host of the capture and the peer, on the air central and peripheral.
enum LinkEnd {
  /// The capturing host, or the central.
  case near
  /// The peer, or the peripheral.
  case far
}
