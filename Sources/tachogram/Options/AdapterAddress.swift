import ArgumentParser
import TachogramCore

/// The address of an adapter on the command line.
struct AdapterAddress: ExpressibleByArgument {
  let address: BluetoothAddress

  init?(argument: String) {
    guard let address = BluetoothAddress(text: argument) else { return nil }
    self.address = address
  }
}
