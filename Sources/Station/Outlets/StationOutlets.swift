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
  /// Returns the paired straps, or `nil` if they cannot be read, or if a strap need not be paired to be recorded.
  let pairedStraps: @Sendable () async -> [KnownStrap]?

  /// Returns the outlets that are configured. One that cannot be made is logged and left out.
  func all() -> [any OutletProtocol] {
    [made("mqtt", mqtt), made("influx", influxServer), made("influx-file", influxFile)].compactMap(\.self)
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
    options.expected = { [pairedStraps, radio = configuration.radio] in
      await pairedStraps().flatMap { Self.expected($0, radio) }
    }
    return MQTTOutlet(options)
  }

  private func influxServer() throws -> (any OutletProtocol)? {
    guard let url = configuration.influx.url else { return nil }
    let token = try secrets.secret(file: configuration.influx.tokenFile, credential: "influx-token")
    return InfluxOutlet(InfluxOutletOptions(target: .server(url: url, token: token), key: try secrets.key()))
  }

  private func influxFile() throws -> (any OutletProtocol)? {
    guard let file = configuration.influx.file else { return nil }
    return InfluxOutlet(InfluxOutletOptions(target: .file(path: file), key: try secrets.key()))
  }

  /// Returns the addresses of the straps of which something may be received, with those of averages, or `nil` if they may be any.
  static func expected(_ paired: [KnownStrap], _ radio: StationConfiguration.Radio) -> [String]? {
    func addresses(_ words: [String]) -> [String]? {
      let found = words.map { word in
        BluetoothAddress(text: word) ?? paired.first { $0.name.lowercased() == word.lowercased() }?.address
      }
      return found.contains(nil) ? nil : found.compactMap { $0?.description }
    }
    guard let straps = addresses(radio.straps), let averages = addresses(radio.broadcasts) else { return nil }
    return paired.map(\.address.description) + straps + averages.map(OutletKey.averages)
  }
}
