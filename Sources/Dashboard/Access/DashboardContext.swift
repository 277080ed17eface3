import HTTPServer
import Hummingbird
import Logging
import NIOCore

/// The context of a request.
package struct DashboardContext: RequestContext {
  package var coreContext: CoreRequestContextStorage
  let channel: any Channel
  /// The token of the request, or `nil` if it needs none.
  var grant: AccessControl.Grant?

  package init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }

  package var maxUploadSize: Int { RequestLimits().largestBody }

  /// The network of the client. It is used for counting, not for authentication.
  var network: ClientNetwork { ClientNetwork(channel.remoteAddress) }

  /// The network as a key for the counts of wrong tokens.
  var place: String { network.description }
}
