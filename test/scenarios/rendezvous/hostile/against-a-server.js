import pino from 'pino'
import { HostileWorker } from '../../../../src/scenarios/rendezvous/hostile/hostile-worker.js'
import { readServerOptions } from '../../../../src/server/options.js'
import { runServer } from '../../../../src/server/process/run-server.js'

/** @typedef {Awaited<ReturnType<typeof runServer>>} Server */

/** aServer is one with the limits of every other, for peers of this host too. @returns {Promise<Server>} */
export const aServer = () =>
  runServer(readServerOptions({ listen: '/ip4/127.0.0.1/tcp/0', httpPort: 0, unlimitedFrom: '' }), {
    log: pino({ level: 'silent' })
  })

/**
 * hostileRun begins what hostile peers of a kind do to a server. It ends with the test.
 *
 * @param {Server} server
 * @param {string} kind
 * @param {import('node:test').TestContext} t
 */
export async function hostileRun({ multiaddrs, http }, kind, t) {
  const run = new HostileWorker({
    target: { multiaddr: multiaddrs[0], http, spreads: true, seed: 1 },
    hostile: { [kind]: 1 }
  })
  t.after(() => run.stop())
  await run.prepare()
  run.begin()
  return run
}

/** metricsOf is what a server tells of itself. @param {Server} server */
export const metricsOf = async ({ http }) => (await fetch(`${http}/metrics`)).text()
