/// The heading of a table: where the columns are. Columns of other names are not read.
struct NightHeading {
  /// The number of columns.
  let count: Int
  private let names: [String]

  /// Reads the heading, the first row of a table. Throws if it does not have the columns that are needed.
  init(_ table: inout NightTable, needs kinds: [NightColumn.Kind]) throws(NightFileError) {
    guard let row = try table.nextRow() else { throw table.error(.noRows) }
    names = row.map { String(decoding: $0, as: UTF8.self).lowercased() }
    count = names.count
    let missing = kinds.map(\.rawValue).filter { !names.contains($0) }
    if !missing.isEmpty { throw table.error(.missingColumns(missing), line: table.line) }
  }

  /// Returns a column, or `nil` if there is none.
  func column(_ kind: NightColumn.Kind) -> NightColumn? {
    names.firstIndex(of: kind.rawValue).map { NightColumn(number: $0 + 1, kind: kind) }
  }
}
