"""The public site: documentation and a report, searchable."""
