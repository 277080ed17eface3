import HTTPTypes
import NIOCore
import TachogramTestKit
import Testing

@testable import HTTPServer

@Suite("Requests")
struct RequestParserTests {
  /// What came of bytes: paths of requests, or the status of the refusal at the end.
  private static func outcome(_ text: String, piece: Int = .max) -> [String] {
    var (parser, outcome) = (RequestParser(isSecure: false), [String]())
    let bytes = Array(text.utf8)
    let size = max(1, min(piece, bytes.count))
    for start in stride(from: 0, to: bytes.count, by: size) {
      parser.append(ByteBuffer(bytes: bytes[start..<min(start + size, bytes.count)]))
      do {
        while case .request(let request) = try parser.next() {
          outcome.append(
            "\(request.head.method) \(request.head.authority ?? "-")\(request.head.path ?? "-") "
              + String(buffer: request.body))
        }
      } catch {
        return outcome + ["\(error.status.code)"]
      }
    }
    return outcome
  }

  private static func get(_ target: String, _ fields: String = "Host: x\r\n") -> String {
    "GET \(target) HTTP/1.1\r\n\(fields)\r\n"
  }

  private struct Sample: Sendable {
    let text: String
    let expected: String

    init(_ text: String, _ expected: String) {
      self.text = text
      self.expected = expected
    }
  }

  private static func chunked(_ chunks: String) -> String {
    get("/", "Host: x\r\nTransfer-Encoding: , Chunked\r\n") + chunks
  }

  private static let long = String(repeating: "a", count: 8191)
  private static let body = String(repeating: "b", count: 16_384)

  private static let accepted: [Sample] = [
    Sample(get("/a?b=c%20d"), "GET x/a?b=c%20d "),
    // Unreserved characters of the path, once.
    Sample(get("/%61%7e%2D%5F%39?%61"), "GET x/a~-_9?%61 "), Sample(get("http://y/%61%7A?%61"), "GET y/az?%61 "),
    Sample(get("/%2561/%2f%2F%3f%3a%25/%00%7f%80"), "GET x/%2561/%2f%2F%3f%3a%25/%00%7f%80 "),
    Sample(get("/%/%6/%6?1/%zz/%2e%2e/..%2f%61"), "GET x/%/%6/%6?1/%zz/%2e%2e/..%2f%61 "),
    Sample(get("/%2e%2e/..%2f%61"), "GET x/../..%2fa "), Sample(get("http://y:80/a"), "GET y:80/a "),
    Sample(get("HTTPS://y"), "GET y/ "), Sample(get("http://y?a"), "GET y/?a "),
    Sample("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", "OPTIONS x* "),
    Sample("OPTIONS http://y HTTP/1.1\r\nHost: x\r\n\r\n", "OPTIONS y* "),
    Sample("\r\n\r\n" + get("/"), "GET x/ "), Sample("GET / HTTP/1.0\r\n\r\n", "GET -/ "),
    Sample("GET / HTTP/1.0\r\nHost: x\r\n\r\n", "GET x/ "), Sample("GET / HTTP/1.9\r\nHost: x\r\n\r\n", "GET x/ "),
    Sample(get("/", "hOST:[::1]:8620 \t\r\n"), "GET [::1]:8620/ "), Sample(get("/", "Host: x:\r\n"), "GET x:/ "),
    Sample(get("/", "Host: 127.0.0.1:65535\r\nX:\r\nY: \u{e9}\t\r\n"), "GET 127.0.0.1:65535/ "),
    Sample(get("/", "Host: x\r\nContent-Length: 003\r\n") + "abc", "GET x/ abc"),
    Sample(
      chunked("3;a=\"b\"\r\nabc\r\n0A ; x\r\n0123456789\r\n000\r\nT: x\r\n\r\n"), "GET x/ abc0123456789"),
    Sample(get("/", "Host: x\r\nContent-Length: 16384\r\n") + body, "GET x/ " + body),
    Sample(chunked("4000\r\n" + body + "\r\n0\r\n\r\n"), "GET x/ " + body),
    Sample(get("/" + long), "GET x/" + long + " "),
    Sample(get("/", "Host: x\r\nExpect: 100-CONTINUE\r\nUpgrade: h2c\r\nConnection: upgrade\r\n"), "GET x/ "),
  ]

