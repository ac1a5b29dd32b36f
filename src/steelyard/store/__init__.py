"""What must outlive the process: SQLite in a file by default, PostgreSQL by URL."""
