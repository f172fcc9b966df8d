// Entry of a worker process that holds rendezvous clients: it takes calls from its parent and sends heartbeats.
import '../../../kit/runtime.js'
import { exitWithParent } from '../../../run/parent-watch.js'

exitWithParent()

const { LoadWorker } = await import('./load-worker.js')
const { makeProcessProfile } = await import('../../../measure/process-profile.js')
const { serveParent } = await import('../../../run/worker-process.js')

const ALIVE_EVERY_MS = 1000
const METHODS = [
  ...['goOn', 'moveTo', 'begin', 'peers', 'peerAddresses', 'prepare', 'run', 'stop', 'abort'],
  ...['registered', 'lookUp', 'restore', 'finish', 'close']
]

/** @type {InstanceType<typeof LoadWorker>} */
let worker
const { say } = serveParent(
  (setup, { call }) => {
    worker = new LoadWorker(
      setup,
      interval => call('interval', interval),
      interval => call('network', interval)
    )
    return worker
  },
  METHODS,
  { connect: () => worker.connect(connected => say('connected', connected)), ...makeProcessProfile() }
)
setInterval(() => say('alive'), ALIVE_EVERY_MS).unref()
