"""Pages of any app."""