  @Test(arguments: accepted.indices)
  func testRequest_IsReadHoweverItArrives(index: Int) {
    let (text, expected) = (Self.accepted[index].text, Self.accepted[index].expected)
    // Twice, to see that it ends where it should.
    for piece in [1, 2, 3, 1000, .max] where piece > 3 || text.count < 1000 {
      #expect(Self.outcome(text + text, piece: piece) == [expected, expected], "\(piece)")
    }
  }

  /// Not one request line, or not one host, or not header fields.
  private static let badHeads: [String] = [
    "GET /\r\n\r\n", "GET  / HTTP/1.1\r\nHost: x\r\n\r\n", " GET / HTTP/1.1\r\nHost: x\r\n\r\n", "\u{16}\u{3}\u{1}",
    "GET / HTTP/1.1 \r\nHost: x\r\n\r\n", "GET / http/1.1\r\nHost: x\r\n\r\n", "GET / HTTP/1.\r\n\r\n",
    "GET / HTTP/11.1\r\nHost: x\r\n\r\n", "G@T / HTTP/1.1\r\nHost: x\r\n\r\n", "GET / HTTP/1.1\nHost: x\n\n",
    "GET / HTTP/1.1\r\nHost: x\n\r\n", "GET / HTTP/1.1\r\nA: b\rc\r\nHost: x\r\n\r\n", "\r\n\r\n\r\n\r\n\r\n", "\n",
    get("x"), get("*"), get("/a#b"), get("/\u{e9}"), get("/\u{7f}"), get("ftp://x/"), get("http:///a"),
    get("http://u@x/"), get("http://x:y/"), get("//", "Host: x\r\nHost: x\r\n"), get("/", ""), get("/", "Host:\r\n"),
    get("/", "Host: x y\r\n"), get("/", "Host: a/b\r\n"), get("/", "Host: u@x\r\n"), get("/", "Host: x:65536\r\n"),
    get("/", "Host: [::1\r\n"), get("/", "Host: []\r\n"), get("/", "Host: a,b@\r\n"), get("/", "Host: x:8 0\r\n"),
    get("http://y/", ""), get("/", "Host: x\r\n folded\r\n"), get("/", " Host: x\r\n"), get("/", "Host : x\r\n"),
    get("/", "Host: x\r\n: y\r\n"), get("/", "Host: x\r\nno colon\r\n"), get("/", "Host: x\r\nA: \u{0}\r\n"),
    get("/", "Host: x\r\nA(: b\r\n"), get("/", "Host: x\r\nA: b\u{1}c\r\n"),
    "GET / HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n", "GET / HTTP/1.0\r\nHost: /\r\n\r\n",
    "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  ]

  private static let badFramings: [String] = [
    "Content-Length: 1\r\nContent-Length: 1", "Content-Length: 1\r\nContent-Length: 2", "Content-Length: 1, 1",
    "Content-Length: -1", "Content-Length: +1", "Content-Length: 0x1", "Content-Length:", "Content-Length: 1 1",
    "Content-Length: 1\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 1",
    "Transfer-Encoding: gzip", "Transfer-Encoding: chunked, gzip", "Transfer-Encoding: identity",
    "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: xchunked", "Transfer-Encoding:", "Transfer-Encoding: chunked;q=1",
  ]

  private static let badChunks: [String] = [
    "x\r\n", "\r\n", "-1\r\n", "0x1\r\na\r\n", "1 \r\na\r\n", "1 a\r\na\r\n", "1\na\r\n", "1\r\nab\r\n", "1\r\na\n\n",
    "1;\u{1}\r\n", " 1\r\na\r\n", "0\r\nA B: c\r\n\r\n", "0\r\n a\r\n\r\n",
    "1;" + String(repeating: "a", count: 1030),
  ]

  private static let fieldsTooLarge: [String] = [
    get("/", "Host: x\r\nA: " + long + "\r\n"), get("/", "Host: x\r\nA: " + long + "aa"),
    get("/", String(repeating: "A: b\r\n", count: 65)),
    get("/", String(repeating: "A: \(long.prefix(1000))\r\n", count: 17)),
    chunked("0\r\n" + String(repeating: "A: b\r\n", count: 65)),
  ]

  private static let bodyTooLarge: [String] = [
    get("/", "Host: x\r\nContent-Length: 16385\r\n"), get("/", "Host: x\r\nContent-Length: 9900000000\r\n"),
    get("/", "Host: x\r\nContent-Length: " + String(repeating: "9", count: 400) + "\r\n"), chunked("4001\r\n"),
    chunked(String(repeating: "f", count: 400) + "\r\n"),
    chunked(String(repeating: "1000\r\n\(long.prefix(4096))\r\n", count: 4) + "1\r\n"),
  ]

  private static let refused: [(Int, [String])] = [
    (400, badHeads), (400, badFramings.map { get("/", "Host: x\r\n\($0)\r\n") }), (400, badChunks.map(chunked)),
    (413, bodyTooLarge),
    (414, [get("/aa" + long), "GET /a" + long + long, "GET " + String(repeating: " ", count: 9000)]),
    (417, [get("/", "Host: x\r\nExpect: a miracle\r\n"), get("/", "Host: x\r\nExpect: 100-continue, x\r\n")]),
    (431, fieldsTooLarge),
    (
      501,
      [
        "MADEUP / HTTP/1.1\r\nHost: x\r\n\r\n", "get / HTTP/1.1\r\nHost: x\r\n\r\n", String(repeating: "A", count: 33),
        "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n", get("/", "Host: x\r\nTransfer-Encoding: gzip, chunked\r\n"),
      ]
    ),
    (
      505,
      ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET / HTTP/0.9\r\n\r\n", "GET / HTTP/3.0\r\nHost: x\r\n\r\n"]
    ),
  ]

  @Test(arguments: refused.indices)
  func testWhatIsNoRequest_IsRefusedHoweverItArrives(index: Int) {
    let (status, texts) = Self.refused[index]
    for text in texts {
      for piece in [1, 2, 1000, .max] { #expect(Self.outcome(text, piece: piece) == ["\(status)"], "\(text) \(piece)") }
      // Nor is it read for what follows a request.
      #expect(Self.outcome(Self.get("/") + text) == ["GET x/ ", "\(status)"], "\(text)")
    }
  }

  /// Changed requests come to the same however they arrive, and never to more requests than there are heads.
  @Test(arguments: 0..<300 as Range<UInt64>)
  func testChangedRequest_ComesToTheSameHoweverItArrives(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var bytes = Array(
      (Self.get("/a", "Host: x\r\nContent-Length: 5\r\n") + "abcde"
        + Self.get("/b", "Host: y\r\nTransfer-Encoding: chunked\r\n") + "5\r\nabcde\r\n0\r\n\r\n" + Self.get("/c")).utf8
    )
    let replacements = Array("\r\n :,;/0159afG\t\u{0}".utf8)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let octet = replacements[Int.random(in: 0..<replacements.count, using: &random)]
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[place] = octet
      case 1: bytes.insert(octet, at: place)
      default: bytes.remove(at: place)
      }
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let whole = Self.outcome(text)
    #expect(whole.count <= 4)
    for piece in [1, 3, 17] { #expect(Self.outcome(text, piece: piece) == whole) }
  }
}
