import HTTPTypes
import Hummingbird

/// Answers HEAD like GET without the body (RFC 9110, 9.3.2). The length is sent if it is known before the body is written, and
/// omitted otherwise, as with streams.
struct HeadResponder<Inner: HTTPResponder>: HTTPResponder {
  private let inner: Inner

  init(_ inner: Inner) {
    self.inner = inner
  }

  func respond(to request: Request, context: Inner.Context) async throws -> Response {
    guard request.method == .head else { return try await inner.respond(to: request, context: context) }
    var head = request.head
    head.method = .get
    let answer = try await inner.respond(to: Request(head: head, body: request.body), context: context)
    return Response(
      status: answer.status, headers: answer.headers, body: ResponseBody { writer in try await writer.finish(nil) })
  }
}
