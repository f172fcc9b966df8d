import { setTimeout as sleep } from 'node:timers/promises'
import { INDEX, startProgram } from './loadtest.js'

/** A server hears of closed connections when it gets to it: on a busy machine, later. */
const SETTLED_WITHIN_MS = 10_000

/**
 * startForeignServer starts a server beside the load test: somebody else's, as far as the load test knows.
 *
 * @param {string[]} [args]
 * @param {import('./program.js').ProgramOptions & { listen?: string }} [options]
 */
export async function startForeignServer(args = [], { listen = '/ip4/127.0.0.1/tcp/0', ...options } = {}) {
  const program = startProgram(
    INDEX,
    ['server', '--listen', listen, '--httpPort', '0', '--logLevel', 'warn', ...args],
    options
  )
  const [, multiaddr, http] = await program.line(/^ready (\S+) (\S+)$/)
  /** @param {string} name */
  const gauge = async name => figureOf(await (await fetch(`${http}/metrics`)).text(), name)
  return {
    program,
    pid: program.pid,
    multiaddr,
    http,
    /** gauge reads a figure of /metrics, labels as they stand there. */
    gauge,
    /** settled is a figure that is to become 0, when it is, or what it stays at. @param {string} name */
    async settled(name) {
      const untilMs = performance.now() + SETTLED_WITHIN_MS
      for (;;) {
        const figure = await gauge(name)
        if (figure === 0 || performance.now() > untilMs) return figure
        await sleep(50)
      }
    }
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
