/// The kernel's Bluetooth Management interface, which bluetoothd itself uses: adapters, and why links end.
///
/// Reading the list of adapters needs no right. Hearing of connections and their ends needs CAP_NET_ADMIN; without it
/// the kernel leaves those events out without a word, see `hearsDisconnections`.
package final class ManagementSocket: Sendable {
  private let reactor: ManagementReactor

  /// Opens at once or fails at once.
  package static func open() throws(KernelAccessError) -> ManagementSocket {
    try ManagementSocket(HCISocket(.control))
  }

  /// Speaks over a socket that is open already.
  init(_ socket: consuming HCISocket) throws(KernelAccessError) {
    reactor = try .start(socket)
  }

  deinit {
    reactor.close()
  }

  /// Ends every request with `.closed` and every stream. May be called again.
  package func close() {
    reactor.close()
  }

  /// What the kernel reports from now on. The stream ends with the socket; a reader that falls 1 024 events behind
  /// loses the oldest.
  package func events() -> AsyncStream<ManagementEvent> {
    reactor.events()
  }

  /// Sends `command` and waits for the answer, which has status success: another is the error `.refused`.
  @discardableResult
  package func perform(
    _ command: ManagementCommand, timeout: Duration = .seconds(5),
  ) async throws(ManagementError) -> ManagementReply {
    let nanoseconds = timeout / .nanoseconds(1)
    let wait = nanoseconds.isFinite ? Int64(min(max(nanoseconds, 0), 1e18)) : 0
    return try await reactor.perform(command, deadline: ManagementReactor.now() &+ wait).get()
  }

  // MARK: - Questions

  /// The adapters, in the order of their indices. One that vanishes in between is left out.
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

  /// One adapter, hci`index`.
  package func adapter(_ index: UInt16) async throws(ManagementError) -> KernelAdapter {
    let reply = try await perform(.readAdapterInformation(adapter: index))
    do throws(ManagementPacketError) {
      return try KernelAdapter(index: index, information: reply.parameters)
    } catch {
      throw .unexpected(error)
    }
  }

  /// Whether `events` holds connections and their ends: whether this process has CAP_NET_ADMIN.
  package func hearsDisconnections() async throws(ManagementError) -> Bool {
    let reply = try await perform(.readSupportedCommands)
    do throws(ManagementPacketError) {
      return try reply.supportedEvents().contains(ManagementEvent.disconnectedCode)
    } catch {
      throw .unexpected(error)
    }
  }

  // MARK: - Changes

  /// Gives the kernel the parameters to use for the next connections to `peers`. bluetoothd loads those of its own
  /// devices when it starts; a list loaded here takes the place of what nothing waits for.
  package func loadConnectionParameters(
    adapter: UInt16, _ peers: [PeerConnectionParameters],
  ) async throws(ManagementError) {
    try await perform(.loadConnectionParameters(adapter: adapter, peers))
  }
}
