// Entry of the process that holds the hostile peers of a rendezvous run.
import '../../../kit/runtime.js'
import { exitWithParent } from '../../../run/parent-watch.js'
import { serveParent } from '../../../run/worker-process.js'

exitWithParent()

const { HostileWorker } = await import('./hostile-worker.js')

// sends of disconnected peers reject
process.on('unhandledRejection', () => {})

serveParent(setup => new HostileWorker(setup), ['prepare', 'begin', 'end', 'close'])
