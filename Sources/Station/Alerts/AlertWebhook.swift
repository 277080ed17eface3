import HTTPClient
import HTTPTypes

/// Posts alerts to a URL, as JSON objects.
struct AlertWebhook {
  let url: String
  var client = HTTPClient()
  var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  /// Posts a message, and repeats it for up to 15 minutes while the host cannot be reached or is not ready. Returns the reason
  /// of a failure, or `nil` on success.
  func post(_ json: String) async -> String? {
    let request = HTTPClient.Request(
      .post, url: url, headers: [.contentType: "application/json"], body: Array(json.utf8))
    do throws(HTTPClientError) {
      let response = try await client.send(request, retries: HTTPRetries(), sleep: sleep)
      return response.status.kind == .successful ? nil : "the host answered with status \(response.status.code)"
    } catch {
      return error.description
    }
  }
}
