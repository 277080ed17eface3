import BlueZ
import GATT
import Presentation
import TachogramCore

/// A strap found by a scan, for output.
package struct ScannedStrap: Encodable {
  package let name: String?
  package let address: String
  package let addressType: String
  package let signalDBm: Int16?
  package let known: Bool
  /// The name given by the person.
  package let knownAs: String?
  package let paired: Bool
  package let connected: Bool
  /// The heart rate that it broadcasts without a connection, in bpm.
  let broadcastHeartRate: UInt8?

  package init(_ device: BlueZDevice, known strap: KnownStrap?) {
    name = device.name.map(TerminalText.withoutControls)
    address = device.address.description
    addressType = device.address.kind == .random ? "random" : "public"
    signalDBm = device.signal
    known = strap != nil
    knownAs = strap?.name
    paired = device.isPaired
    connected = device.isConnected
    broadcastHeartRate = device.broadcast?.heartRate
  }

  private var shownName: String {
    let safe = TerminalText.safe(name ?? "")
    return safe.isEmpty ? "(no name)" : safe
  }

  /// A line for people.
  package var line: String {
    var parts = [address, signalDBm.map { "\($0) dBm" } ?? (connected ? "connected" : ""), shownName]
    parts.append(known ? "known as \(TerminalText.safe(knownAs ?? ""))" : "new")
    if let broadcastHeartRate { parts.append("broadcasts \(broadcastHeartRate) bpm") }
    return parts.filter { !$0.isEmpty }.joined(separator: "  ") + "\n"
  }
}
