import ArgumentParser
import BlueZ
import CommandProcess
import DBus
import Doctor
import Listening
import Recording
import TachogramCore

/// `reset-energy`: sets the energy count of a strap to zero.
struct ResetEnergyCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset-energy", abstract: "Reset the energy counter of a strap.")

  private static let timeout: Duration = .seconds(45)

  @Argument(help: "The strap, by name or address. Default: the paired strap.")
  var strap: String?

  @OptionGroup var radio: RadioOptions
  @OptionGroup var store: DatabaseOption

  func perform() async throws {
    try await radio.choice.requireBluetooth()
    let straps = try StrapChoice(databasePath: try store.path()).straps(strap.map { [$0] } ?? [])
    guard straps.count == 1 else { throw CommandFailure("several straps are known; name one", code: .badUsage) }
    guard straps[0].selector != .any else {
      throw CommandFailure("no strap is known; name one, or pair it first (`tachogram pair`)", code: .badUsage)
    }
    let source = BlueZRadioSource(radio.choice.source(straps), time: SystemTimeSource())
    _ = try await PrintedTrial(trial: StrapTrial(source: source)).run(readings: 1, timeout: Self.timeout) {
      do throws(DBusError) {
        try await source.resetEnergy(strap: 0)
      } catch {
        throw CommandFailure("the strap did not reset its energy: \(BluetoothWording.detail(error)).")
      }
    }
    StandardStreams.out("the energy count is zero\n")
  }
}
