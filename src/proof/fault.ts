/** The log is not as it was left, or can't be signed: nothing is appended until an operator has seen to it. */
export class LogFault extends Error {}
