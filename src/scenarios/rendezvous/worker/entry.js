// The process of a load worker.
import '../../../kit/runtime.js'
import { endWithParent } from '../../../run/parent-watch.js'

endWithParent()

const { LoadWorker } = await import('./load-worker.js')
const { serveGenerator } = await import('./load-worker.js')

serveGenerator(
  (setup, report, reportNetwork) => new LoadWorker(setup, report, reportNetwork),
  [
    'goOn',
    'moveTo',
    'begin',
    'peers',
    'peerAddresses',
    'prepare',
    'run',
    'stop',
    'abort',
    'registered',
    'lookUp',
    'restore',
    'finish',
    'close'
  ]
)
