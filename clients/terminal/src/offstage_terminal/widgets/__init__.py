"""The parts of pages, and what they need of the app."""
