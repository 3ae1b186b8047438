"""The HDF5 file of a job: its schema, its one writer, its readers."""
