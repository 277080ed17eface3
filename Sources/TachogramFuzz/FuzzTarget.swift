import Capture

/// A target of random input. Each case reads the input as the program would, and checks the invariants that hold for any input.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// Values of characteristics.
  case characteristics
  /// Values of Polar's measurement service: features, requests, indications and frames.
  case polarMeasurement = "polar-measurement"
  /// Captures of each format, up to the contents of a report.
  case btsnoop
  case pcap
  case pcapng
  case packetLogger = "packet-logger"
  /// Fragments, L2CAP and attribute PDUs of a link, in sound captures of three formats.
  case attributes
  /// Options of interfaces and packets, in a sound pcapng file.
  case pcapngOptions = "pcapng-options"
  /// RR intervals in text, up to the contents of a report.
  case rrText = "rr-text"
  /// RR intervals in FIT files, up to the contents of a report.
  case fit
  /// D-Bus messages, up to the tree of the daemon's objects.
  case dbusMessage = "dbus-message"
  /// D-Bus signatures.
  case dbusSignature = "dbus-signature"
  /// Packets of the kernel's management interface, and frames of its monitor channel.
  case kernel
  /// Configuration files of the station.
  case configuration
  /// Requests to the page's server, with their parameters, tokens and bodies.
  case request
  /// Bytes of a connection to the page's server, up to the parsed requests.
  case http
  /// What stations read from a store that may lie, and what a sync server reads from clients.
  case sync

  /// The maximum length of an input, in bytes: long enough for repeated structures, and short enough to try many inputs.
  package var longestInput: Int {
    switch self {
    case .characteristics, .polarMeasurement, .dbusSignature: 600
    case .configuration, .request, .http: 2048
    case .attributes, .pcapngOptions, .kernel, .sync: 4096
    case .dbusMessage, .rrText, .fit: 8192
    case .btsnoop, .pcap, .pcapng, .packetLogger: 16_384
    }
  }

  /// Runs the target on `bytes`. Returns `false` if the input is not of the target's kind.
  /// - Throws: `FuzzFinding` if an invariant is violated, and any unexpected error.
  package func run(_ bytes: [UInt8]) async throws -> Bool {
    switch self {
    case .characteristics: try CharacteristicsFuzz.run(bytes)
    case .polarMeasurement: try PolarMeasurementFuzz.run(bytes)
    case .btsnoop: try CaptureFuzz(format: .btsnoop).run(bytes)
    case .pcap: try CaptureFuzz(format: .pcap).run(bytes)
    case .pcapng: try CaptureFuzz(format: .pcapng).run(bytes)
    case .packetLogger: try CaptureFuzz(format: .packetLogger).run(bytes)
    case .attributes: try AttributesFuzz.run(bytes)
    case .pcapngOptions: try PcapngOptionsFuzz.run(bytes)
    case .rrText: try SeriesFuzz(isFIT: false).run(bytes)
    case .fit: try SeriesFuzz(isFIT: true).run(bytes)
    case .dbusMessage: try DBusMessageFuzz.run(bytes)
    case .dbusSignature: try DBusSignatureFuzz.run(bytes)
    case .kernel: try KernelFuzz.run(bytes)
    case .configuration: try ConfigurationFuzz.run(bytes)
    case .request: try await RequestFuzz.run(bytes)
    case .http: try HTTPFuzz.run(bytes)
    case .sync: try SyncFuzz.run(bytes)
    }
  }
}
