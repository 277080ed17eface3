import Hummingbird
import Logging
import NIOCore

/// What is known of a request beside itself.
package struct DashboardContext: RequestContext {
  package var coreContext: CoreRequestContextStorage
  let channel: any Channel

  package init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }

  package var maxUploadSize: Int { RequestParser.largestBody }

  /// Where the request comes from; for counting, not for trust.
  var network: ClientNetwork { ClientNetwork(channel.remoteAddress) }

  /// The same, as the counts of wrong tokens have it.
  var place: String { network.description }
}
