"""What knows no widget: texts, words, colors, pictures, and where an app keeps its place."""
