// Entry of a process that fetches the files, or moves the zeros, of a transfer.
import '../../../kit/runtime.js'
import { exitWithParent } from '../../../run/parent-watch.js'
import { serveParent } from '../../../run/worker-process.js'

exitWithParent()

const { movesFiles } = await import('../plan/transfer-plan.js')
const { FileRequestor, ZerosRequestor } = await import('./requestors.js')

serveParent(
  setup => new (movesFiles(setup.plan) ? FileRequestor : ZerosRequestor)(setup),
  [
    ...['connect', 'fetch', 'disconnect'],
    ...['meet', 'open', 'move', 'shut', 'exchanges', 'handshakes'],
    ...['settings', 'close']
  ]
)
