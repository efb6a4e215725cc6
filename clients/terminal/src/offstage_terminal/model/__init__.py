"""What knows no widget: texts, words, colors, pictures, and the way back after a restart."""
