import NIOCore
import NIOEmbedded
import Testing

@testable import TLS

/// A server with TLS and a client of it, with a network in between that can be looked at.
final class TLSPair {
  let channel: EmbeddedChannel
  let client: TLSClient
  let reads = ReadCounter()
  /// What the server's application received.
  private(set) var received: [UInt8] = []

  init(_ identity: TLSIdentity, trusting certificate: String, version: Int32? = nil) throws {
    channel = EmbeddedChannel(handlers: [reads, try TLSHandler(identity, handshakeTimeout: .seconds(10))])
    try channel.connect(to: SocketAddress(unixDomainSocketPath: "/test")).wait()
    client = try version.map { try TLSClient(trusting: certificate, version: $0) } ?? TLSClient(trusting: certificate)
  }

  convenience init(_ made: MadeCertificate, trusting other: MadeCertificate? = nil, version: Int32? = nil) throws {
    let identity = try TLSIdentity(certificate: made.certificate, key: made.key)
    try self.init(identity, trusting: (other ?? made).certificate, version: version)
  }

  deinit {
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }

  /// Carries bytes until nothing moves any more; `piece` is how many arrive at once, `damage` may change them.
  func carry(piece: Int = .max, damage: (inout [UInt8]) -> Void = { _ in }) throws {
    while true {
      var toServer = client.output()
      damage(&toServer)
      let toClient = try output()
      if toServer.isEmpty, toClient.isEmpty { return }
      for piece in Self.pieces(toServer, piece) where channel.isActive {
        try channel.writeInbound(ByteBuffer(bytes: piece))
        while let read = try channel.readInbound(as: ByteBuffer.self) { received += read.readableBytesView }
      }
      for piece in Self.pieces(toClient, piece) { client.receive(Array(piece)) }
    }
  }

  /// What the server sent to the network.
  func output() throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let buffer = try channel.readOutbound(as: ByteBuffer.self) { bytes += buffer.readableBytesView }
    return bytes
  }

  private static func pieces(_ bytes: [UInt8], _ size: Int) -> [ArraySlice<UInt8>] {
    let size = max(1, min(size, bytes.count))
    return stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
  }
}
