import FoundationEssentials
import HTTPServer
import HTTPTypes
import Hummingbird
import NIOCore
import TachogramCore

/// The routes of the overlay for video streams.
struct OverlayRoutes {
  static let page: RouterPath = "/overlay"
  static let events: RouterPath = "/overlay/events"

  let backend: any DashboardBackend
  let stream: FeedStream
  /// The page without options.
  let document: String

  func add(to router: Router<DashboardContext>) {
    router.get(Self.page) { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow(OverlayOptions.parameters)
      return Responses.text(try OverlayOptions(reader).page(document), type: "text/html; charset=utf-8")
    }
    router.get(Self.events) { request, context in
      let reader = RequestReader(request: request, context: context)
      try reader.allow(["fields", "strap", "person"])
      let (fields, choice) = (try OverlayOptions.fields(reader), try reader.readingChoice())
      // The feed says when something has changed. Its events contain more than an overlay shows.
      let state: @Sendable () async -> ByteBuffer = { [backend] in Self.event(await backend.live(), choice, fields) }
      return try stream.response(after: nil, context, first: state) { _ in await state() }
    }
  }

  private static func event(_ live: API.Live, _ choice: ReadingChoice, _ fields: [Overlay.Field]) -> ByteBuffer {
    let state = API.OverlayState(choice.reading(of: live.readings), at: live.time, fields: fields)
    var buffer = ByteBuffer(string: "data: ")
    buffer.writeBytes((try? JSONEncoder().encode(state)) ?? Data("{}".utf8))
    buffer.writeString("\n\n")
    return buffer
  }
}
