/** A reason not to start that an operator can act on: told in one line, then exit 1. */
export class StartError extends Error {}

/** The data folder belongs to a running Halyard. */
export class InUseError extends StartError {}
