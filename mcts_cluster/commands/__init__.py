"""The verbs of the command, a thin file each: arguments, one call, printing."""
