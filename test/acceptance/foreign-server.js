import { INDEX, startProgram } from './loadtest.js'

/**
 * startForeignServer starts a server beside the load test: somebody else's, as far as the load test knows.
 *
 * @param {string[]} [args]
 * @param {import('./program.js').ProgramOptions} [options]
 */
export async function startForeignServer(args = [], options = {}) {
  const program = startProgram(
    INDEX,
    ['server', '--listen', '/ip4/127.0.0.1/tcp/0', '--httpPort', '0', '--logLevel', 'warn', ...args],
    options
  )
  const [, multiaddr, http] = await program.line(/^ready (\S+) (\S+)$/)
  return {
    program,
    pid: program.pid,
    multiaddr,
    http,
    /** gauge reads a figure of /metrics, labels as they stand there. @param {string} name */
    gauge: async name => figureOf(await (await fetch(`${http}/metrics`)).text(), name)
  }
}

/**
 * @param {string} metrics
 * @param {string} name
 * @returns {number} 0 for what was never counted
 */
function figureOf(metrics, name) {
  const line = metrics.split('\n').find(text => text.startsWith(`${name} `))
  return line === undefined ? 0 : Number(line.slice(name.length + 1))
}
