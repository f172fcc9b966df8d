import '../../../node-shim.js'
import { endWithParent } from '../../../workers/parent-watch.js'
import { serveParent } from '../../../workers/serve-parent.js'

endWithParent()

const { movesFiles } = await import('../plan/ways.js')
const { FileRequestor } = await import('./file-requestor.js')
const { ZerosRequestor } = await import('./zeros-requestor.js')

serveParent(
  setup => new (movesFiles(setup.plan) ? FileRequestor : ZerosRequestor)(setup),
  [
    ...['connect', 'fetch', 'disconnect'],
    ...['meet', 'open', 'move', 'shut', 'exchanges', 'handshakes'],
    ...['settings', 'close']
  ]
)
