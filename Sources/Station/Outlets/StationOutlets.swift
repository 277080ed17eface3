import Logging
import MQTT
import Outlets
import TachogramCore

/// The outlets of a station. A new one is a folder in `Sources/Outlets`, its settings, and a line in `all`.
struct StationOutlets {
  let configuration: StationConfiguration
  let secrets: OutletSecrets
  let version: String
  /// The name of the host.
  let host: String
  let logger: Logger
  /// Returns the addresses of the paired straps, or `nil` if they cannot be read.
  let pairedStraps: @Sendable () async -> [String]?

  /// Returns the outlets that are configured. One that cannot be made is logged and left out.
  func all() -> [any OutletProtocol] {
    [made("mqtt", mqtt), made("influx", influx)].compactMap(\.self)
  }

  private func made(_ name: String, _ make: () throws -> (any OutletProtocol)?) -> (any OutletProtocol)? {
    do {
      return try make()
    } catch {
      logger.error("an outlet does not work", metadata: ["outlet": "\(name)", "problem": "\(error)"])
      return nil
    }
  }

  private func mqtt() throws -> (any OutletProtocol)? {
    let settings = configuration.mqtt
    guard let address = settings.host else { return nil }
    let station = settings.station ?? host
    let key = try secrets.key()
    var broker = MQTTConfiguration(host: address, port: settings.port, clientID: "tachogram-\(station.prefix(48))")
    broker.user = settings.user
    if settings.user != nil {
      broker.password = try secrets.secret(file: settings.passwordFile, credential: "mqtt-password")
    }
    if settings.usesTLS { broker.tls = MQTTTLS(authorities: settings.authorities) }
    var options = MQTTOutletOptions(
      broker: broker, station: station, stationName: station, version: version, key: key)
    options.interval = settings.interval.duration
    options.sendsBeats = settings.sendsBeats
    options.acceptsCommands = settings.acceptsCommands
    options.discoveryPrefix = settings.homeAssistant
    options.expected = { [pairedStraps, wanted = configuration.radio.straps] in
      await pairedStraps().map { $0 + wanted.compactMap { BluetoothAddress(text: $0)?.description } }
    }
    return MQTTOutlet(options)
  }

  private func influx() throws -> (any OutletProtocol)? {
    let settings = configuration.influx
    if let url = settings.url {
      let token = try secrets.secret(file: settings.tokenFile, credential: "influx-token")
      return InfluxOutlet(InfluxOutletOptions(target: .server(url: url, token: token), key: try secrets.key()))
    }
    guard let file = settings.file else { return nil }
    return InfluxOutlet(InfluxOutletOptions(target: .file(path: file), key: try secrets.key()))
  }
}
