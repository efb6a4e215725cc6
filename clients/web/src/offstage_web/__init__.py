"""Serves an Offstage app to browsers."""
