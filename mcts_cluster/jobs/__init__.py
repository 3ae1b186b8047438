"""Job files: read, checked, written out, and compared with what a file of results holds."""
