import Foundation
import Sleep
import TachogramCore

/// Reads the data of nights from standard input, an object of JSON in each line, and writes for each a line with the features,
/// probabilities and stages. `tools/check world` compares them with references.
@main
enum NightProgram {
  static func main() {
    do {
      while let line = readLine() {
        let request = try JSONDecoder().decode(NightRequest.self, from: Data(line.utf8))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
          positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let result =
          try request.files.map { try encoder.encode(NightFilesResult($0)) } ?? encoder.encode(NightResult(request))
        FileHandle.standardOutput.write(result + Data("\n".utf8))
      }
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(1)
    }
  }
}
