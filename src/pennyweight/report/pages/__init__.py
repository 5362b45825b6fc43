"""The pages of a report: each module creates the content of one template."""
