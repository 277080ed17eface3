/// The reason why there is no connection. The text names neither host nor user.
package enum MQTTDisconnectReason: Hashable, Sendable, CustomStringConvertible {
  case hostNotFound
  case connectionRefused
  /// No route, or another error of the network, in the system's words.
  case unreachable(String)
  /// The broker did not accept the connection within `MQTTConfiguration.connectTimeout`.
  case connectTimedOut(Duration)
  case closedBeforeAccepted
  case wrongCredentials
  case notAuthorized
  case clientIDRefused
  case brokerUnavailable
  case protocolRefused
  case tls(MQTTTLSFailure)
  case closedByBroker
  /// The connected broker neither read nor acknowledged anything within `MQTTConfiguration.responseTimeout`, or did not answer a
  /// test of the connection.
  case noResponse
  case malformedData
  case messageTooLarge(limit: Int)
  case outOfMemory
  /// This client closed the connection.
  case closed
  /// Anything else, in libmosquitto's words.
  case other(String)

  package var description: String {
    switch self {
    case .hostNotFound: "the host name cannot be resolved"
    case .connectionRefused: "nothing accepts connections on this host and port"
    case .unreachable(let reason): "the broker cannot be reached: \(reason)"
    case .connectTimedOut(let limit): "the broker did not answer within \(Self.seconds(limit)) s"
    case .closedBeforeAccepted:
      "the broker closed the connection before it accepted the client; check the port and the TLS settings"
    case .wrongCredentials: "the broker refused the user name or password"
    case .notAuthorized: "the broker does not authorize this client; check user name and password"
    case .clientIDRefused: "the broker refused the client ID"
    case .brokerUnavailable: "the broker is not available"
    case .protocolRefused: "the broker does not support MQTT 3.1.1"
    case .tls(let failure): "no TLS connection: \(failure)"
    case .closedByBroker: "the broker closed the connection"
    case .noResponse: "the broker stopped answering"
    case .malformedData: "the broker sent data that is not MQTT"
    case .messageTooLarge(let limit): "the broker sent a message that is too large (the limit is \(limit) bytes)"
    case .outOfMemory: "there is not enough memory"
    case .closed: "the connection was closed"
    case .other(let reason): reason
    }
  }

  private static func seconds(_ time: Duration) -> String {
    let tenths = Int((time / .milliseconds(100)).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  /// Whether a network path to the broker was missing, so that an address of another family may work.
  var isOfNetwork: Bool {
    switch self {
    case .connectionRefused, .unreachable, .connectTimedOut: true
    default: false
    }
  }

  /// The reason of a refused CONNECT (MQTT 3.1.1, table 3.1).
  init(refusal code: Int32) {
    switch code {
    case 1: self = .protocolRefused
    case 2: self = .clientIDRefused
    case 3: self = .brokerUnavailable
    case 4: self = .wrongCredentials
    case 5: self = .notAuthorized
    default: self = .malformedData
    }
  }
}
