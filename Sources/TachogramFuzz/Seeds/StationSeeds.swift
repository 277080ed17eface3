import DashboardTestKit

/// Seeds of the station: configuration files, requests to its page, and bytes of connections.
enum StationSeeds {
  static let configurations = FuzzSeeds.numbered(
    [
      "http:\n  port: 1111\n  names: [pi.local, heart]\nsession:\n  endAfter: 5m\n  commitInterval: 2s\nstorage:\n  commit: 300s\n",
      "# all\ndatabase: \"/tmp/x y.sqlite\"\ntimeZone: Europe/Berlin\nlogLevel: debug\nradio:\n  straps:\n    - H10\n"
        + "    - C8:DE:AD:BE:EF:01\n  adapter: 00:11:22:33:44:55\n  passkey: 000123\n",
      "retention: {sessions: 365d, windows: forever}\nalerts:\n  hook: |\n    /bin/true\n  stressMinutes: 0x10\n",
      "base: &base\n  port: 1\nhttp:\n  <<: *base\n  host: ::1\n  port: [1, 2]\n",
      "snapshots:\n  every: 1h\n  keep: ~\ndisk:\n  lowMegabytes: 1_000\n? key\n: value\nradio: {straps: [[a], {b: c}]}\n",
    ].map { Array($0.utf8) })

  static let requests = FuzzSeeds.numbered(
    [
      "GET /api/v1/sessions?person=Anna%20B&limit=7&from=2026-03-29T01:02:03.5%2B02:00&cursor=12",
      "GET /api/v1/sessions/\(FakeBackend.session)/beats?points=10",
      "GET /api/v1/sessions/\(FakeBackend.session)/windows?length=60",
      "GET /api/v1/sessions/\(FakeBackend.session)/export?format=csv",
      "GET /api/v1/trends?period=year&end=2026-02-28&person=%C3%84nne",
      "GET /api/v1/baseline?person=Anna",
      "GET /api/v1/events\nLast-Event-ID: 0-17\nSec-Fetch-Site: same-origin",
      "GET /api/v1/status\nAuthorization: Bearer \(RequestFuzz.token)\nOrigin: http://pi.local:8620",
      "GET /api/v1/live\nCookie: other=1; tachogram=\(RequestFuzz.token); last=2",
      "GET /metrics\nAuthorization: Basic abc=\nCookie: tachogram=",
      "PATCH /api/v1/straps/C8:DE:AD:BE:EF:01\n\n{\"name\":\"H10\",\"person\":null,\"label\":\"left\"}",
      "DELETE /api/v1/straps/C8%3ADE%3aAD:BE:EF:01",
      "POST /api/v1/login\n\n{\"token\":\"\(RequestFuzz.token)\"}",
      "POST /api/v1/deletions/preview\n\n{\"person\":\"Anna\",\"from\":\"2026-03-29T01:02:03Z\",\"everything\":false}",
      "POST /api/v1/deletions\n\n{\"everything\":true}",
      "GET /\nIf-None-Match: \"abc\"\nAccept-Encoding: gzip, br;q=0.5",
    ].map { Array($0.utf8) })

  static let connections = FuzzSeeds.numbered(
    [
      "GET /a?b=%20 HTTP/1.1\r\nHost: [::1]:8620\r\nAccept: */*\r\n\r\nHEAD / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
      "\r\nPOST /api/v1/login HTTP/1.1\r\nHost: pi.local\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\nabcde",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;a=\"b\"\r\nabcde\r\n0a ; c\r\n0123456789\r\n"
        + "0\r\nT: u\r\n\r\nGET http://b:1/ HTTP/1.1\r\nHost: b\r\nConnection: close, x\r\n\r\n",
      "OPTIONS * HTTP/1.9\r\nHost: a\r\n\r\nDELETE https://a?b HTTP/1.1\r\nHost: a\r\nA:\tb \r\n\r\n",
    ].map { Array($0.utf8) })
}
