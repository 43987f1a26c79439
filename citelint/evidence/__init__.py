"""What was recorded beside the manifest, and what it proves."""
