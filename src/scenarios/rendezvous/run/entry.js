import '../../../node-shim.js'
import { Channel } from '../../../workers/channel.js'
import { endWithParent } from '../../../workers/parent-watch.js'

endWithParent()

const { LoadWorker } = await import('./load-worker.js')

const ALIVE_EVERY_MS = 1000

/** @type {import('./load-worker.js').LoadWorker} */
let worker

const channel = new Channel(process, {
  setup: setup => {
    worker = new LoadWorker(setup, interval => channel.call('interval', interval))
  },
  connect: () => worker.connect(connected => channel.call('connected', connected).catch(() => {})),
  begin: phase => worker.begin(phase),
  prepare: round => worker.prepare(round),
  run: start => worker.run(start),
  stop: () => worker.stop(),
  abort: reason => worker.abort(reason),
  registered: () => worker.registered(),
  lookUp: confirmed => worker.lookUp(confirmed),
  restore: () => worker.restore(),
  finish: () => worker.finish(),
  close: () => worker.close()
})

channel.call('ready')
setInterval(() => channel.call('alive').catch(() => {}), ALIVE_EVERY_MS).unref()
