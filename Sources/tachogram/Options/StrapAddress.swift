import ArgumentParser
import TachogramCore

/// The address of a strap on the command line.
struct StrapAddress: ExpressibleByArgument {
  let address: BluetoothAddress

  init?(argument: String) {
    guard let address = BluetoothAddress(text: argument) else { return nil }
    self.address = address
  }
}
