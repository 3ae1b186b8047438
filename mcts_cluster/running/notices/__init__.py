"""What becomes of a run, told to the command of --notify."""
