import TachogramCore

/// Connection parameters for the next connection to one LE peer.
package struct PeerConnectionParameters: Hashable, Sendable {
  package let address: BluetoothAddress
  package let parameters: ConnectionParameters

  package init(address: BluetoothAddress, parameters: ConnectionParameters) {
    self.address = address
    self.parameters = parameters
  }

  /// The 15 bytes of an entry of Load Connection Parameters.
  var bytes: [UInt8] {
    ManagementPeer(address: address, isLowEnergy: true).bytes
      + [
        parameters.intervals.lowerBound, parameters.intervals.upperBound, parameters.latency,
        parameters.supervisionTimeout,
      ].flatMap(ManagementPacket.bytes)
  }
}
