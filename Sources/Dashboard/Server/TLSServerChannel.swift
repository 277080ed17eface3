import HummingbirdCore
import Logging
import NIOCore
import TLS

/// Connections with TLS below whatever they carry; each gets the identity of the moment.
struct TLSServerChannel<Base: ServerChildChannel>: ServerChildChannel {
  let base: Base
  let identity: CurrentIdentity

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
    channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandler(TLSHandler(identity.value))
    }.flatMap { [base] in base.setup(channel: channel, logger: logger) }
  }

  func handle(value: Base.Value, logger: Logger) async {
    await base.handle(value: value, logger: logger)
  }
}
