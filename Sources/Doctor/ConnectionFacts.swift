import BluetoothKernel

/// The initial parameters of connections, as far as they are known.
package struct ConnectionFacts: Hashable, Sendable {
  /// The values of `[LE]` in `/etc/bluetooth/main.conf`.
  package var configured = ConnectionDefaults()
  /// The number, from 1, of a malformed line in that file, for which bluetoothd ignores the whole file.
  package var malformedLine: Int?
  /// The values that the kernel uses at present; only root can read them.
  package var inUse: ConnectionDefaults?

  package init(
    configured: ConnectionDefaults = ConnectionDefaults(), malformedLine: Int? = nil, inUse: ConnectionDefaults? = nil
  ) {
    self.configured = configured
    self.malformedLine = malformedLine
    self.inUse = inUse
  }

  /// Collects the facts about the first of `adapters` that the kernel has.
  package init(_ kernel: KernelFacts, adapters: [String]) {
    malformedLine = kernel.configuration?.malformedLine
    configured = kernel.configuration.map { ConnectionDefaults($0) } ?? ConnectionDefaults()
    inUse = adapters.lazy.compactMap { kernel.adapterDefaults[$0] }.first
  }
}
