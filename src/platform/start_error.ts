/** A reason not to start that an operator can act on: told in one line, then exit 1. */
export class StartError extends Error {}

/** The data folder belongs to a running Halyard. */
export class InUseError extends StartError {}

/** A command line, or an answer to a command's question, that does not fit: told in one line, then exit 2. */
export class UsageError extends Error {}
