/// The fifth version of the schema: sessions from interval files. It is released and never changes.
enum SchemaV5 {
  static let imports = """
    -- The kind of file, such as kubios-text; null for what was heard from a strap.
    ALTER TABLE session ADD COLUMN made_from TEXT CHECK (made_from <> '');
    """
}
