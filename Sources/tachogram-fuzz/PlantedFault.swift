#if FUZZING
  import TachogramFuzz

  /// Faults that a fuzzer must detect, to prove that it also detects those of the targets (tools/fuzz --self-test).
  enum PlantedFault: String {
    case trap = "planted-trap"
    case finding = "planted-finding"
    case overrun = "planted-overrun"
    case leak = "planted-leak"
    case memory = "planted-memory"

    func run(_ bytes: [UInt8]) async throws -> Bool {
      switch self {
      case .trap: precondition(bytes.count < 0, "a trap that was planted")
      case .finding: try FuzzFinding.unless(false, "a finding that was planted")
      case .overrun:
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 8)
        defer { memory.deallocate() }
        memory.initialize(repeating: 0, count: 8)
        return memory[8 + bytes.count] == 0
      case .leak:
        UnsafeMutablePointer<UInt8>.allocate(capacity: 64 + bytes.count).initialize(to: 0)
      case .memory:
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 300 << 20)
        memory.initialize(repeating: 1, count: 300 << 20)
        memory.deallocate()
      }
      return true
    }
  }
#endif
