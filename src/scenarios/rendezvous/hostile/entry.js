import '../../../kit/runtime.js'
import { endWithParent } from '../../../run/parent-watch.js'
import { serveParent } from '../../../run/worker-process.js'

endWithParent()

const { HostileWorker } = await import('./hostile-worker.js')

// of peers that are disconnected while they send
process.on('unhandledRejection', () => {})

serveParent(setup => new HostileWorker(setup), ['prepare', 'begin', 'end', 'close'])
