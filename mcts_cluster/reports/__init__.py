"""Reports of results: tables, figures, pages."""
