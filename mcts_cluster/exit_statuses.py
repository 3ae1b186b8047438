"""The statuses with which the command ends."""

COMPLETE = 0
GIVEN_UP = 1  # a defect, or some games are void after all attempts
MISTAKE = 2  # of the user, such as a program that cannot be started
STOPPED = 75  # "temporary failure": run again to continue
INTERRUPTED = 130  # by SIGINT, as shells have it

# As the documents and the help of `run` have them.
MEANINGS = {
    COMPLETE: "all games are played; of other verbs: done",
    GIVEN_UP: "some games are void whatever is tried, or something is broken: a disk is full, two "
    "workers disagree, a defect; `replay`: the game is another one",
    MISTAKE: "a mistake in the command or the job, or a file that is damaged; nothing was played",
    STOPPED: "stopped by a signal, such as that of a batch system (`--stopped-status` names "
    "another status), or all workers are lost; run again to continue",
    INTERRUPTED: "stopped by Ctrl-C; run again to continue",
}
