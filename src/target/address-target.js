import { processReading } from './process-reading.js'

/**
 * addressTarget stands for a server that the user runs: nothing is started, and nothing but its answers is known unless its
 * process id is given.
 *
 * @param {{ multiaddr: string, pid: number | null }} options
 * @returns {import('./target.js').Target}
 */
export const addressTarget = ({ multiaddr, pid }) => ({
  kind: 'address',
  multiaddr,
  pid,
  settings: {},
  control: null,
  reading: pid == null ? null : () => processReading(pid),
  stop: async () => {}
})
