import '../../../node-shim.js'
import { Channel } from '../../../workers/channel.js'
import { endWithParent } from '../../../workers/parent-watch.js'

endWithParent()

const { RotateRendezvousWorker } = await import('./rotate-rendezvous-worker.js')

const ALIVE_EVERY_MS = 1000

/** @type {import('./rotate-rendezvous-worker.js').RotateRendezvousWorker} */
let worker

const channel = new Channel(process, {
  setup: setup => {
    worker = new RotateRendezvousWorker(setup, interval => channel.call('interval', interval))
  },
  connect: () => worker.connect(connected => channel.call('connected', connected).catch(() => {})),
  register: () => worker.register(),
  warmUp: (startNs, durationMs) => worker.warmUp(startNs, durationMs),
  run: startNs => worker.run(startNs),
  abort: reason => worker.abort(reason),
  leave: () => worker.leave(),
  finish: () => worker.finish(),
  close: () => worker.close()
})

channel.call('ready')
setInterval(() => channel.call('alive').catch(() => {}), ALIVE_EVERY_MS).unref()
