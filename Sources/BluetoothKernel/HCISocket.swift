import CBluetooth
import Glibc

/// A socket on a channel of the kernel's Bluetooth subsystem, closed on deinitialisation.
struct HCISocket: ~Copyable, Sendable {
  /// The channel that the socket is bound to (`net/bluetooth/hci_sock.c`).
  enum Channel {
    /// The Bluetooth Management interface.
    case control
    /// A copy of everything between the host and all its adapters.
    case monitor
  }

  let descriptor: Int32

  /// Takes ownership of an open socket.
  init(owning descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Opens a socket and binds it to a channel. Does not block.
  init(_ channel: Channel) throws(KernelAccessError) {
    let what =
      switch channel {
      case .control: "use the Bluetooth management interface"
      case .monitor: "listen to the Bluetooth monitor channel"
      }
    let capability =
      switch channel {
      case .control: "CAP_NET_ADMIN"
      case .monitor: "CAP_NET_RAW"
      }
    let opened = cbluetooth_open()
    guard opened >= 0 else { throw .of(errno, call: "socket", what: what, capability: capability) }
    let number =
      switch channel {
      case .control: CBLUETOOTH_CHANNEL_CONTROL
      case .monitor: CBLUETOOTH_CHANNEL_MONITOR
      }
    guard cbluetooth_bind(opened, UInt16(number)) == 0 else {
      let code = errno
      close(opened)
      throw .of(code, call: "bind", what: what, capability: capability)
    }
    descriptor = opened
  }

  deinit {
    close(descriptor)
  }
}
