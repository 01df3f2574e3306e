/** Milliseconds of the processors' time that this process has used: what a piece of work costs, whatever else the machine does. */
export function workedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
