import '../../../node-shim.js'
import { endWithParent } from '../../../workers/parent-watch.js'

endWithParent()

const { RotateRendezvousWorker } = await import('./rotate-rendezvous-worker.js')
const { serveGenerator } = await import('../../rendezvous/run/serve-generator.js')

serveGenerator(
  (setup, report) => new RotateRendezvousWorker(setup, report),
  ['register', 'warmUp', 'run', 'abort', 'leave', 'finish', 'close']
)
