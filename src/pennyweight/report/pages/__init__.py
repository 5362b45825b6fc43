"""The pages of a report: each module makes what one template shows."""
