import BluetoothKernel

/// The parameters with which connections begin, as far as they can be known.
package struct ConnectionFacts: Hashable, Sendable {
  /// What `[LE]` in `/etc/bluetooth/main.conf` sets.
  package var configured = ConnectionDefaults()
  /// A line of that file that cannot be read, from 1; bluetoothd then ignores the whole file.
  package var malformedLine: Int?
  /// What the kernel uses at the moment; only root can read it.
  package var inUse: ConnectionDefaults?

  package init(
    configured: ConnectionDefaults = ConnectionDefaults(), malformedLine: Int? = nil, inUse: ConnectionDefaults? = nil
  ) {
    self.configured = configured
    self.malformedLine = malformedLine
    self.inUse = inUse
  }

  /// The facts for the first of `adapters` that the kernel knows.
  package init(_ kernel: KernelFacts, adapters: [String]) {
    malformedLine = kernel.configuration?.malformedLine
    configured = kernel.configuration.map { ConnectionDefaults($0) } ?? ConnectionDefaults()
    inUse = adapters.lazy.compactMap { kernel.adapterDefaults[$0] }.first
  }
}
