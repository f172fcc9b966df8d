import { processProfile } from '../../../measure/process-profile.js'
import { serveParent } from '../../../workers/serve-parent.js'

const ALIVE_EVERY_MS = 1000

/**
 * serveGenerator serves what a process that generates load is asked for.
 *
 * @template {{ connect: (onProgress: (connected: number) => void) => Promise<unknown> }} T
 * @param {(setup: any, report: (interval: import('../../../measure/meter.js').Interval) => Promise<unknown>,
 *   reportNetwork: (interval: import('../../../network/node-host.js').HostInterval) => Promise<unknown>) => T} make
 * @param {readonly string[]} methods - beside `connect`
 */
export function serveGenerator(make, methods) {
  /** @type {T} */
  let generator
  const { say } = serveParent(
    (setup, { call }) => {
      generator = make(
        setup,
        interval => call('interval', interval),
        interval => call('network', interval)
      )
      return generator
    },
    methods,
    { connect: () => generator.connect(connected => say('connected', connected)), ...processProfile() }
  )
  setInterval(() => say('alive'), ALIVE_EVERY_MS).unref()
}
