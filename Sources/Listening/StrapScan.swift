import BlueZ
import CommandProcess
import DBus
import Recording
import TachogramCore

/// Looks for straps on behalf of a command.
package enum StrapScan {
  /// Returns the straps received within `duration` microseconds, the strongest first, or earlier if `isEnough` is `true`.
  package static func straps(
    _ radio: RadioChoice, duration: Duration, isEnough: ([BlueZDevice]) -> Bool = { _ in false },
  ) async throws -> [BlueZDevice] {
    let scan = BlueZScan(bus: radio.bus, adapter: radio.adapter, time: SystemTimeSource())
    var heard: [UInt64: BlueZDevice] = [:]
    do {
      try await scan.run(duration: duration) { devices in
        for device in devices { heard[device.address.value] = device }
        return isEnough(devices)
      }
    } catch {
      throw CommandFailure("the search ended early: \(BluetoothWording.detail(error)).", code: .noBluetooth)
    }
    return heard.values.sorted { ($0.signal ?? .min, $1.address.value) > ($1.signal ?? .min, $0.address.value) }
  }
}
