import '../../../node-shim.js'
import { endWithParent } from '../../../workers/parent-watch.js'
import { serveParent } from '../../../workers/serve-parent.js'

endWithParent()

const { HostileWorker } = await import('./worker.js')

// of peers that are disconnected while they send
process.on('unhandledRejection', () => {})

serveParent(setup => new HostileWorker(setup), ['prepare', 'begin', 'end', 'close'])
