"""What makes sure that a file is whole: snapshots, checksums, and checks of its content."""
