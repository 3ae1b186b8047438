"""The statuses with which the command ends."""

COMPLETE = 0
GIVEN_UP = 1  # a defect, or some games are void after all attempts
MISTAKE = 2  # of the user, such as a program that cannot be started
STOPPED = 75  # "temporary failure": run again to continue
INTERRUPTED = 130  # by SIGINT, as shells have it
