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

  /// No request of ours has more.
  package var maxUploadSize: Int { 16 * 1024 }

  /// Where the request comes from, without the port; for counting, not for trust.
  var place: String { channel.remoteAddress?.ipAddress ?? "" }
}
