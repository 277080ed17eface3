/// The kernel's Bluetooth Management interface, which bluetoothd itself uses: adapters, and the reasons why links end.
///
/// Reading the list of adapters needs no permission. Receiving events of connections and their ends needs CAP_NET_ADMIN.
/// Without it the kernel silently omits those events; see `hearsDisconnections`.
package final class ManagementSocket: Sendable {
  private let reactor: ManagementReactor

  /// Opens a socket. Does not block.
  package static func open() throws(KernelAccessError) -> ManagementSocket {
    try ManagementSocket(HCISocket(.control))
  }

  /// Uses an open socket.
  init(_ socket: consuming HCISocket) throws(KernelAccessError) {
    reactor = try .start(socket)
  }

  deinit {
    reactor.close()
  }

  /// Ends every request with `.closed`, and every stream. May be called repeatedly.
  package func close() {
    reactor.close()
  }

  /// Returns a stream of the events that the kernel reports from now on. It ends with the socket. A reader that falls more than
  /// 1024 events behind loses the oldest.
  package func events() -> AsyncStream<ManagementEvent> {
    reactor.events()
  }

  /// Sends `command` and returns the answer. Throws `.refused` if its status is not success.
  @discardableResult
  package func perform(
    _ command: ManagementCommand, timeout: Duration = .seconds(5),
  ) async throws(ManagementError) -> ManagementReply {
    let nanoseconds = timeout / .nanoseconds(1)
    let wait = nanoseconds.isFinite ? Int64(min(max(nanoseconds, 0), 1e18)) : 0
    return try await reactor.perform(command, deadline: ManagementReactor.now() &+ wait).get()
  }

  // MARK: - Questions

  /// Returns the adapters, in the order of their indices. An adapter that is removed during the call is omitted.
  package func adapters() async throws(ManagementError) -> [KernelAdapter] {
    let reply = try await perform(.readAdapterList)
    let indices: [UInt16]
    do throws(ManagementPacketError) {
      indices = try reply.adapterIndices()
    } catch {
      throw .unexpected(error)
    }
    var adapters: [KernelAdapter] = []
    for index in indices.sorted() {
      do throws(ManagementError) {
        adapters.append(try await adapter(index))
      } catch {
        if case .refused(_, .invalidIndex) = error { continue }
        throw error
      }
    }
    return adapters
  }

  /// Returns the adapter hci`index`.
  package func adapter(_ index: UInt16) async throws(ManagementError) -> KernelAdapter {
    let reply = try await perform(.readAdapterInformation(adapter: index))
    do throws(ManagementPacketError) {
      return try KernelAdapter(index: index, information: reply.parameters)
    } catch {
      throw .unexpected(error)
    }
  }

  /// Returns whether `events` includes connections and their ends, which needs CAP_NET_ADMIN.
  package func hearsDisconnections() async throws(ManagementError) -> Bool {
    let reply = try await perform(.readSupportedCommands)
    do throws(ManagementPacketError) {
      return try reply.supportedEvents().contains(ManagementEvent.disconnectedCode)
    } catch {
      throw .unexpected(error)
    }
  }

  // MARK: - Changes

  /// Loads the parameters that the kernel uses for the next connections to `peers`. bluetoothd loads those of its own devices
  /// when it starts. A list loaded here replaces the entries that are not in use.
  package func loadConnectionParameters(
    adapter: UInt16, _ peers: [PeerConnectionParameters],
  ) async throws(ManagementError) {
    try await perform(.loadConnectionParameters(adapter: adapter, peers))
  }
}
