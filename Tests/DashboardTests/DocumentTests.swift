import DashboardTestKit
import Foundation
import HTTPTypes
import StressKit
import TachogramCore
import TachogramTestKit
import Testing
import Yams

@testable import Dashboard

/// The API document and the server say the same.
@Suite("API document")
struct DocumentTests {
  private static func document() async throws -> [String: Any] {
    let answer = try await TestClient().get("/api/v1/openapi.yaml")
    #expect(answer.header("Content-Type") == "application/yaml")
    return try #require(try Yams.load(yaml: answer.body) as? [String: Any])
  }

  private static func routes(_ document: [String: Any]) -> Set<String> {
    let paths = document["paths"] as? [String: [String: Any]] ?? [:]
    let methods = ["get", "post", "patch", "delete", "put"]
    return Set(
      paths.flatMap { path, item in item.keys.filter(methods.contains).map { "\($0.uppercased()) \(path)" } })
  }

  @Test func testEveryRoute_IsInTheDocumentAndTheOtherWayRound() async throws {
    let documented = Self.routes(try await Self.document())
    let served = Set(
      TestClient.routes.map { route in
        route.split(separator: "/", omittingEmptySubsequences: false)
          .map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : String($0) }.joined(separator: "/")
      })
    #expect(documented == served)
  }

  @Test func testEveryReference_HasItsTarget() async throws {
    let document = try await Self.document()
    func check(_ value: Any) {
      if let object = value as? [String: Any] {
        if let reference = object["$ref"] as? String {
          var place: Any? = document
          for part in reference.split(separator: "/").dropFirst() { place = (place as? [String: Any])?[String(part)] }
          #expect(place != nil, "\(reference)")
        }
        for inner in object.values { check(inner) }
      } else if let list = value as? [Any] {
        for inner in list { check(inner) }
      }
    }
    check(document)
  }
}

@Suite("Page files")
struct PageFilesTests {
  @Test func testPage_IsSmallAndWhole() async throws {
    #expect(PageFiles().transferSize < 150_000)
    let page = try await TestClient().get("/")
    #expect(page.status == 200)
    #expect(page.header("Content-Type") == "text/html; charset=utf-8")
    // What the page asks for is there.
    #expect(page.body.contains("/scripts/main.js"))
    for match in page.body.matches(of: #/(?:src|href)="(/[^"#]+)"/#) {
      #expect(try await TestClient().get(String(match.1)).status == 200, "\(match.1)")
    }
  }

  @Test func testEveryFileOfTheFolder_IsServedAsItIs() async throws {
    let folder = try FixtureLocator.folder().deletingLastPathComponent().appendingPathComponent(
      "Sources/CDashboardFiles/page")
    let files = try #require(
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey]))
    var count = 0
    for case let file as URL in files where try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
    {
      let path = String(file.path.dropFirst(folder.path.count))
      let answer = try await TestClient().get(path)
      #expect(answer.status == 200, "\(path)")
      #expect(answer.body == String(decoding: try Data(contentsOf: file), as: UTF8.self), "\(path)")
      count += 1
    }
    #expect(count > 20)
  }

  /// The page shows a category as `StressCategory` says: word, limit, colours, icon and pattern.
  @Test(arguments: StressCategory.allCases)
  func testStressCategory_IsShownAsItSays(category: StressCategory) async throws {
    let name = category.rawValue
    let script = try await TestClient().get("/scripts/stress.js").body
    #expect(script.contains("  \(name): { word: \"\(category.displayName)\", from: \(Int(category.from)) },"))
    let (light, dark) = (category.colour.light, category.colour.dark)
    let style = try await TestClient().get("/styles/base.css").body
    #expect(style.contains("--\(name): \(light == dark ? light : "light-dark(\(light), \(dark))");"))
    #expect(style.contains(".pattern.\(name) rect { fill: var(--\(name)); }"))
    let page = try await TestClient().get("/").body
    let pattern = try #require(Self.element("pattern", "pattern-\(name)", in: page))
    let lines = pattern.matches(of: #/M\d+ \d+[vh]\d+/#).count
    let isDotted = pattern.contains("<circle")
    let isTurned = pattern.contains("rotate(45)")
    switch category.fill {
    case .solid: #expect((pattern.contains("<path"), isDotted) == (false, false))
    case .diagonal: #expect((lines, pattern.contains("M1 0v6\""), isTurned, isDotted) == (1, true, true, false))
    case .dots: #expect((lines, isDotted) == (0, true))
    case .crosshatch: #expect((pattern.contains("M1 0v6M0 1h6"), isTurned, isDotted) == (true, true, false))
    }
    let icon = try #require(Self.element("symbol", "icon-\(name)", in: page))
    let filled: [Int: String] = [1: "a8.5 8.5 0 0 1 8.5 8.5z", 2: "a8.5 8.5 0 0 1 0 17z", 4: "circle class=\"filled\""]
    for (quarters, shape) in filled { #expect(icon.contains(shape) == (quarters == category.filledQuarters)) }
  }

  private static func element(_ kind: String, _ id: String, in page: String) -> Substring? {
    guard let start = page.range(of: "<\(kind) id=\"\(id)\""),
      let end = page.range(of: "</\(kind)>", range: start.upperBound..<page.endIndex)
    else { return nil }
    return page[start.lowerBound..<end.upperBound]
  }

  @Test func testFile_IsSentOnlyWhenItChanged() async throws {
    let first = try await TestClient().get("/")
    let tag = try #require(first.header("ETag"))
    for list in [tag, "W/\(tag)", "\"other\", \(tag) ", "*"] {
      let second = try await TestClient().get("/", headers: ["If-None-Match": list])
      #expect(second.status == 304, "\(list)")
      #expect(second.body.isEmpty)
    }
    #expect(try await TestClient().get("/", headers: ["If-None-Match": "\"other\""]).status == 200)
  }

  @Test func testFile_IsCompressedForWhoTakesIt() async throws {
    #expect(try await TestClient().get("/").header("Content-Encoding") == nil)
    for list in ["br, gzip", "GZIP", "x-gzip", "*", "gzip;q=0.001", "identity;q=0, gzip ; q=1"] {
      let answer = try await TestClient().get("/", headers: ["Accept-Encoding": list])
      #expect(answer.header("Content-Encoding") == "gzip", "\(list)")
    }
    for list in ["", "br", "gzip;q=0", "gzip;q=0, *", "*;q=0", "gzip;q=x", "gzipped"] {
      let answer = try await TestClient().get("/", headers: ["Accept-Encoding": list])
      #expect(answer.header("Content-Encoding") == nil, "\(list)")
    }
  }

  @Test(arguments: ["/../etc/passwd", "/index.html/..", "/%2e%2e/x", "/styles", "/dashboard_files.c", "/openapi.yaml"])
  func testNothingElse_IsServed(path: String) async throws {
    #expect(try await TestClient().get(path).status == 404)
  }
}
