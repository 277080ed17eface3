#if FUZZING
  import Foundation
  import TachogramFuzz

  /// The entry points for libFuzzer, which has its own `main`.
  enum FuzzDriver {
    /// The environment variable with the target's name. An argument would be lost when libFuzzer restarts itself.
    private static let variable = "TACHOGRAM_FUZZ_TARGET"

    private static let executor = CallerExecutor()

    private static let name = ProcessInfo.processInfo.environment[variable]

    private typealias Body = @Sendable ([UInt8]) async throws -> Bool

    private static let target: Body? = name.flatMap(body)

    private static func body(of name: String) -> Body? {
      if let target = FuzzTarget(rawValue: name) { return { try await target.run($0) } }
      if let fault = PlantedFault(rawValue: name) { return { try await fault.run($0) } }
      return nil
    }

    /// Runs `FuzzProgram` if no target is named, as without a fuzzer. Exits with status 2 if the name is unknown.
    static func begin() {
      if name == nil {
        do {
          try FuzzProgram.main()
          exit(0)
        } catch {
          report("\(error)")
          exit(1)
        }
      } else if target == nil {
        report("\(variable) names no target")
        exit(2)
      }
    }

    /// Runs an input. Returns -1 for inputs of another kind, which are not kept. A finding ends the process.
    static func run(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
      do {
        let bytes = Array(bytes)
        return try executor.run { try await target?(bytes) == true } ? 0 : -1
      } catch {
        report("FOUND: \(error)")
        abort()
      }
    }

    private static func report(_ words: String) {
      FileHandle.standardError.write(Data((words + "\n").utf8))
    }
  }

  /// Called by libFuzzer before it reads its arguments.
  @_cdecl("LLVMFuzzerInitialize")
  public func initializeFuzzer(_: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?) -> Int32 {
    FuzzDriver.begin()
    return 0
  }

  /// Called by libFuzzer with each input.
  @_cdecl("LLVMFuzzerTestOneInput")
  public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    FuzzDriver.run(UnsafeBufferPointer(start: start, count: count))
  }
#endif
