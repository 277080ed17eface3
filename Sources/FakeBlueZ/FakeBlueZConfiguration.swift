/// How long the fake daemon takes, and how it treats slow readers. All delays are zero by default: in tests nothing
/// waits.
package struct FakeBlueZConfiguration: Sendable {
  /// From `Connect` to the link.
  package var connectDelay: Duration = .zero
  /// From the link to `ServicesResolved`. When zero, services are resolved before `Connect` returns; else after.
  package var resolveDelay: Duration = .zero
  /// How long `Connect` goes on for a strap that cannot be heard, before `le-connection-abort-by-local`.
  package var connectTimeout: Duration = .zero
  /// How often a strap in range advertises while time passes.
  package var advertisingInterval: Duration = .seconds(1)
  /// Whether time passes by itself; else with `pass` only.
  package var passesTime = false
  /// How long a device that was only discovered outlives its last advertisement; `nil`: until `forgetTemporaryDevices`.
  package var temporaryLifetime: Duration?
  /// Whether the controller passes an advertisement on with all that has changed in it, as most do; else changed data comes
  /// with `DuplicateData` only, or to monitors.
  package var passesRepeatsOn = false
  /// Whether a value is dropped when the reader of an acquired socket is too slow, as bluetoothd does; else the sender
  /// waits for room and nothing is lost.
  package var dropsWhenReaderIsSlow = false
  /// Whether devices that were connected once are still there after a restart of the daemon, as bluetoothd has it.
  package var remembersDevices = true
  /// Whether adapters report their `PowerState`, as daemons from 5.67 on do.
  package var tellsPowerState = false
  /// The types of advertisement monitors that adapters support, such as `or_patterns`; `nil` without the interface, as
  /// daemons have it that do not run with `--experimental`.
  package var monitorTypes: [String]?
  /// Whether the kernel takes the monitors that are registered; else they are released at once.
  package var acceptsMonitors = true
  /// Whether advertisements come through to monitors; else the controller filters them wrongly.
  package var hasHearingMonitors = true

  package init() {}

  /// The times of a real daemon on a quiet radio, as measured with BlueZ 5.66.
  package static var lifelike: FakeBlueZConfiguration {
    var configuration = FakeBlueZConfiguration()
    configuration.connectDelay = .milliseconds(200)
    configuration.resolveDelay = .milliseconds(100)
    configuration.connectTimeout = .seconds(20)
    configuration.passesTime = true
    configuration.temporaryLifetime = .seconds(30)
    configuration.passesRepeatsOn = true
    configuration.dropsWhenReaderIsSlow = true
    return configuration
  }
}
