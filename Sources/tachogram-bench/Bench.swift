/// The measurements of tools/bench run and tools/bench analysis that are impossible from outside the process.
@main
enum Bench {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    switch (arguments.first, arguments.count) {
    case ("window", 1): WindowBench.run()
    case ("analysis", 2): try AnalysisBench.run(path: arguments[arguments.startIndex + 1])
    default: print("usage: tachogram-bench window | analysis FILE")
    }
  }
}
