/**
 * ownUsage reads what this process has used so far.
 *
 * @returns {{ cpuMicros: number, rssBytes: number }}
 */
export function ownUsage() {
  const { user, system } = process.cpuUsage()
  return { cpuMicros: user + system, rssBytes: process.memoryUsage.rss() }
}
