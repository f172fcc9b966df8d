/**
 * ownMemory reads the memory of this process.
 *
 * @returns {import('./meter.js').OwnMemory}
 */
export function ownMemory() {
  const { rss, heapUsed, external } = process.memoryUsage()
  return { residentBytes: rss, inUseBytes: heapUsed + external }
}
