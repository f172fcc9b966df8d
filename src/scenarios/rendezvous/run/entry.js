import '../../../node-shim.js'
import { endWithParent } from '../../../workers/parent-watch.js'

endWithParent()

const { LoadWorker } = await import('./load-worker.js')
const { serveGenerator } = await import('./serve-generator.js')

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
