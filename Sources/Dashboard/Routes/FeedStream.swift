import HTTPServer
import HTTPTypes
import Hummingbird
import NIOCore
import TachogramCore

/// Answers requests with a stream of events that follows the event feed.
struct FeedStream {
  /// The time between two keep-alive messages, if nothing else is sent.
  private static let keepAliveInterval: Duration = .seconds(2)

  let feed: EventFeed
  let connections: Connections
  let access: AccessControl

  /// Returns a stream for a reader whose last event was `last`. `first` returns what it receives if it needs the whole state, and
  /// `each` what it receives for each message of the feed.
  func response(
    after last: String?, _ context: DashboardContext, first: @escaping @Sendable () async -> ByteBuffer,
    each: @escaping @Sendable (ByteBuffer) async -> ByteBuffer,
  ) throws -> Response {
    guard let place = connections.beginStream(context.network) else {
      throw DashboardError(.busy, "there are too many streams of events from your address; close some pages.")
    }
    var headers = HTTPFields()
    headers[.contentType] = "text/event-stream"
    headers[.cacheControl] = "no-store"
    let channel = context.channel
    let grant = context.grant
    let body = ResponseBody { [feed, access] writer in
      defer { withExtendedLifetime(place) {} }
      // The channel is closed without waiting, since a client that reads nothing would keep its connection open forever.
      let reader = feed.reader(after: last) { channel.close(promise: nil) }
      defer { feed.leave(reader) }
      if feed.beginKeepAlive() {
        Task { while (try? await Task.sleep(for: Self.keepAliveInterval)) != nil, feed.sendKeepAlive() {} }
      }
      if reader.needsAll { try await writer.write(await first()) }
      for await buffer in reader.stream {
        // The token may have been revoked.
        guard access.isValid(grant) else { break }
        try await writer.write(await each(buffer))
      }
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: headers, body: body)
  }
}
