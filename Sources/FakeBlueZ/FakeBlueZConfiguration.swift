/// The delays of the fake daemon, and its handling of slow readers. All delays are zero by default, so that tests do not wait.
package struct FakeBlueZConfiguration: Sendable {
  /// The time from `Connect` to the link.
  package var connectDelay: Duration = .zero
  /// The time from the link to `ServicesResolved`. If zero, services are resolved before `Connect` returns, otherwise after.
  package var resolveDelay: Duration = .zero
  /// The time for which `Connect` waits for a strap out of range before it fails with `le-connection-abort-by-local`.
  package var connectTimeout: Duration = .zero
  /// The advertising interval of straps in range while time passes.
  package var advertisingInterval: Duration = .seconds(1)
  /// Whether time passes by itself, otherwise only through `pass`.
  package var passesTime = false
  /// The time after its last advertisement for which a device that was only discovered remains. If `nil`, it remains until
  /// `forgetTemporaryDevices`.
  package var temporaryLifetime: Duration?
  /// Whether the controller reports all changed data of an advertisement, as most do. Otherwise changed data is reported only
  /// with `DuplicateData` or to monitors.
  package var passesRepeatsOn = false
  /// Whether a value is dropped when the reader of an acquired socket is too slow, as bluetoothd does. Otherwise the sender
  /// waits for room and nothing is lost.
  package var dropsWhenReaderIsSlow = false
  /// Whether devices that were connected once remain after a restart of the daemon, as with bluetoothd.
  package var remembersDevices = true
  /// Whether adapters export their `PowerState`, as with daemons from 5.67 on.
  package var tellsPowerState = false
  /// The types of advertisement monitors that adapters support, such as `or_patterns`. If `nil`, they lack the interface, as
  /// with daemons run without `--experimental`.
  package var monitorTypes: [String]?
  /// Whether the kernel accepts registered monitors. Otherwise they are released at once.
  package var acceptsMonitors = true
  /// Whether monitors receive advertisements. Otherwise the controller filters them wrongly.
  package var hasHearingMonitors = true

  package init() {}

  /// The delays of a real daemon on a quiet radio, as measured with BlueZ 5.66.
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
